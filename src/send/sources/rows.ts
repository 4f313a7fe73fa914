/** Reads a source of messages in any format as rows: numbered, with their lines, in constant memory. */

import { type MsgError, type Problem, usageError } from "../../errors.ts";
import { t, translated } from "../../locale/locale.ts";
import { callBody } from "./call-body.ts";
import { type CsvRecord, CsvScanner } from "./csv.ts";
import { decodeText, type Encoding } from "./decode.ts";
import { JsonArrayScanner, JsonlScanner } from "./json-rows.ts";
import { replay } from "./open-source.ts";
import { sourceFault, TextFault } from "./source-fault.ts";
import { isSpreadsheet, readSpreadsheet } from "./spreadsheet.ts";

export const formats = ["csv", "tsv", "json", "jsonl", "xlsx"] as const;
type Format = (typeof formats)[number];

/** One row of a source. It has cells (CSV, TSV), or a value (JSON), or a problem. */
export interface Row {
  /** From 1, the header not counted. */
  readonly number: number;
  /** The line of the source on which it begins, from 1. */
  readonly line: number;
  /** In the order of `Found.columns`, and as many. */
  readonly cells?: readonly string[] | undefined;
  /** The cells of a row that has too few or too many. */
  readonly raggedCells?: readonly string[] | undefined;
  readonly value?: unknown;
  readonly problem?: Problem | undefined;
}

/** What is detected about a source; complete when the last row is read. */
export interface Found {
  readonly format?: Format | undefined;
  readonly encoding?: Encoding | undefined;
  /** Names of the columns: of the header, or `1`, `2` … without one. Undefined for JSON. */
  readonly columns?: readonly string[] | undefined;
  /** Rows of a spreadsheet that a filter or a person has hidden: they are read like the others. */
  readonly hiddenRows?: number | undefined;
}

export interface ReadOptions {
  /** What the source is called in errors: a file name, or `standard input`. */
  readonly name: string;
  /** Found by content when left out. */
  readonly format?: Format | undefined;
  readonly encoding?: Encoding | undefined;
  /** False when the first line of a CSV is a row already. */
  readonly header?: boolean | undefined;
  /** Name or number of the sheet of a spreadsheet. */
  readonly sheet?: string | undefined;
  /** True if what else a body of the call says was not read ahead: it may say nothing else. */
  readonly onlyMessages?: boolean | undefined;
}

/** The rows, each once: one by one, or as many at a time as one piece of the source held. */
export interface Rows extends AsyncIterable<Row> {
  readonly found: Found;
  readonly batches: () => AsyncIterable<readonly Row[]>;
}

/**
 * Reads rows. A row that is wrong by itself (ragged, not JSON) carries a problem; a fault that makes the
 * rest unreadable throws a usage error with line and column. An empty source has no rows.
 */
export const readRows = (source: AsyncIterable<Uint8Array>, options: ReadOptions): Rows => {
  const found: Finding = {};
  const onEncoding = (encoding: Encoding): void => {
    found.encoding = encoding;
  };
  const batches = async function* () {
    const pieces = source[Symbol.asyncIterator]();
    const { value, done } = await pieces.next();
    const bytes = replay(done ? [] : [value], pieces);
    if (options.format === "xlsx" || (options.format === undefined && isSpreadsheet(value))) {
      const { records, hiddenRows } = await readSpreadsheet(bytes, options);
      Object.assign(found, { format: "xlsx", hiddenRows });
      yield tableRows(options, found)(records);
    } else if (value !== undefined && options.sheet !== undefined)
      throw noSheetsError(options.name);
    else yield* readBatches(decodeText(bytes, { ...options, onEncoding }), options, found);
  };
  const oneByOne = async function* () {
    for await (const batch of batches()) yield* batch;
  };
  return { found, batches, [Symbol.asyncIterator]: oneByOne };
};

/** Kept with the run, in English; translated where it is shown. */
export const standardInput = "standard input";

/** What a source is called in errors. */
export const displayName = (source: string): string =>
  source === "-" ? t`standard input` : source;

export const noRowsError = (name: string): MsgError =>
  usageError(t`there are no rows in ${name}`, { code: "NoRows", todo: t`nothing was sent` });

const noSheetsError = (name: string): MsgError =>
  usageError(t`--sheet names a sheet of a spreadsheet (.xlsx), and ${name} is none`, {
    code: "MissingSheet",
    where: name,
    todo: t`nothing was sent; leave --sheet out`,
  });

type Finding = { -readonly [K in keyof Found]: Found[K] };
/** Takes text, gives rows; the same for every format. */
interface Reader {
  readonly push: (text: string) => Row[];
  readonly end: () => Row[];
}

/** Characters that may pass before the first line ends. */
const maxBeginning = 1024 * 1024;

async function* readBatches(
  pieces: AsyncIterable<string>,
  options: ReadOptions,
  found: Finding,
): AsyncGenerator<readonly Row[]> {
  let beginning = "";
  let reader: Reader | undefined;
  for await (const piece of pieces) {
    beginning += piece;
    const known =
      reader ?? (beginning.trimStart().includes("\n") || beginning.length > maxBeginning);
    if (!known) continue;
    reader ??= readerFor(beginning, options, found);
    const rows = reader.push(beginning);
    beginning = "";
    if (rows.length > 0) yield rows;
  }
  reader ??= readerFor(beginning, options, found);
  const rows = [...reader.push(beginning), ...reader.end()];
  if (rows.length > 0) yield rows;
}

const readerFor = (beginning: string, options: ReadOptions, found: Finding): Reader => {
  const format = options.format ?? formatOf(beginning);
  found.format = format;
  const { name, header = true, onlyMessages = false } = options;
  const same = (rows: Row[]): Row[] => rows;
  if (format === "json") return readerOf(new JsonArrayScanner(onlyMessages), same, name, false);
  if (format === "jsonl") return readerOf(new JsonlScanner(), same, name, false);
  const scanner = new CsvScanner(format === "tsv" ? "\t" : delimiterOf(beginning));
  return readerOf(scanner, tableRows(options, found), name, header);
};

const readerOf = <T>(
  scanner: { readonly push: (text: string) => T[]; readonly end: () => T[] },
  rowsOf: (records: T[]) => Row[],
  name: string,
  header: boolean,
): Reader => ({
  push: (text) => rowsOf(placed(name, header, () => scanner.push(text))),
  end: () => rowsOf(placed(name, header, () => scanner.end())),
});

/** Runs a scanner; what it throws becomes an error with name, line, column and row. */
const placed = <T>(name: string, header: boolean, scan: () => T): T => {
  try {
    return scan();
  } catch (error) {
    if (!(error instanceof TextFault)) throw error;
    const { code, message, line, column, before } = error;
    const row = header ? before : before + 1;
    const place = { name, line, column, row: row || undefined };
    const todo = todoOf[code];
    throw sourceFault(
      code,
      message,
      place,
      todo === undefined ? t`nothing was sent; fix it there` : translated(todo),
    );
  }
};

const todoOf: Readonly<Record<string, string>> = {
  OpenQuote: 'nothing was sent; close it, or write a quote that is text as ""',
  StrayQuote: 'nothing was sent; put the whole cell in quotes, and write each quote inside as ""',
  TextAfterQuote: 'nothing was sent; write a quote that is text as "", and no space after the last',
  LoneReturn: "nothing was sent; save it with Windows or Unix line endings",
};

/** Records as rows; the first one names the columns, unless there is no header. */
const tableRows = ({ header = true, name }: ReadOptions, found: Finding) => {
  let number = 0;
  return (records: readonly CsvRecord[]): Row[] => {
    const rows: Row[] = [];
    for (const { line, cells } of records) {
      if (found.columns === undefined) {
        found.columns = header ? headerOf(cells, line, name) : cells.map((_, at) => `${at + 1}`);
        if (header) continue;
      }
      number += 1;
      rows.push(rowOf(number, line, cells, found.columns.length));
    }
    return rows;
  };
};

const rowOf = (number: number, line: number, cells: readonly string[], width: number): Row => {
  if (cells.length === width) return { number, line, cells };
  const text =
    cells.length === 1
      ? t`this row has 1 cell, the first line has ${width}`
      : t`this row has ${cells.length} cells, the first line has ${width}`;
  const problem = { code: "RaggedRow", text, row: number, line };
  return { number, line, raggedCells: cells, problem };
};

const headerOf = (cells: readonly string[], line: number, name: string): string[] => {
  const columns = cells.map((cell) => cell.trim());
  const twice = columns.findIndex((column, at) => columns.indexOf(column) < at);
  if (twice < 0) return columns;
  const what = t`column "${columns[twice] ?? ""}" appears twice`;
  throw sourceFault("DuplicateColumn", what, { name, line }, t`rename one of them`);
};

/** An object that continues in the next line: indented JSON. */
const laidOut = /^\{\s*\n/;

/** The format of a text by its beginning, which holds at least the first line or the whole text. */
const formatOf = (beginning: string): Format => {
  const start = beginning.trimStart();
  if (start.startsWith("[") || callBody.test(start) || laidOut.test(start)) return "json";
  if (start.startsWith("{")) return "jsonl";
  const header = start.slice(0, start.search(/[\r\n]|$/));
  const tabs = header.split("\t").length - 1;
  return tabs > 0 && tabs >= header.split(",").length - 1 ? "tsv" : "csv";
};

/** What separates the cells of a CSV, by its first line: spreadsheets of some countries write semicolons. */
const delimiterOf = (beginning: string): "," | ";" => {
  const header = beginning.slice(0, beginning.search(/[\r\n]|$/)).replace(/"[^"]*"/g, "");
  return header.split(";").length > header.split(",").length ? ";" : ",";
};
