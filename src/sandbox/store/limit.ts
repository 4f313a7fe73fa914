/** How many rows a list has at most, as a value that is bound. */

/**
 * Lists that are read often end with it. SQLite 3.53 (3.45 did not) looks at the value of a bare `LIMIT ?`
 * when it plans, and so plans the statement anew each time it runs: that costs more than twenty rows.
 */
export const atMost = "LIMIT ? + 0";
