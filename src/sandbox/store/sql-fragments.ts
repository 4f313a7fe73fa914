/** Fragments of SQL for what SQLite would do at a far higher price in the words that come first to mind. */

/**
 * How many rows a list has at most. SQLite 3.53 (3.45 did not) looks at the value of a bare `LIMIT ?` when
 * it plans, and so plans the statement again each time it runs: that costs more than twenty rows.
 */
export const limitClause = "LIMIT ? + 0";

/**
 * The elements of the JSON array that is bound as `parameter`, in a table of `key` and `value`. Out of
 * `json_each` itself a value is parsed again for every mention; the offset keeps this from becoming that.
 */
export const elementsOf = (parameter: string): string =>
  `(SELECT key, value FROM json_each(${parameter}) LIMIT -1 OFFSET 0)`;
