/** What a message is checked and priced against: senders and prices. */
import type { TypeKey } from "../../contract/message-records.ts";
import type { Database } from "./driver.ts";
import { remembered } from "./remembered.ts";

/** Types with a published price in every country (facts/messages 7.1). */
export type PublishedKey = Extract<TypeKey, "sms" | "lms" | "mms" | "ata" | "cta" | "cti">;

export interface PriceRow {
  readonly countryId: string;
  readonly countryName: string;
  /** Published prices in won a message. */
  readonly units: Readonly<Record<PublishedKey, number>>;
  readonly created: number;
}

export interface Books {
  isSender(accountId: string, phoneNumber: string): boolean;
  price(countryId: string): PriceRow | undefined;
  /** 82 first, then by number (facts/messages 7.2). */
  prices(): PriceRow[];
  addPrice(price: PriceRow): void;
}

export const createBooks = (database: Database): Books => ({
  isSender: (accountId, phoneNumber) =>
    database.get(
      "SELECT 1 AS found FROM senders WHERE accountId = ? AND phoneNumber = ?",
      accountId,
      phoneNumber,
    ) !== undefined,
  price: remembered(database, (countryId) => {
    const row = database.get<Omit<PriceRow, "units"> & { units: string }>(
      "SELECT * FROM prices WHERE countryId = ?",
      countryId,
    );
    return row && { ...row, units: JSON.parse(row.units) };
  }),
  prices: () =>
    database
      .all<Omit<PriceRow, "units"> & { units: string }>(
        "SELECT * FROM prices ORDER BY countryId <> '82', CAST(countryId AS INTEGER)",
      )
      .map((row) => ({ ...row, units: JSON.parse(row.units) })),
  addPrice: ({ countryId, countryName, units, created }) => {
    database.forget();
    database.run(
      "INSERT INTO prices (countryId, countryName, units, created) VALUES (?, ?, ?, ?)",
      countryId,
      countryName,
      JSON.stringify(units),
      created,
    );
  },
});
