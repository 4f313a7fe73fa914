/** Rows of a source that are not sent, kept in the run's folder: `results.jsonl`. */

import type { Files } from "../../durable/files.ts";
import type { Problem } from "../../errors.ts";
import { createJsonLines, type JsonLines } from "../store/json-lines.ts";
import { fileOf, type RunStore } from "../store/run-folder.ts";

/** One row, for scripts. */
interface SkippedRecord {
  readonly row: number | null;
  readonly line?: number | undefined;
  readonly to?: string | undefined;
  readonly status: "skipped";
  /** `duplicate`, `excluded`, or the code of its first problem. */
  readonly code: string;
  readonly text?: string | undefined;
}

export interface SkippedRowsFile {
  /** Of several problems of one row the first counts. */
  readonly add: (row: SkippedRow) => void;
  readonly end: () => void;
}

/** Makes the file with the first row: most runs leave none out. */
export const createSkippedRows = (store: RunStore, run: string): SkippedRowsFile => {
  const open: { lines?: JsonLines; last?: number | undefined } = {};
  return {
    add: (leftOut) => {
      const isProblem = !("reason" in leftOut);
      if (isProblem && leftOut.row !== undefined && leftOut.row === open.last) return;
      open.last = isProblem ? leftOut.row : undefined;
      open.lines ??= createJsonLines(store.files, fileOf(store, run, "results.jsonl"));
      open.lines.add(rowOf(leftOut));
    },
    end: () => {
      open.lines?.end();
      open.lines?.close();
    },
  };
};

const rowOf = (leftOut: SkippedRow): SkippedRecord => {
  if ("reason" in leftOut) {
    const { row, line, to, reason } = leftOut;
    return { row, line, to, status: "skipped", code: reason };
  }
  const { row = null, line, code, field, text } = leftOut;
  return { row, line, status: "skipped", code, text: field ? `${field}: ${text}` : text };
};

/** What was left out of a run. */
export function* readSkippedRows(store: RunStore, run: string): Generator<unknown> {
  const path = fileOf(store, run, "results.jsonl");
  if (!store.files.lstat(path)) return;
  for (const lines of linesOf(store.files, path))
    for (const line of lines.split("\n")) if (line !== "") yield JSON.parse(line);
}

/** Bytes that are read at a time: a long list may have left out millions of rows. */
const partBytes = 1024 * 1024;

/** The text of a file in pieces of whole lines. */
function* linesOf(files: Files, path: string): Generator<string> {
  let offset = 0;
  let size = partBytes;
  for (;;) {
    const part = Buffer.from(files.readPart(path, offset, size));
    const isLast = part.length < size;
    const whole = isLast ? part.length : part.lastIndexOf("\n") + 1;
    yield part.toString("utf8", 0, whole);
    if (isLast) return;
    offset += whole;
    // A line may be longer than a part: what was wrong with a row quotes its cell.
    size = whole === 0 ? size * 2 : partBytes;
  }
}

/** A row that is right and is not sent all the same. */
export interface SkippedMessage {
  readonly row: number;
  readonly line: number;
  readonly to: string;
  readonly reason: "duplicate" | "excluded";
}

/** A row that is not sent: left out with a reason, or wrong. */
export type SkippedRow = SkippedMessage | Problem;
