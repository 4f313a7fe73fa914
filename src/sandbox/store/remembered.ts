/** Keeps what every request reads and few change: keys, prices, faults. */
import type { Database } from "./driver.ts";

/** Answers that are kept; callers make up keys without end. */
const most = 1_000;

/**
 * `read`, asked once for each key for as long as nobody may have changed what it reads. Whoever
 * writes to those tables calls `database.forget()`. Outside of a transaction nothing is kept.
 */
export const remembered = <T>(
  database: Database,
  read: (key: string) => T,
): ((key: string) => T) => {
  const known = new Map<string, { readonly value: T }>();
  let since: number | undefined;
  return (key) => {
    const moment = database.moment();
    if (moment === undefined) return read(key);
    if (moment !== since || known.size >= most) known.clear();
    since = moment;
    const found = known.get(key) ?? { value: read(key) };
    known.set(key, found);
    return found.value;
  };
};
