/**
 * A run keeps its source as it was read (`input` in its folder), so that `run export` can write each row with
 * all its columns. Nothing that is sent depends on it.
 */
import { createHash } from "node:crypto";
import { closeQuietly, writeAll } from "../../durable/atomic-write.ts";
import { withFileError } from "../../durable/files.ts";
import { fileOf, type RunStore } from "../store/run-folder.ts";

export interface KeptInput {
  readonly add: (bytes: Uint8Array) => void;
  /** Everything is on the disk when it returns; the digest of it. */
  readonly end: () => string;
  readonly close: () => void;
}

const maxBuffered = 64 * 1024;

/** Makes the file with the first bytes. Throws MsgError (usage). */
export const createInput = (store: RunStore, run: string): KeptInput => {
  const { files } = store;
  const path = fileOf(store, run, "input");
  const hash = createHash("sha256");
  const open: { descriptor?: number } = {};
  const waiting: { pieces: Uint8Array[]; size: number } = { pieces: [], size: 0 };
  const flush = (): number =>
    withFileError(path, "write", () => {
      open.descriptor ??= files.create(path, 0o600);
      const bytes = Buffer.concat(waiting.pieces);
      hash.update(bytes);
      writeAll(files, open.descriptor, bytes);
      Object.assign(waiting, { pieces: [], size: 0 });
      return open.descriptor;
    });
  return {
    add: (bytes) => {
      waiting.pieces.push(bytes);
      waiting.size += bytes.length;
      if (waiting.size >= maxBuffered) flush();
    },
    end: () => {
      const descriptor = flush();
      withFileError(path, "write", () => files.syncData(descriptor));
      return hash.digest("hex");
    },
    close: () => {
      if (open.descriptor !== undefined) closeQuietly(files, open.descriptor);
    },
  };
};

/** The pieces of a source, each kept as it passes. */
export async function* keeping(
  source: AsyncIterable<Uint8Array>,
  kept: KeptInput,
): AsyncGenerator<Uint8Array> {
  for await (const piece of source) {
    kept.add(piece);
    yield piece;
  }
}

/** A row that is sent anew: its message, and what the input of its run said of it. */
export interface RetriedRow {
  readonly message: object;
  readonly input: object;
}

/** The messages as JSONL; what is kept are the rows that they come from. */
export async function* keepingInput(
  rows: AsyncIterable<RetriedRow>,
  kept: KeptInput,
): AsyncGenerator<Uint8Array> {
  for await (const { message, input } of rows) {
    kept.add(lineOf(input));
    yield lineOf(message);
  }
}

const lineOf = (value: object): Uint8Array => Buffer.from(`${JSON.stringify(value)}\n`);
