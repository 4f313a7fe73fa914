/** Numbers of messages and rows in a sentence. */
import { formatFigure } from "./price.ts";

/** `1 message`, `3 messages`. */
export const formatMessageCount = (count: number): string =>
  `${formatFigure(count)} message${count === 1 ? "" : "s"}`;

/** `1 row`, `3 rows`. */
export const formatRowCount = (count: number): string =>
  `${formatFigure(count)} row${count === 1 ? "" : "s"}`;

/** `1 of 3 messages was refused`. */
export const formatRefusedCount = (refused: number, total: number): string =>
  `${formatFigure(refused)} of ${formatMessageCount(total)} ${refused === 1 ? "was" : "were"} refused`;
