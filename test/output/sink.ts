/** What the output tests write into and read back: real streams, collected. */
import { Writable } from "node:stream";
import { createOut, type Out } from "../../src/output/out.ts";
import { renderRecord, renderRows } from "../../src/output/render.ts";
import type { Column, View } from "../../src/output/view.ts";

export interface Sink {
  readonly stream: Writable;
  readonly text: () => string;
}

export const sink = (): Sink => {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(Buffer.from(chunk));
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString("utf8") };
};

export interface Terminal {
  /** Columns of a terminal; a pipe when left out. */
  readonly tty?: number;
  readonly colour?: boolean;
  /** Collects what is said beside the rows. */
  readonly notes?: string[];
}

export const outTo = ({ stream }: Sink, { tty, colour = false }: Terminal = {}): Out =>
  createOut(Object.assign(stream, { isTTY: tty !== undefined, columns: tty }), {
    colour,
    redact: (text) => text,
  });

export const viewOf = (changes: Partial<View> = {}): View => ({
  format: "table",
  fields: undefined,
  header: true,
  bom: false,
  timeZone: "Asia/Seoul",
  quiet: false,
  envelope: false,
  ...changes,
});

/** What a list looks like. */
export const list = async (
  changes: Partial<View>,
  columns: readonly Column<never>[],
  rows: Iterable<unknown> | AsyncIterable<unknown>,
  terminal?: Terminal,
): Promise<string> => {
  const into = sink();
  const note = async (line: string) => void terminal?.notes?.push(line);
  await renderRows(outTo(into, terminal), viewOf(changes), columns, rows, { note });
  return into.text();
};

/** What one record looks like. */
export const record = async (
  changes: Partial<View>,
  columns: readonly Column<never>[],
  of: unknown,
  terminal?: Terminal,
): Promise<string> => {
  const into = sink();
  await renderRecord(outTo(into, terminal), viewOf(changes), columns, of);
  return into.text();
};
