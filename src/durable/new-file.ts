/** A new file that is written in pieces and is complete when it ends: bytes, or records as lines of JSON. */
import { closeQuietly, writeAll } from "./atomic-write.ts";
import { type Files, withFileError } from "./files.ts";

const maxBuffered = 64 * 1024;

/** A file for its owner alone, created with its first bytes. Throws MsgError (usage), also if the file exists. */
export const createNewFile = (files: Files, path: string) => {
  let descriptor: number | undefined;
  let waiting: Uint8Array[] = [];
  let size = 0;
  const flush = (): number =>
    withFileError(path, "write", () => {
      descriptor ??= files.create(path);
      writeAll(files, descriptor, Buffer.concat(waiting));
      waiting = [];
      size = 0;
      return descriptor;
    });
  return {
    /** Creates the file before there is anything to write. */
    create: (): void => void flush(),
    add: (bytes: Uint8Array): void => {
      waiting.push(bytes);
      size += bytes.length;
      if (size >= maxBuffered) flush();
    },
    /** Everything is on the disk when it returns; if nothing was added, no file is created. */
    end: (): void => {
      if (descriptor === undefined && size === 0) return;
      const written = flush();
      withFileError(path, "write", () => files.syncData(written));
    },
    close: (): void => {
      if (descriptor !== undefined) closeQuietly(files, descriptor);
    },
  };
};

/** The same for records; the file is created at once. */
export const createJsonLines = (files: Files, path: string) => {
  const { create, add, ...file } = createNewFile(files, path);
  create();
  return {
    ...file,
    add: (record: unknown): void => add(Buffer.from(`${JSON.stringify(record)}\n`)),
  };
};

export type JsonLines = ReturnType<typeof createJsonLines>;
