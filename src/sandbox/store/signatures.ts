/** Signatures that were used lately, so that none is accepted twice. */
import type { Database } from "./driver.ts";

/** How long a signature is remembered. */
const memoryMs = 900_000;

export interface Signatures {
  /** Remembers a signature; false when the key used it within the last 900 seconds. */
  take(apiKey: string, signature: string, arrivedMs: number): boolean;
}

/** How often what is forgotten is also deleted. */
const sweepMs = 10_000;

export const createSignatures = (database: Database): Signatures => {
  let sweptMs = 0;
  return {
    take: (apiKey, signature, arrivedMs) => {
      if (Math.abs(arrivedMs - sweptMs) >= sweepMs) {
        database.run("DELETE FROM signatures WHERE arrived <= ?", arrivedMs - memoryMs);
        sweptMs = arrivedMs;
      }
      const changed = database.run(
        `INSERT INTO signatures (apiKey, signature, arrived) VALUES (?1, ?2, ?3)
         ON CONFLICT DO UPDATE SET arrived = ?3 WHERE arrived <= ?3 - ${memoryMs}`,
        apiKey,
        signature,
        arrivedMs,
      );
      return changed === 1;
    },
  };
};
