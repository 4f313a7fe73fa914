/** Numbers of messages and rows in a sentence. */
import { t } from "../locale/locale.ts";
import { formatFigure } from "./price.ts";

/** `1 message`, `3 messages`. */
export const formatMessageCount = (count: number): string =>
  count === 1 ? t`1 message` : t`${formatFigure(count)} messages`;

/** `1 row`, `3 rows`. */
export const formatRowCount = (count: number): string =>
  count === 1 ? t`1 row` : t`${formatFigure(count)} rows`;

/** `1 byte`, `90 bytes`. */
export const formatByteCount = (count: number): string =>
  count === 1 ? t`1 byte` : t`${formatFigure(count)} bytes`;

/** `1 character`, `1,000 characters`. */
export const formatCharacterCount = (count: number): string =>
  count === 1 ? t`1 character` : t`${formatFigure(count)} characters`;

/** `1 of 3 messages was refused`. */
export const formatRefusedCount = (refused: number, total: number): string =>
  refused === 1
    ? t`${formatFigure(refused)} of ${formatMessageCount(total)} was refused`
    : t`${formatFigure(refused)} of ${formatMessageCount(total)} were refused`;
