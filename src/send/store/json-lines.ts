/** A file of JSON lines, written as they come and whole when it ends. */

import { writeAll } from "../../durable/atomic-write.ts";
import { type Files, fileError } from "../../durable/files.ts";

export interface JsonLines {
  readonly add: (record: unknown) => void;
  /** Everything is on the disk when it returns. */
  readonly end: () => void;
  readonly close: () => void;
}

const maxBuffered = 64 * 1024;

/** A new file for its owner alone. Throws MsgError (usage), also where there is one already. */
export const createJsonLines = (files: Files, path: string): JsonLines => {
  const guarded = <T>(action: () => T): T => {
    try {
      return action();
    } catch (error) {
      throw fileError(error, `write '${path}'`, path);
    }
  };
  const descriptor = guarded(() => files.create(path, 0o600));
  const buffer = { text: "" };
  const flush = (): void => {
    if (buffer.text !== "") guarded(() => writeAll(files, descriptor, Buffer.from(buffer.text)));
    buffer.text = "";
  };
  return {
    add: (record) => {
      buffer.text += `${JSON.stringify(record)}\n`;
      if (buffer.text.length > maxBuffered) flush();
    },
    end: () => {
      flush();
      guarded(() => files.syncData(descriptor));
    },
    close: () => closeQuietly(files, descriptor),
  };
};

/** What was kept is on the disk, and what was not was reported: a disk over a network may say it once more. */
const closeQuietly = (files: Files, descriptor: number): void => {
  try {
    files.close(descriptor);
  } catch {
    return;
  }
};
