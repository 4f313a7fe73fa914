/** The numbers of a list of those who get nothing. */

import type { MessageInput } from "../../contract/message-records.ts";
import { usageError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { type NumberResult, normaliseNumber, numberAbroad } from "../../message/numbers.ts";
import { recipientsIn, targetsOf } from "./columns.ts";
import { readRows } from "./rows.ts";

/**
 * One number a line, or a CSV whose recipient column has one of the usual names. Throws a usage error
 * for a row that holds no number: a list that is read wrongly would let messages through.
 */
export const readExcluded = async (
  source: AsyncIterable<Uint8Array>,
  name: string,
  fixLeadingZero?: boolean,
): Promise<ReadonlySet<string>> => {
  const numbers = new Set<string>();
  const rows = readRows(source, { name, format: "csv", header: false });
  let column: number | undefined;
  for await (const { cells = [], number, line, problem } of rows) {
    if (column === undefined) {
      const named = columnOf(
        cells.map((cell) => cell.trim()),
        name,
      );
      column = Math.max(0, named);
      if (named >= 0) continue;
    }
    const cell = cells[column]?.trim() ?? "";
    if (cell === "" && !problem) continue;
    const { digits, problem: wrong } = numberOf(cell, fixLeadingZero);
    if (digits === undefined || problem)
      throw usageError(t`row ${number} of ${name}: ${problem?.text ?? wrong?.text ?? ""}`, {
        code: "InvalidRows",
        where: t`${name}, line ${line}`,
        todo: t`nothing was sent; fix the list of excluded numbers`,
      });
    numbers.add(digits);
  }
  return numbers;
};

/** Where the numbers stand in a list that has a header; -1 in one that has none. */
const columnOf = (header: readonly string[], where: string): number => {
  const own = header.findIndex((it) => targetsOf(it, {}).members.includes("to"));
  if (own >= 0) return own;
  const [only, other] = recipientsIn(header);
  if (only === undefined) return -1;
  if (other === undefined) return header.indexOf(only);
  throw usageError(t`columns "${only}" and "${other}" both look like the excluded numbers`, {
    code: "DuplicateColumn",
    where,
    todo: t`nothing was sent; name the right one "to"`,
  });
};

/** Fewer digits are no phone number: the column of a list that has no header may be another one. */
const minDigits = 8;

const numberOf = (cell: string, fixLeadingZero: boolean | undefined): NumberResult => {
  const read = normaliseNumber(cell, { fixLeadingZero });
  const digits = numberAbroad(cell) ?? read.digits;
  if (digits === undefined) return read;
  if (digits.length >= minDigits) return { digits };
  return { problem: { code: "1011", text: t`"${cell}" is not a phone number` } };
};

/** Whether a list names the recipient, as it is dialled at home or with its country's code. */
export const isExcluded = (numbers: ReadonlySet<string>, { to, country }: MessageInput): boolean =>
  numbers.has(String(to)) || numbers.has(`+${country}${to}`);
