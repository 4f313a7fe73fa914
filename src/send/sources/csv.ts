/** A strict scanner of CSV and TSV (RFC 4180, LF or CRLF): text in pieces in, records with lines out. */
import { translated } from "../../locale/locale.ts";
import { countLines, TextFault } from "./source-fault.ts";

/** One record: its cells, and the line on which it begins, from 1. */
export interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

/** The most characters of one cell, and of one record: a quote left open must not fill the memory. */
const maxCell = 1024 * 1024;
const maxRecord = 4 * maxCell;
const maxCells = 1000;

const faults = {
  OpenQuote: "a quote is opened here and never closed",
  StrayQuote: "a quote is inside a cell that does not begin with one",
  TextAfterQuote: "text follows the closing quote of a cell",
  LoneReturn: "a carriage return without a line feed; lines must end with LF or CRLF",
  CellTooLong: "a cell is longer than 1 MB; is a quote left open?",
  RecordTooLong: "a record is longer than 4 MB",
  TooManyCells: "a record has more than 1000 cells",
} as const;

const quote = 34;
const lineFeed = 10;
const carriageReturn = 13;

/** Scans text separated by a delimiter, `,` or a tab. Empty lines are not records. */
export class CsvScanner {
  readonly #delimiter: string;
  #carry = "";
  #line = 1;
  #count = 0;

  constructor(delimiter: string) {
    this.#delimiter = delimiter;
  }

  /** The records that end in this piece; what is left waits for the next. Throws TextFault. */
  push(piece: string): CsvRecord[] {
    return this.#scan(this.#carry + piece, false);
  }

  /** The last record, if the text does not end with a line feed. Throws TextFault. */
  end(): CsvRecord[] {
    return this.#scan(this.#carry, true);
  }

  #scan(text: string, last: boolean): CsvRecord[] {
    const records: CsvRecord[] = [];
    let from = 0;
    let quoteAt = -1;
    let returnAt = -1;
    while (from < text.length) {
      const end = indexOrEnd(text, "\n", from);
      if (quoteAt < from) quoteAt = indexOrEnd(text, '"', from);
      if (returnAt < from) returnAt = indexOrEnd(text, "\r", from);
      if (quoteAt < end) {
        const next = this.#quoted(text, from, last, records);
        if (next < 0) break;
        from = next;
        continue;
      }
      if (end === text.length && !last) break;
      const stop = returnAt === end - 1 && end < text.length ? returnAt : end;
      if (returnAt < stop) throw this.#fault("LoneReturn", text, from, returnAt);
      if (stop > from) records.push(this.#record(text.slice(from, stop).split(this.#delimiter)));
      this.#line += 1;
      from = end + 1;
    }
    this.#carry = text.slice(from);
    if (this.#carry.length > maxRecord) throw this.#fault("RecordTooLong");
    return records;
  }

  #record(cells: readonly string[]): CsvRecord {
    if (cells.length > maxCells) throw this.#fault("TooManyCells");
    if (cells.some((cell) => cell.length > maxCell)) throw this.#fault("CellTooLong");
    this.#count += 1;
    return { line: this.#line, cells };
  }

  /** Reads one record that holds quotes; the index after it, or -1 if the text ends inside it. */
  #quoted(text: string, from: number, last: boolean, into: CsvRecord[]): number {
    const cells: string[] = [];
    let at = from;
    for (;;) {
      const quoted = text.charCodeAt(at) === quote;
      const end = quoted ? this.#closing(text, from, at, last) : this.#plain(text, from, at, last);
      if (end < 0) return -1;
      const cell = quoted ? text.slice(at + 1, end - 1) : text.slice(at, end);
      cells.push(quoted && cell.includes('"') ? cell.replaceAll('""', '"') : cell);
      at = end;
      if (text.charAt(at) !== this.#delimiter) break;
      at += 1;
    }
    const next = this.#recordEnd(text, from, at, last);
    if (next < 0) return -1;
    into.push(this.#record(cells));
    this.#line += countLines(text, from, next);
    return next;
  }

  /** The index after the closing quote of the cell that opens at `at`; -1: not there yet. */
  #closing(text: string, from: number, at: number, last: boolean): number {
    let close = text.indexOf('"', at + 1);
    while (close >= 0 && text.charCodeAt(close + 1) === quote) close = text.indexOf('"', close + 2);
    if (close >= 0 && (last || close + 1 < text.length)) return close + 1;
    if (text.length - at > maxCell) throw this.#fault("CellTooLong", text, from, at);
    if (last) throw this.#fault("OpenQuote", text, from, at);
    return -1;
  }

  /** The index after the unquoted cell at `at`; -1: not there yet. */
  #plain(text: string, from: number, at: number, last: boolean): number {
    const cut = indexOrEnd(text, this.#delimiter, at);
    const feed = Math.min(cut, indexOrEnd(text, "\n", at));
    if (feed === text.length && !last) return -1;
    const ended = feed < cut && feed > at && text.charCodeAt(feed - 1) === carriageReturn;
    const end = ended ? feed - 1 : feed;
    const stray = text.slice(at, end).search(/["\r]/);
    if (stray < 0) return end;
    const code = text.charCodeAt(at + stray) === quote ? "StrayQuote" : "LoneReturn";
    throw this.#fault(code, text, from, at + stray);
  }

  /** The index after the line end at `at`; -1: not there yet. */
  #recordEnd(text: string, from: number, at: number, last: boolean): number {
    const code = text.charCodeAt(at);
    if (code === lineFeed) return at + 1;
    if (at === text.length) return last ? at : -1;
    if (code !== carriageReturn) throw this.#fault("TextAfterQuote", text, from, at);
    if (text.charCodeAt(at + 1) === lineFeed) return at + 2;
    if (at + 1 === text.length && !last) return -1;
    throw this.#fault("LoneReturn", text, from, at);
  }

  /** At the beginning of the line if no place in the text is given. */
  #fault(code: keyof typeof faults, text = "", from = 0, at = 0): TextFault {
    const column = at - Math.max(text.lastIndexOf("\n", at - 1) + 1, from) + 1;
    const line = this.#line + countLines(text, from, at);
    return new TextFault(code, translated(faults[code]), line, column, this.#count);
  }
}

const indexOrEnd = (text: string, wanted: string, from: number): number => {
  const at = text.indexOf(wanted, from);
  return at < 0 ? text.length : at;
};
