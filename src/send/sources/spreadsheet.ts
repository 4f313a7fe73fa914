/** A spreadsheet (.xlsx) as rows of texts: one sheet, held in memory, so its size is limited. */

import { dayMs } from "../../contract/time.ts";
import { usageError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { formatFigure } from "../../message/price.ts";
import { readAtMost } from "./open-source.ts";
import { sourceFault } from "./source-fault.ts";

/** The most bytes of the file and of what it unpacks to, and the most rows. */
const maxBytes = 20 * 1024 * 1024;
const maxUnpacked = 200 * 1024 * 1024;
const maxRows = 100_000;

const zipMagic = Buffer.from("PK\u0003\u0004");

/** Whether bytes begin like an .xlsx, as every zip archive does. */
export const isSpreadsheet = (head: Uint8Array | undefined): boolean =>
  head !== undefined && zipMagic.equals(head.subarray(0, zipMagic.length));

/**
 * The rows that are not empty, with their lines, and how many of them are hidden. Numbers as typed, dates as ISO.
 * `sheet`: its name, or else its number from 1; when left out the first that is not hidden. Throws usage.
 */
export const readSpreadsheet = async (
  source: AsyncIterable<Uint8Array>,
  { name, sheet }: { readonly name: string; readonly sheet?: string | undefined },
) => {
  const { bytes, sheets } = await readAll(source, name);
  const chosen = sheet ?? firstVisibleIn(sheets);
  const { readSheet } = await import("read-excel-file/universal");
  const options = { trim: false, parseNumber: plainNumber };
  const read = (wanted: string | number) => readSheet(new Blob([bytes]), wanted, options);
  // A sheet may have a number as its name.
  const rows = await read(chosen)
    .catch((error: unknown) => {
      if (sheet === undefined || !/^\d+$/.test(sheet) || !sheetsIn(error)) throw error;
      return read(Number(sheet));
    })
    .catch((error: unknown) => {
      throw unreadableError(name, sheet, error);
    });
  if (rows.length > maxRows + 1)
    throw tooLarge(name, t`${name} has more than ${formatFigure(maxRows)} rows`);
  const lines = rows.map((row, at) => ({ line: at + 1, cells: withoutBlankEnd(row.map(textOf)) }));
  const filled = lines.filter(({ cells }) => cells.length > 0);
  const width = filled[0]?.cells.length ?? 0;
  const records = filled.map(({ line, cells }) => ({
    line,
    cells: [...cells, ...Array.from({ length: Math.max(0, width - cells.length) }, () => "")],
  }));
  return { records, hiddenRows: await countHidden(bytes, sheets, chosen).catch(() => 0) };
};

const withoutBlankEnd = (cells: readonly string[]): readonly string[] =>
  cells.slice(0, cells.findLastIndex((cell) => cell.trim() !== "") + 1);

/** A larger part of a workbook is read as an empty one. */
const maxPartBytes = 50 * 1024 * 1024;

/** A part of a workbook as text, empty if there is none, and the bytes of all parts. Throws if it is damaged. */
const partOf = async (bytes: Uint8Array, name: string) => {
  const { unpackOne } = await import("../../output/workbook.ts");
  const { size, found } = unpackOne(bytes, { name, maxBytes: maxPartBytes });
  return { size, text: new TextDecoder().decode(found) };
};

const readAll = async (source: AsyncIterable<Uint8Array>, name: string) => {
  const bytes = await readAtMost(source, maxBytes);
  if (!bytes) throw tooLarge(name, t`${name} is larger than ${maxBytes >> 20} MB`);
  const { size, text } = await partOf(bytes, "xl/workbook.xml").catch((error: unknown) => {
    throw unreadableError(name, undefined, error);
  });
  if (size > maxUnpacked)
    throw tooLarge(name, t`${name} is larger than ${maxUnpacked >> 20} MB when unpacked`);
  return { bytes, sheets: text.match(/<(\w+:)?sheet\s[^>]*>/g) ?? [] };
};

/** The number, from 1, of the first sheet that people see; 1 if the list of sheets cannot be read. */
const firstVisibleIn = (sheets: readonly string[]): number => {
  const visible = sheets.findIndex((sheet) => !/\sstate="(h|veryH)idden"/.test(sheet));
  return Math.max(0, visible) + 1;
};

/** The filled rows of a sheet that no one sees: a filter leaves them out, or a person hid them. */
const countHidden = async (
  bytes: Uint8Array,
  sheets: readonly string[],
  chosen: string | number,
): Promise<number> => {
  const isNamed = (it: string): boolean => it.includes(` name="${chosen}"`);
  const named = typeof chosen === "string" ? sheets.find(isNamed) : undefined;
  const [, id] = /\sr:id="([^"]+)"/.exec(named ?? sheets[Number(chosen) - 1] ?? "") ?? [];
  const links = await partOf(bytes, "xl/_rels/workbook.xml.rels");
  const link = links.text.match(/<Relationship\s[^>]*>/g)?.find((it) => it.includes(` Id="${id}"`));
  const [, path] = /\sTarget="(?:\/xl\/)?([^"]+)"/.exec(link ?? "") ?? [];
  const hidden = /<(\w+:)?row\s(?=[^>]*\shidden="(1|true)")[^>]*[^/]>/g;
  return (await partOf(bytes, `xl/${path}`)).text.match(hidden)?.length ?? 0;
};

const tooLarge = (name: string, what: string) =>
  sourceFault("TooLarge", what, { name }, t`save it as CSV UTF-8, which has no size limit`);

/** The names of all sheets, if the error is that there is no such sheet. */
const sheetsIn = (error: unknown): readonly unknown[] | undefined =>
  error instanceof Error && "sheets" in error && Array.isArray(error.sheets)
    ? error.sheets
    : undefined;

const unreadableError = (name: string, sheet: string | undefined, cause: unknown): Error => {
  const sheets = sheetsIn(cause);
  if (sheets)
    return usageError(t`${name} has no sheet '${sheet ?? ""}'`, {
      code: "MissingSheet",
      where: name,
      todo: t`nothing was sent; its sheets are ${sheets.join(", ")}`,
    });
  return usageError(t`${name} cannot be read as a spreadsheet (.xlsx)`, {
    code: "NotText",
    where: name,
    todo: t`nothing was sent; save it as .xlsx or as CSV UTF-8 in the spreadsheet program`,
    cause,
  });
};

/** Whole numbers keep their digits: an account number of 16 digits must not be rounded. */
const plainNumber = (typed: string): string =>
  /^-?\d+$/.test(typed) ? typed : String(Number(Number(typed).toPrecision(15)));

const textOf = (cell: unknown): string => {
  if (cell instanceof Date) return dateOf(cell);
  return cell === null || cell === undefined ? "" : String(cell);
};

/** A cell that holds hours without a day counts from here, in one of the two calendars of spreadsheets. */
const firstDays = [Date.UTC(1899, 11, 30), Date.UTC(1904, 0, 1)];

/** Only the date if its hour is midnight; the file has no zone. Hours may be more than a day has: 36:00. */
const dateOf = (date: Date): string => {
  // A part of a day has no exact number: 15:20 may be read as a millisecond before it.
  const second = Math.round(date.getTime() / 1000) * 1000;
  const firstDay = firstDays.find((it) => second >= it && second < it + 366 * dayMs);
  if (firstDay !== undefined) return hoursOf(second - firstDay);
  const text = new Date(second).toISOString().replace("T", " ").slice(0, 16);
  return text.replace(/ 00:00$/, "");
};

const hoursOf = (ms: number): string => {
  const minutes = Math.floor(ms / 60_000);
  return [Math.floor(minutes / 60), minutes % 60].map((it) => `${it}`.padStart(2, "0")).join(":");
};
