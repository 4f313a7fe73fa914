/** What a log looks like on the disk: lines of records, and what a power cut leaves of the last of them. */

import { crc32 } from "node:zlib";
import { usageError } from "../errors.ts";
import { t } from "../locale/locale.ts";

/** A line is `<crc32> <length> <json>`: the checksum is that of the JSON, eight hex digits. */
export const logLine = (record: unknown): string => {
  const json = JSON.stringify(record);
  return `${crc32(json).toString(16).padStart(8, "0")} ${Buffer.byteLength(json)} ${json}\n`;
};

/**
 * The records of a log, and how many bytes hold them (`good`). What a write that was interrupted left at the end was never on the disk as a
 * whole, so nothing followed from it: it is left out. Throws MsgError (usage) for any other damage; a
 * whole line that is wrong may be an intent whose request has left, so it is not cut even where it is
 * the last.
 */
export const readLog = (bytes: Uint8Array, path: string) => {
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
  return { records, good };
};

const header = /^([0-9a-f]{8}) (0|[1-9]\d{0,7}) /;
/** Longer than any beginning of a line. */
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

/** Records hold no zero byte: before the first one the line has not come to its end, nor to its size. */
const isUnfinished = (buffer: Buffer, start: number, size: number): boolean => {
  const zero = buffer.indexOf(0, start);
  const written = buffer.subarray(start, zero < 0 ? buffer.length : zero);
  return written.length < size && !written.includes(newline) && isOfOneWrite(buffer, start);
};

/** Disks write these whole or not at all, in any order until they are synced. */
const sectorBytes = 512;
/** What is written at once is smaller: a line that is gone before more than this was on the disk. */
const maxWriteBytes = 4_096;

/**
 * Whether all from `start` on may be of one write, behind which nothing came: where sectors of it are
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
