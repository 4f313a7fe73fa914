/** Numbers of messages and rows in a sentence. */

/** `1 message`, `3 messages`. */
export const formatMessageCount = (count: number): string =>
  `${count} message${count === 1 ? "" : "s"}`;

/** `1 row`, `3 rows`. */
export const formatRowCount = (count: number): string => `${count} row${count === 1 ? "" : "s"}`;

/** `1 of 3 messages was refused`. */
export const formatRefusedCount = (refused: number, total: number): string =>
  `${refused} of ${formatMessageCount(total)} ${refused === 1 ? "was" : "were"} refused`;
