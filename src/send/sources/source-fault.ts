/** What is wrong with a source, and where: the error that ends reading it. */

import { type MsgError, type Problem, usageError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";

/** A place in a source: line and column from 1, or the offset of a byte from 0. */
interface Place {
  readonly name: string;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  readonly row?: number | undefined;
  readonly offset?: number | undefined;
}

/** A usage error with its place in `where` and in `details`. Exit 2; nothing was sent. */
export const sourceFault = (code: string, what: string, place: Place, todo?: string): MsgError => {
  const { name, line, column, row, offset } = place;
  const parts = [
    name,
    line === undefined ? undefined : t`line ${line}`,
    column === undefined ? undefined : t`column ${column}`,
    row === undefined ? undefined : t`row ${row}`,
    offset === undefined ? undefined : t`byte ${offset}`,
  ];
  const problem: Problem = { code, text: what, row, line, column };
  return usageError(what, {
    code,
    where: parts.filter((part) => part !== undefined).join(", "),
    todo,
    details: [problem],
  });
};

/** Why a text cannot be read any further, and where: line and column from 1. Scanners throw it. */
export class TextFault extends Error {
  readonly code: string;
  readonly line: number;
  readonly column: number;
  /** Records read before it, the header of a CSV included. */
  readonly before: number;

  constructor(code: string, message: string, line: number, column: number, before: number) {
    super(message);
    this.name = "TextFault";
    this.code = code;
    this.line = line;
    this.column = column;
    this.before = before;
  }
}

/** Line feeds of `text` from one index to before another. */
export const countLines = (text: string, from: number, to: number): number => {
  let count = 0;
  for (let at = text.indexOf("\n", from); at >= 0 && at < to; at = text.indexOf("\n", at + 1)) {
    count += 1;
  }
  return count;
};
