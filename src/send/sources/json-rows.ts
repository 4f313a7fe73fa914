/** The rows of JSON sources, and the scanner of JSONL: text in pieces in, one value a line out. */

import { parseJson } from "../../json/read-json.ts";
import { countLines, TextFault } from "./source-fault.ts";

/** A row: its value, or why it has none. */
export interface JsonRecord {
  /** From 1, as the column is. */
  readonly line: number;
  readonly column: number;
  readonly value?: unknown;
  readonly fault?: { readonly code: string; readonly text: string };
}

/** Characters of one row at most. */
export const maxElement = 4 * 1024 * 1024;

/** Parses one row. A fault gets its place in the source. */
export const jsonRecord = (text: string, line: number, column: number): JsonRecord => {
  const { value, fault } = parseJson(text);
  if (!fault) return { line, column, value };
  const before = text.lastIndexOf("\n", fault.at - 1);
  const lines = before < 0 || fault.at === 0 ? 0 : countLines(text, 0, fault.at);
  return {
    line: line + lines,
    column: lines === 0 ? column + fault.at : fault.at - before,
    fault: { code: fault.code, text: fault.text },
  };
};

/** One value a line; empty lines are no rows. A line that is no JSON is a row with a fault. */
export class JsonlScanner {
  #carry = "";
  #line = 1;
  #count = 0;

  push(piece: string): JsonRecord[] {
    const text = this.#carry + piece;
    const records: JsonRecord[] = [];
    let from = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", from)) {
      this.#take(text.slice(from, end), records);
      this.#line += 1;
      from = end + 1;
    }
    this.#carry = text.slice(from);
    if (this.#carry.length > maxElement) throw tooLong(this.#line, 1, this.#count);
    return records;
  }

  end(): JsonRecord[] {
    const records: JsonRecord[] = [];
    this.#take(this.#carry, records);
    return records;
  }

  #take(line: string, into: JsonRecord[]): void {
    if (line.charCodeAt(0) <= 32 || line === "") {
      if (line.trim() === "") return;
    }
    this.#count += 1;
    into.push(jsonRecord(line, this.#line, 1));
  }
}

export const tooLong = (line: number, column: number, before: number): TextFault =>
  new TextFault("RowTooLong", "a row is longer than 4 MB", line, column, before);
