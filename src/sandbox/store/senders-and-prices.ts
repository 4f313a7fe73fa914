/** What a message is checked and priced against: senders and prices. */
import type { TypeKey } from "../../contract/message-records.ts";
import type { Database } from "./driver.ts";
import { cachedLookup } from "./snapshot-cache.ts";

/** Types with a published price in every country. */
export type PublishedKey = Extract<TypeKey, "sms" | "lms" | "mms" | "ata" | "cta" | "cti">;

export interface PriceRow {
  readonly countryId: string;
  readonly countryName: string;
  /** Published prices in won a message. */
  readonly units: Readonly<Record<PublishedKey, number>>;
  readonly created: number;
}

export interface SendersAndPrices {
  isSender(accountId: string, phoneNumber: string): boolean;
  price(countryId: string): PriceRow | undefined;
  /** 82 first, then by number. */
  prices(): PriceRow[];
  addPrice(price: PriceRow): void;
}

export const createSendersAndPrices = (database: Database): SendersAndPrices => ({
  isSender: isSenderIn(database),
  price: cachedLookup(database, (countryId) => {
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
    database.invalidateSnapshot();
    database.run(
      "INSERT INTO prices (countryId, countryName, units, created) VALUES (?, ?, ?, ?)",
      countryId,
      countryName,
      JSON.stringify(units),
      created,
    );
  },
});

/** An account has few, and each of its calls asks for one. */
const isSenderIn = (database: Database): SendersAndPrices["isSender"] => {
  const senders = cachedLookup(database, (accountId) => {
    const sql = "SELECT phoneNumber FROM senders WHERE accountId = ?";
    const rows = database.all<{ phoneNumber: string }>(sql, accountId);
    return new Set(rows.map(({ phoneNumber }) => phoneNumber));
  });
  return (accountId, phoneNumber) => senders(accountId).has(phoneNumber);
};
