/** Reads JSON sources as rows: one value a line, or a list that is read element by element, never as a whole. */

import type { Problem } from "../../errors.ts";
import { maxDepth, parseJson } from "../../json/read-json.ts";
import { t, translated } from "../../locale/locale.ts";
import { asksForMore, bodyClosing, bodyOpening } from "./call-body.ts";
import { countLines, TextFault } from "./source-fault.ts";

/** A row: its value, or why it has none. */
export interface JsonRow {
  /** From 1, as line and column are. */
  readonly number: number;
  readonly line: number;
  readonly value?: unknown;
  readonly problem?: Problem;
}

/** The most characters of one row. */
const maxElement = 4 * 1024 * 1024;

/** Parses the row that begins at line `first` and column `start`. A fault gets its place in the source. */
const jsonRow = (source: string, number: number, first: number, start: number): JsonRow => {
  const { value, fault } = parseJson(source);
  if (!fault) return { number, line: first, value };
  const { code, text, at } = fault;
  const before = source.lastIndexOf("\n", at - 1);
  const lines = before < 0 || at === 0 ? 0 : countLines(source, 0, at);
  const line = first + lines;
  const column = lines === 0 ? start + at : at - before;
  return { number, line, problem: { code, text, row: number, line, column } };
};

/** One value a line; empty lines are skipped. A line that is not JSON is a row with a fault. */
export class JsonlScanner {
  #carry = "";
  #line = 1;
  #count = 0;

  push(piece: string): JsonRow[] {
    const text = this.#carry + piece;
    const records: JsonRow[] = [];
    let from = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", from)) {
      this.#take(text.slice(from, end), records);
      this.#line += 1;
      from = end + 1;
    }
    this.#carry = text.slice(from);
    if (this.#carry.length > maxElement)
      throw new TextFault("RowTooLong", translated(tooLong), this.#line, 1, this.#count);
    return records;
  }

  end(): JsonRow[] {
    const records: JsonRow[] = [];
    this.#take(this.#carry, records);
    return records;
  }

  #take(line: string, into: JsonRow[]): void {
    if (line.trim() === "") return;
    this.#count += 1;
    into.push(jsonRow(line, this.#count, this.#line, 1));
  }
}

const tooLong = "a row is longer than 4 MB";

type Expected = "start" | "first" | "element" | "comma" | "brace" | "nothing";

const firstName = /\{\s*"([^"\\]{0,100})"\s*:/y;
/** Characters within which the list must begin. */
const maxOpening = 4096;

export class JsonArrayScanner {
  readonly #onlyMessages: boolean;
  #text = "";
  #at = 0;
  #line = 1;
  #count = 0;
  /** Index in `#text` where the line of `#at` begins; below 0 when that part is gone. */
  #lineStart = 0;
  #expected: Expected = "start";
  #inObject = false;

  /** `onlyMessages`: what else a body of the call says was not read ahead, and is refused. */
  constructor(onlyMessages = false) {
    this.#onlyMessages = onlyMessages;
  }

  /** The rows that end in this piece. Throws TextFault. */
  push(piece: string): JsonRow[] {
    this.#text = this.#text.slice(this.#at) + piece;
    this.#lineStart -= this.#at;
    this.#at = 0;
    return this.#scan(false);
  }

  /** What is left; throws TextFault if the list is not closed. */
  end(): JsonRow[] {
    const records = this.#scan(true);
    if (this.#expected === "nothing") return records;
    if (this.#expected === "start") throw this.#fault("Syntax", translated(noList));
    const inside = this.#at < this.#text.length;
    throw this.#fault("Syntax", inside ? t`this row is cut off` : t`the list is not closed`);
  }

  #scan(last: boolean): JsonRow[] {
    const records: JsonRow[] = [];
    do this.#advance(blanksEnd(this.#text, this.#at));
    while (this.#at < this.#text.length && this.#step(last, records));
    if (this.#text.length - this.#at > maxElement)
      throw this.#fault("RowTooLong", translated(tooLong));
    return records;
  }

  /** Takes one token or row; false if more text is needed. */
  #step(last: boolean, into: JsonRow[]): boolean {
    const character = this.#text.charAt(this.#at);
    switch (this.#expected) {
      case "start":
        return this.#open(character, last);
      case "first":
        return character === "]" ? this.#close() : this.#element(last, into);
      case "element":
        return this.#element(last, into);
      case "comma":
        if (character === "]") return this.#close();
        if (character === ",") return this.#enter("element");
        throw this.#fault("Syntax", t`expected a comma or ] here`);
      case "brace":
        return this.#closeObject(last);
      case "nothing":
        throw this.#fault("TrailingText", t`text follows the end of the list`);
    }
  }

  #enter(next: Expected, to = this.#at + 1): true {
    this.#expected = next;
    this.#advance(to);
    return true;
  }

  #open(character: string, last: boolean): boolean {
    if (character === "[") return this.#enter("first");
    bodyOpening.lastIndex = this.#at;
    if (bodyOpening.test(this.#text)) {
      this.#inObject = true;
      this.#rejectMore(bodyOpening.lastIndex);
      return this.#enter("first", bodyOpening.lastIndex);
    }
    if (!last && this.#text.length - this.#at < maxOpening) return false;
    firstName.lastIndex = this.#at;
    const name = firstName.exec(this.#text)?.[1];
    if (name === undefined || name === "messages") throw this.#fault("Syntax", translated(noList));
    throw this.#fault("Syntax", t`${translated(noList)}; the first member here is "${name}"`);
  }

  /** What the object says other than its messages was read ahead, or is refused. */
  #closeObject(last: boolean): boolean {
    bodyClosing.lastIndex = this.#at;
    const isWhole = bodyClosing.test(this.#text);
    if (!isWhole && !last && this.#text.length - this.#at < maxOpening) return false;
    if (!isWhole)
      throw this.#fault(
        "Syntax",
        t`besides messages, only strict, agent and allowDuplicates are allowed`,
      );
    this.#rejectMore(bodyClosing.lastIndex);
    return this.#enter("nothing", bodyClosing.lastIndex);
  }

  #rejectMore(to: number): void {
    if (!this.#onlyMessages || !asksForMore(this.#text.slice(this.#at, to))) return;
    throw this.#fault(
      "TooLarge",
      t`strict, agent and allowDuplicates are not read in a source this large: leave them out, and use --strict, --agent, and --allow-duplicates --dedupe off`,
    );
  }

  #close(): boolean {
    return this.#enter(this.#inObject ? "brace" : "nothing");
  }

  #element(last: boolean, into: JsonRow[]): boolean {
    const end = elementEnd(this.#text, this.#at);
    if (end === -2) throw this.#fault("TooDeep", t`more than ${maxDepth} levels`);
    if (end === this.#at) throw this.#fault("Syntax", t`expected a value here`);
    if (end < 0 || (end === this.#text.length && !last)) return false;
    const text = this.#text.slice(this.#at, end);
    const found = jsonRow(text, this.#count + 1, this.#line, this.#column());
    const { code, text: what = "", column = 1 } = found.problem ?? {};
    if (code === "Syntax") throw new TextFault(code, what, found.line, column, this.#count);
    into.push(found);
    this.#count += 1;
    return this.#enter("comma", end);
  }

  #advance(to: number): void {
    const passed = this.#text.slice(this.#at, to);
    if (passed.includes("\n")) {
      this.#line += countLines(passed, 0, passed.length);
      this.#lineStart = this.#at + passed.lastIndexOf("\n") + 1;
    }
    this.#at = to;
  }

  #column(): number {
    return this.#at - this.#lineStart + 1;
  }

  #fault(code: string, what: string): TextFault {
    return new TextFault(code, what, this.#line, this.#column(), this.#count);
  }
}

const noList = 'expected a list: [ … ], {"messages":[ … ]}, or one object per line';

const blanks = /[ \t\r\n]*/y;

const blanksEnd = (text: string, from: number): number => {
  blanks.lastIndex = from;
  blanks.test(text);
  return blanks.lastIndex;
};

const quote = 34;
const backslash = 92;

/** The index after the value at `from`; -1 if the text ends inside it, -2 if it is too deep. */
const elementEnd = (text: string, from: number): number => {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = stringEnd(text, at);
      if (at < 0) return -1;
    } else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      if (depth > maxDepth) return -2;
    } else if (code === 0x7d || code === 0x5d) {
      if (depth === 0) return at;
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (code === 0x2c && depth === 0) return at;
  }
  return depth > 0 ? -1 : text.length;
};

/** The index of the quote that closes the text at `from`; -1 if it is not there. */
const stringEnd = (text: string, from: number): number => {
  for (let close = text.indexOf('"', from + 1); close >= 0; close = text.indexOf('"', close + 1)) {
    let slashes = 0;
    while (text.charCodeAt(close - 1 - slashes) === backslash) slashes += 1;
    if (slashes % 2 === 0) return close;
  }
  return -1;
};
