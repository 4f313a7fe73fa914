/** Prices by country. */
import type { TypeKey } from "../../contract/message-records.ts";
import type { Database } from "./driver.ts";
import { createTable } from "./rows.ts";

/** Types with a published price in every country. */
type PublishedKey = Extract<TypeKey, "sms" | "lms" | "mms" | "ata" | "cta" | "cti">;

export interface PriceRow {
  readonly countryId: string;
  readonly countryName: string;
  /** Published prices in won a message. */
  readonly units: Readonly<Record<PublishedKey, number>>;
  readonly created: number;
}

export const createPrices = (database: Database) => {
  const prices = createTable<PriceRow, "units">(database, "prices", "countryId", ["units"]);
  return {
    ...prices,
    /** 82 first, then by number. */
    all: (): PriceRow[] => prices.select("ORDER BY countryId <> '82', CAST(countryId AS INTEGER)"),
  };
};
