/** A list of numbers, as of `--exclude`: how it is read, and whether it names a recipient. */
import type { MessageInput } from "../../contract/message-records.ts";
import { usageError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { type NumberResult, normaliseNumber, numberAbroad } from "../../message/numbers.ts";
import { recipientsIn, targetsOf } from "../sources/columns.ts";
import { readRows } from "../sources/rows.ts";

/**
 * Reads one number a line, or a CSV whose recipient column has one of the usual names. Throws a usage error
 * for a row that holds no number: a list that is read wrongly would let messages through.
 */
export const readNumbers = async (
  source: AsyncIterable<Uint8Array>,
  name: string,
  fixLeadingZero?: boolean,
): Promise<ReadonlySet<string>> => {
  const numbers = new Set<string>();
  const rows = readRows(source, { name, format: "csv", header: false });
  let column: number | undefined;
  for await (const { cells = [], number, line, problem } of rows) {
    if (column === undefined) {
      const named = columnOf(cells, name);
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
        todo: t`nothing was sent; fix the list of numbers`,
      });
    numbers.add(digits);
  }
  return numbers;
};

/** The index of the column of numbers; -1 in a list without a header. */
const columnOf = (cells: readonly string[], where: string): number => {
  const header = cells.map((cell) => cell.trim());
  const own = header.findIndex((it) => targetsOf(it, {}).members.includes("to"));
  if (own >= 0) return own;
  const [only, other] = recipientsIn(header);
  if (only === undefined) return -1;
  if (other === undefined) return header.indexOf(only);
  throw usageError(t`columns "${only}" and "${other}" both look like the column of numbers`, {
    code: "DuplicateColumn",
    where,
    todo: t`nothing was sent; name the right one "to"`,
  });
};

/** Fewer digits are not a phone number: the first column of a list without a header may hold something else. */
const minDigits = 8;

const numberOf = (cell: string, fixLeadingZero: boolean | undefined): NumberResult => {
  const read = normaliseNumber(cell, { fixLeadingZero });
  const digits = numberAbroad(cell) ?? read.digits;
  if (digits === undefined) return read;
  if (digits.length >= minDigits) return { digits };
  return { problem: { code: "1011", text: t`"${cell}" is not a phone number` } };
};

/**
 * Whether a list names the recipient: as dialled within the country, with or without the leading zero of many
 * countries, or with the country code, with or without a plus.
 */
export const isExcluded = (
  numbers: ReadonlySet<string>,
  { to, country }: MessageInput,
): boolean => {
  const number = String(to);
  if (numbers.has(number)) return true;
  if (!country || country === "82") return false;
  const bare = number.replace(/^0/, "");
  return ["", country, `+${country}`].some(
    (code) => numbers.has(`${code}${bare}`) || numbers.has(`${code}0${bare}`),
  );
};
