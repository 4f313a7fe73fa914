/** An append-only file of records, each on the disk before `append` returns (sending.md 3). */
import { dirname } from "node:path";
import { crc32 } from "node:zlib";
import { usage } from "../errors.ts";
import { fileError } from "./failure.ts";
import type { Files } from "./files.ts";
import { removeQuietly, syncFolder, writeAll } from "./whole.ts";

/** A line is `<crc32> <length> <json>`: the checksum is that of the JSON, eight hex digits. */
export const logLine = (record: unknown): string => {
  const json = JSON.stringify(record);
  const bytes = Buffer.from(json);
  return `${crc32(bytes).toString(16).padStart(8, "0")} ${bytes.length} ${json}\n`;
};

export interface LogContent {
  readonly records: readonly unknown[];
  /** Bytes that hold them; what follows is a write that was interrupted. */
  readonly good: number;
}

/**
 * The records of a log. An unfinished line at the end was never on the disk as a whole, so nothing
 * followed from it: it is left out. Throws MsgError (usage) for any other damage; a whole line that
 * is wrong may be an intent whose request has left, so it is not cut even where it is the last.
 */
export const readLog = (bytes: Uint8Array, path: string): LogContent => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const records: unknown[] = [];
  let good = 0;
  while (good < buffer.length) {
    const line = lineAt(buffer, good);
    if (line === "unfinished") break;
    if (line === undefined) throw damaged(path, records.length + 1);
    records.push(line.record);
    good = line.end;
  }
  return { records, good };
};

const header = /^([0-9a-f]{8}) (0|[1-9]\d{0,7}) /;
/** Longer than any beginning of a line. */
const headerBytes = 18;

const lineAt = (
  buffer: Buffer,
  start: number,
): { readonly record: unknown; readonly end: number } | "unfinished" | undefined => {
  const found = header.exec(buffer.toString("latin1", start, start + headerBytes));
  const [all = "", sum = "", length = "0"] = found ?? [];
  const from = start + all.length;
  const to = from + Number(length);
  const json = buffer.subarray(from, to);
  const isWhole = found !== null && buffer[to] === 0x0a && crc32(json) === Number.parseInt(sum, 16);
  if (isWhole) return { record: JSON.parse(json.toString("utf8")), end: to + 1 };
  return isUnfinished(buffer.subarray(start), found ? to + 1 - start : undefined)
    ? "unfinished"
    : undefined;
};

/** Shorter than it should be and without an end; a file system may have put zeros behind it. */
const isUnfinished = (rest: Buffer, size: number | undefined): boolean => {
  if (rest.includes(0x0a)) return false;
  const written = rest.indexOf(0) < 0 ? rest.length : rest.indexOf(0);
  if (rest.subarray(written).some((byte) => byte !== 0)) return false;
  return written < (size ?? headerBytes);
};

const damaged = (path: string, record: number): Error =>
  usage(`the journal is damaged at record ${record}: it is kept, and nothing was sent`, {
    code: "JournalDamaged",
    where: path,
    todo: "look at what was sent (msg group list, msg message list) before you send the rest anew",
  });

export interface Log {
  /** What was in it when it was opened. */
  readonly records: readonly unknown[];
  /** Returns when the records are on the disk. Throws MsgError (usage). */
  readonly append: (records: readonly unknown[]) => void;
  readonly close: () => void;
}

/** Makes an empty log, whose name outlives a power cut too; an error where there is one. */
export const createLog = (files: Files, path: string): Log => {
  const descriptor = guarded(path, "create", () => files.create(path, 0o600));
  try {
    files.setMode(descriptor, 0o600);
    syncFolder(files, dirname(path));
  } catch (error) {
    closeQuietly(files, descriptor);
    removeQuietly(files, path);
    throw fileError(error, `create '${path}'`, path);
  }
  return logOver(files, path, descriptor, { records: [], good: 0 });
};

const bytesOf = (files: Files, path: string): Uint8Array =>
  guarded(path, "read", () => files.read(path));

/** The records of a log that another process may be writing to: what it has not finished is left as it is. */
export const lookAtLog = (files: Files, path: string): readonly unknown[] =>
  readLog(bytesOf(files, path), path).records;

/** Opens a log and cuts an unfinished line off: for the one process that writes to it. */
export const openLog = (files: Files, path: string): Log => {
  const bytes = bytesOf(files, path);
  const content = readLog(bytes, path);
  const descriptor = guarded(path, "open", () => files.openEnd(path));
  if (content.good < bytes.length)
    guarded(path, "mend", () => {
      files.cut(descriptor, content.good);
      files.syncData(descriptor);
    });
  return logOver(files, path, descriptor, content);
};

const logOver = (files: Files, path: string, descriptor: number, content: LogContent): Log => {
  const state = { size: content.good, dead: false };
  return {
    records: content.records,
    append: (records) => {
      if (state.dead) throw lost(path);
      const bytes = Buffer.from(records.map(logLine).join(""));
      guarded(path, "write", () => writeBehind(files, descriptor, bytes, state));
      // A failed sync may have dropped the pages: trying it again would answer a false "yes".
      state.dead = true;
      guarded(path, "write", () => files.syncData(descriptor));
      state.dead = false;
      state.size += bytes.length;
    },
    close: () => closeQuietly(files, descriptor),
  };
};

/** Every record is on the disk already: what closing says changes nothing of what was sent. */
const closeQuietly = (files: Files, descriptor: number): void => {
  try {
    files.close(descriptor);
  } catch {
    return;
  }
};

/** A disk that becomes full takes part of a line: that part is taken back, so that another try fits. */
const writeBehind = (
  files: Files,
  descriptor: number,
  bytes: Uint8Array,
  state: { size: number; dead: boolean },
): void => {
  try {
    writeAll(files, descriptor, bytes);
  } catch (error) {
    state.dead = true;
    files.cut(descriptor, state.size);
    state.dead = false;
    throw error;
  }
};

const guarded = <T>(path: string, doing: string, action: () => T): T => {
  try {
    return action();
  } catch (error) {
    throw fileError(error, `${doing} '${path}'`, path);
  }
};

const lost = (path: string): Error =>
  usage(`the disk lost a record of '${path}'`, {
    code: "FileProblem",
    where: path,
    todo: "check the disk, then go on with msg send-many --resume",
  });
