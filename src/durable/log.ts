/** An append-only file of records, each on the disk before `append` returns. */

import { dirname } from "node:path";
import { usageError } from "../errors.ts";
import { t } from "../locale/locale.ts";
import { closeQuietly, removeQuietly, syncFolder, writeAll } from "./atomic-write.ts";
import { fileError, withFileError } from "./failure.ts";
import type { Files } from "./files.ts";
import { logLine, readLog } from "./log-lines.ts";

export interface Log {
  /** What was in it when it was opened. */
  readonly records: readonly unknown[];
  /** Returns when the records are on the disk. Throws MsgError (usage). */
  readonly append: (records: readonly unknown[]) => void;
  readonly close: () => void;
}

/** The one process that writes to a log, and how far it is. */
interface Writer {
  readonly files: Files;
  readonly path: string;
  readonly descriptor: number;
  /** Where the records end. */
  size: number;
  /** It is not known any more what is on the disk. */
  isLost: boolean;
}

/**
 * Makes a log with its first records, whose name outlives a power cut too; an error where there is one. One
 * that could not be made is not there.
 */
export const createLog = (files: Files, path: string, records: readonly unknown[]): Log => {
  const descriptor = withFileError(path, "create", () => files.create(path, 0o600));
  const writer: Writer = { files, path, descriptor, size: 0, isLost: false };
  try {
    files.setMode(descriptor, 0o600);
    append(writer, records);
    syncFolder(files, dirname(path));
  } catch (error) {
    closeQuietly(writer.files, writer.descriptor);
    removeQuietly(files, path);
    throw fileError(error, t`create '${path}'`, path);
  }
  return createWriterLog(writer, records);
};

const readBytes = (files: Files, path: string): Uint8Array =>
  withFileError(path, "read", () => files.read(path));

/** The records of a log that another process may be writing to: what it has not finished is left as it is. */
export const inspectLog = (files: Files, path: string): readonly unknown[] => {
  for (let bytes = readBytes(files, path); ; ) {
    try {
      return readLog(bytes, path).records;
    } catch (error) {
      // A part of a write that is just being made may look like damage: a moment later there is more of it.
      const later = readBytes(files, path);
      if (Buffer.compare(bytes, later) === 0) throw error;
      bytes = later;
    }
  }
};

/**
 * Opens a log, without what was interrupted at its end: for the one process that writes to it. Another one
 * that takes itself for the writer still has the file that stood there before, and writes into that.
 */
export const openLog = (files: Files, path: string): Log => {
  const bytes = readBytes(files, path);
  const { records, good } = readLog(bytes, path);
  const kept = bytes.subarray(0, good);
  const descriptor = replaceByCopy(files, path, kept) ?? rewriteInPlace(files, path, bytes, kept);
  return createWriterLog({ files, path, descriptor, size: good, isLost: false }, records);
};

/** Puts a copy in the place of the log; undefined where that cannot be done, as on a full disk. */
const replaceByCopy = (files: Files, path: string, kept: Uint8Array): number | undefined => {
  const copy = `${path}.copy`;
  let descriptor: number | undefined;
  try {
    files.remove(copy);
    descriptor = files.create(copy, 0o600);
    files.setMode(descriptor, 0o600);
    writeAll(files, descriptor, kept, 0);
    files.sync(descriptor);
    files.rename(copy, path);
  } catch {
    removeQuietly(files, copy);
    if (descriptor !== undefined) closeQuietly(files, descriptor);
    return undefined;
  }
  try {
    syncFolder(files, dirname(path));
    return descriptor;
  } catch (error) {
    closeQuietly(files, descriptor);
    throw fileError(error, t`repair '${path}'`, path);
  }
};

const rewriteInPlace = (
  files: Files,
  path: string,
  bytes: Uint8Array,
  kept: Uint8Array,
): number => {
  const descriptor = withFileError(path, "open", () => files.openWrite(path));
  try {
    if (kept.length < bytes.length) files.cut(descriptor, kept.length);
    // What a process wrote that was killed, or whose sync failed, may be in memory alone. From here on it
    // is believed: it is written once more, since a sync writes only what was written since the last one.
    writeAll(files, descriptor, kept, 0);
    files.syncData(descriptor);
    return descriptor;
  } catch (error) {
    closeQuietly(files, descriptor);
    throw fileError(error, t`repair '${path}'`, path);
  }
};

const createWriterLog = (writer: Writer, records: readonly unknown[]): Log => ({
  records,
  append: (more) => append(writer, more),
  close: () => closeQuietly(writer.files, writer.descriptor),
});

const append = (writer: Writer, records: readonly unknown[]): void => {
  const { files, path, descriptor } = writer;
  if (writer.isLost) throw lostRecordError(path);
  const bytes = Buffer.from(records.map(logLine).join(""));
  withFileError(path, "write", () => write(writer, bytes));
  // A failed sync may have dropped the pages: trying it again would answer a false "yes".
  writer.isLost = true;
  withFileError(path, "write", () => files.syncData(descriptor));
  writer.isLost = false;
  writer.size += bytes.length;
};

/** A disk that becomes full takes part of a line: that part is taken back, so that another try fits. */
const write = (writer: Writer, bytes: Buffer): void => {
  const { files, descriptor, size } = writer;
  try {
    writeAll(files, descriptor, bytes, size);
  } catch (error) {
    writer.isLost = true;
    files.cut(descriptor, size);
    writer.isLost = false;
    throw error;
  }
};

const lostRecordError = (path: string): Error =>
  usageError(t`the disk lost a record of '${path}'`, {
    code: "FileProblem",
    where: path,
    todo: t`check the disk, then resume: msg send-many --resume <run>`,
  });
