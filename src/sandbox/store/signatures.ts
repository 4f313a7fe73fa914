/** Signatures that were used lately, so that none is accepted twice (facts/auth-cash 2.4). */
import type { Database } from "./driver.ts";

/** How long a signature is remembered. */
const memoryMs = 900_000;

export interface Signatures {
  /** Remembers a signature; false when the key used it within the last 900 seconds. */
  take(apiKey: string, signature: string, arrivedMs: number): boolean;
}

export const createSignatures = (database: Database): Signatures => ({
  take: (apiKey, signature, arrivedMs) => {
    database.run("DELETE FROM signatures WHERE arrived <= ?", arrivedMs - memoryMs);
    const sql = "INSERT OR IGNORE INTO signatures (apiKey, signature, arrived) VALUES (?, ?, ?)";
    return database.run(sql, apiKey, signature, arrivedMs) === 1;
  },
});
