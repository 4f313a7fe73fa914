/** An append-only file of records, each on the disk before `append` returns; and recovery from a power cut. */

import { dirname } from "node:path";
import { crc32 } from "node:zlib";
import { usageError } from "../errors.ts";
import { t } from "../locale/locale.ts";
import { closeQuietly, removeQuietly, syncFolder, writeAll } from "./atomic-write.ts";
import { type Files, fileError, quietly, withFileError } from "./files.ts";

export interface LogContent {
  readonly records: readonly unknown[];
  /** How many bytes hold them. */
  readonly good: number;
  /** Its last line is incomplete: its write was interrupted, or the disk has lost the rest. */
  readonly isCut: boolean;
}

export type Log = ReturnType<typeof createLog>;

/** The one process that writes to a log, and its position. */
interface Writer {
  readonly files: Files;
  readonly path: string;
  readonly descriptor: number;
  /** Where the records end. */
  size: number;
  /** It is no longer known what is on the disk. */
  isLost: boolean;
}

/**
 * Creates a log with its first records; its name survives a power cut too. An error if there is one. If it
 * fails, no log is left.
 */
export const createLog = (files: Files, path: string, records: readonly unknown[]) => {
  const descriptor = withFileError(path, "create", () => files.create(path));
  const writer: Writer = { files, path, descriptor, size: 0, isLost: false };
  try {
    append(writer, records);
    syncFolder(files, dirname(path));
  } catch (error) {
    closeQuietly(writer.files, writer.descriptor);
    removeQuietly(files, path);
    throw fileError(error, t`create '${path}'`, path);
  }
  return logOf(writer);
};

const readBytes = (files: Files, path: string): Uint8Array =>
  withFileError(path, "read", () => files.read(path));

/** Reads a log that another process may be writing to: an unfinished write is left as it is. */
export const inspectLog = (files: Files, path: string): LogContent => {
  for (let bytes = readBytes(files, path); ; ) {
    const read = quietly(() => readLog(bytes, path));
    if (read?.isCut === false) return read;
    // Part of a write in progress: a moment later there is more of it.
    const later = readBytes(files, path);
    if (Buffer.compare(bytes, later) === 0) return readLog(bytes, path);
    bytes = later;
  }
};

/**
 * Opens a log for the one process that writes to it, without an interrupted write at its end. Another process
 * that still considers itself the writer keeps the previous file open, and writes into that. Changes nothing if
 * `read` throws.
 */
export const openLog = <T>(files: Files, path: string, read: (content: LogContent) => T) => {
  const bytes = readBytes(files, path);
  const found = readLog(bytes, path);
  const content = read(found);
  const { good } = found;
  const kept = bytes.subarray(0, good);
  const descriptor = replaceByCopy(files, path, kept) ?? rewriteInPlace(files, path, bytes, kept);
  return { ...logOf({ files, path, descriptor, size: good, isLost: false }), content };
};

/** Replaces the log by a copy; undefined if that fails, as on a full disk. */
const replaceByCopy = (files: Files, path: string, kept: Uint8Array): number | undefined => {
  const copy = `${path}.copy`;
  let descriptor: number | undefined;
  try {
    files.remove(copy);
    descriptor = files.create(copy);
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
    // Writes of a process that was killed, or whose sync failed, may be in memory alone. From here on they are
    // trusted, so they are written again: a sync writes only what was written since the last one.
    writeAll(files, descriptor, kept, 0);
    files.syncData(descriptor);
    return descriptor;
  } catch (error) {
    closeQuietly(files, descriptor);
    throw fileError(error, t`repair '${path}'`, path);
  }
};

const logOf = (writer: Writer) => ({
  /** Returns when the records are on the disk. Throws MsgError (usage). */
  append: (records: readonly unknown[]): void => append(writer, records),
  close: (): void => closeQuietly(writer.files, writer.descriptor),
});

const append = (writer: Writer, records: readonly unknown[]): void => {
  const { files, path, descriptor } = writer;
  if (writer.isLost) throw lostRecordError(path);
  const bytes = Buffer.from(records.map(logLine).join(""));
  withFileError(path, "write", () => write(writer, bytes));
  // A failed sync may have dropped the pages: another try would succeed falsely.
  writer.isLost = true;
  withFileError(path, "write", () => files.syncData(descriptor));
  writer.isLost = false;
  writer.size += bytes.length;
};

/** A disk that becomes full takes part of a line: that part is removed, so that another try fits. */
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

/** A line is `<crc32> <length> <json>`: the checksum is that of the JSON, eight hex digits. */
export const logLine = (record: unknown): string => {
  const json = JSON.stringify(record);
  return `${crc32(json).toString(16).padStart(8, "0")} ${Buffer.byteLength(json)} ${json}\n`;
};

/**
 * Leaves out an interrupted write at the end: it was never completely on the disk, so nothing followed from it.
 * Throws MsgError (usage) for any other damage; a whole line that is wrong may be an intent whose request has left,
 * so it is not cut even at the end.
 */
export const readLog = (bytes: Uint8Array, path: string): LogContent => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const records: unknown[] = [];
  let good = 0;
  while (good < buffer.length) {
    const line = lineAt(buffer, good);
    if (line === "unfinished") break;
    if (line === undefined) throw damagedError(path, records.length + 1);
    records.push(line.record);
    good = line.end;
  }
  return { records, good, isCut: good < buffer.length };
};

const header = /^([0-9a-f]{8}) (0|[1-9]\d{0,7}) /;
/** Longer than the header of any line. */
const headerBytes = 18;
const newline = 0x0a;

const lineAt = (
  buffer: Buffer,
  start: number,
): { readonly record: unknown; readonly end: number } | "unfinished" | undefined => {
  const found = header.exec(buffer.toString("latin1", start, start + headerBytes));
  const [all = "", sum = "", length = "0"] = found ?? [];
  const from = start + all.length;
  const to = from + Number(length);
  const json = buffer.subarray(from, to);
  const isWhole =
    found !== null && buffer[to] === newline && crc32(json) === Number.parseInt(sum, 16);
  if (isWhole) return { record: JSON.parse(json.toString("utf8")), end: to + 1 };
  const size = found ? to + 1 - start : headerBytes;
  return isUnfinished(buffer, start, size) ? "unfinished" : undefined;
};

/** Records hold no zero byte: the line has neither ended nor reached its size before the first one. */
const isUnfinished = (buffer: Buffer, start: number, size: number): boolean => {
  const zero = buffer.indexOf(0, start);
  const written = buffer.subarray(start, zero < 0 ? buffer.length : zero);
  return written.length < size && !written.includes(newline) && isOfOneWrite(buffer, start);
};

/** Disks write a sector whole or not at all, in any order until the sync. */
const sectorBytes = 512;
/** A single write is smaller than this: a damaged line with more than this after it was on the disk. */
const maxWriteBytes = 4_096;

/**
 * Whether all from `start` on may be of one write, after which nothing came: where sectors of it are
 * missing there are zeros, and what is there is whole.
 */
const isOfOneWrite = (buffer: Buffer, start: number): boolean => {
  let end = buffer.length;
  while (end > start && buffer[end - 1] === 0) end -= 1;
  if (end - start > maxWriteBytes && buffer.subarray(start, end).includes(0)) return false;
  for (let at = start, next = at; at < end; at = next) {
    next = Math.min(end, at - (at % sectorBytes) + sectorBytes);
    const sector = buffer.subarray(at, next);
    if (sector.includes(0) && sector.some((byte) => byte !== 0)) return false;
  }
  return true;
};

const damagedError = (path: string, record: number): Error =>
  usageError(t`the journal is damaged at record ${record}`, {
    code: "JournalDamaged",
    where: path,
    todo: t`check what was sent (msg group list, msg message list) before you send the rest again`,
  });
