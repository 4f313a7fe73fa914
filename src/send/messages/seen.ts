/** Which messages of a run are not sent: to a recipient that is excluded, or that was seen before. Exact for any list. */
import type { MessageInput } from "../../contract/message-records.ts";
import { usageError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { type NumberResult, normaliseNumber, numberAbroad } from "../../message/numbers.ts";
import type { SkippedMessage } from "../plan/skipped-rows.ts";
import { recipientsIn, targetsOf } from "../sources/columns.ts";
import { readRows } from "../sources/rows.ts";
import { type AddNumber, createNumberSet } from "./number-set.ts";

/** Which later rows to the same recipient are skipped. */
export type Dedupe = "to" | "to+text" | "off";

/** Decides which messages are not sent, and remembers their recipients. `excluded`: numbers, as digits. */
export const createSeenRecipients = (
  dedupe: Dedupe = "to",
  excluded: ReadonlySet<string> = new Set(),
) => {
  const numbers = createSeenNumbers();
  const texts = createTextSet();
  const isSeen = (message: MessageInput): boolean => {
    if (dedupe === "off") return false;
    const to = String(message.to);
    const country = message.country || korea;
    if (dedupe === "to+text") return !texts(`${country} ${to} ${textOf(message)}`);
    // The same number in another country is another recipient.
    return !(isNumber.test(to)
      ? numbers(country, to.length)(Number(to))
      : texts(`${country} ${to}`));
  };
  const mobiles = numbers(korea, mobileLength);
  const mobile = (digits: number): boolean => !mobiles(firstMobile + digits);
  const byNumber = { to: mobile, off: () => false, "to+text": undefined }[dedupe];
  return {
    skipReason: (message: MessageInput): SkippedMessage["reason"] | undefined => {
      if (isExcluded(excluded, message)) return "excluded";
      return isSeen(message) ? "duplicate" : undefined;
    },
    /**
     * Whether a Korean mobile number was seen before, by the eight digits after its 010; undefined if they do
     * not decide it.
     */
    mobile: excluded.size === 0 ? byNumber : undefined,
  };
};

const korea = "82";
/** Numbers that a set of numbers takes: below 2^53. */
const isNumber = /^\d{1,15}$/;
/** 010 and eight digits, as a number. */
const mobileLength = 11;
const firstMobile = 1_000_000_000;

/** What makes a text different; with a template its variables do. */
const textOf = ({ text = "", kakaoOptions, naverOptions, rcsOptions }: MessageInput): string => {
  const options = kakaoOptions ?? naverOptions ?? rcsOptions;
  return options === undefined ? text : JSON.stringify([text, options]);
};

/** Leading zeros count, so there is a set for each country and length. */
const createSeenNumbers = () => {
  const sets = new Map<string, AddNumber>();
  return (country: string, length: number): AddNumber => {
    const key = `${country} ${length}`;
    const found = sets.get(key) ?? createNumberSet();
    sets.set(key, found);
    return found;
  };
};

/** A JavaScript Set ends at 2^24. */
const maxInSet = 2 ** 23;

/** Adds a text, as many as there is memory for; false if it was there before. */
const createTextSet = (): ((text: string) => boolean) => {
  let newest = new Set<string>();
  const sets = [newest];
  return (text) => {
    if (sets.some((it) => it.has(text))) return false;
    if (newest.size === maxInSet) {
      newest = new Set();
      sets.push(newest);
    }
    newest.add(text);
    return true;
  };
};

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
  if (!country || country === korea) return false;
  const bare = number.replace(/^0/, "");
  return ["", country, `+${country}`].some(
    (code) => numbers.has(`${code}${bare}`) || numbers.has(`${code}0${bare}`),
  );
};
