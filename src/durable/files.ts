/** The file system as a port, so that each call can fail in a test; its errors, and what to do about them. */
import * as fs from "node:fs";
import { dirname } from "node:path";
import { MsgError, type Todo, usageError } from "../errors.ts";
import { t, translated } from "../locale/locale.ts";

export interface FileStatus {
  readonly kind: "file" | "folder" | "link" | "other";
  /** Permission bits, the sticky bit included: 0o1777. */
  readonly mode: number;
  /** Id of the owner; meaningless on Windows. */
  readonly owner: number;
  /** When its content last changed; milliseconds by this machine's clock. */
  readonly changedMs: number;
}

/** Every call throws the system's error, whose `code` says what is wrong. */
export interface Files {
  /** Creates a file to write, for its owner alone; EEXIST if there is one, even a dangling link. Returns a descriptor. */
  create(path: string): number;
  /** Opens an existing file for writing. Links are not followed. */
  openWrite(path: string): number;
  /** Opens a folder, to sync it. */
  openFolder(path: string): number;
  /**
   * Writes from `offset` of the bytes on: at the place `at` of the file, or after what was written last.
   * Answers how many were taken, which may be fewer.
   */
  write(descriptor: number, bytes: Uint8Array, offset: number, at?: number): number;
  sync(descriptor: number): void;
  /** Syncs the bytes and the metadata needed to find them: enough for a file that grows. */
  syncData(descriptor: number): void;
  /** Takes away what lies after `size`. */
  cut(descriptor: number, size: number): void;
  size(descriptor: number): number;
  close(descriptor: number): void;
  read(path: string): Uint8Array;
  /** Reads the bytes from `offset` on, at most `length`. */
  readPart(path: string, offset: number, length: number): Uint8Array;
  rename(from: string, to: string): void;
  /** Removes a file, or a folder with everything in it; does nothing if there is none. */
  remove(path: string): void;
  list(folder: string): string[];
  /** Undefined if there is nothing. Links are not followed. */
  lstat(path: string): FileStatus | undefined;
  /** The same, following links. */
  stat(path: string): FileStatus | undefined;
  readLink(path: string): string;
  /** The path without links. */
  real(path: string): string;
  /** Creates a folder with its parents; does nothing if it exists. */
  makeFolder(path: string, mode: number): void;
  changeMode(path: string, mode: number): void;
}

export const diskFiles: Files = {
  create: (path) => fs.openSync(path, creating, 0o600),
  openWrite: (path) => fs.openSync(path, writing),
  openFolder: (path) => fs.openSync(path, fs.constants.O_RDONLY),
  write: (descriptor, bytes, offset, at) =>
    fs.writeSync(descriptor, bytes, offset, bytes.length - offset, at),
  sync: fs.fsyncSync,
  syncData: fs.fdatasyncSync,
  cut: fs.ftruncateSync,
  size: (descriptor) => fs.fstatSync(descriptor).size,
  close: fs.closeSync,
  read: (path) => fs.readFileSync(path),
  readPart: (path, offset, length) => {
    const descriptor = fs.openSync(path, fs.constants.O_RDONLY);
    try {
      const bytes = Buffer.allocUnsafe(length);
      let taken = 0;
      for (let more = 1; more > 0 && taken < length; taken += more)
        more = fs.readSync(descriptor, bytes, taken, length - taken, offset + taken);
      return bytes.subarray(0, taken);
    } finally {
      fs.closeSync(descriptor);
    }
  },
  rename: (from, to) => retryWhileBusy(() => fs.renameSync(from, to)),
  remove: (path) => fs.rmSync(path, { recursive: true, force: true }),
  list: (folder) => fs.readdirSync(folder),
  lstat: (path) => statusOf(() => fs.lstatSync(path)),
  stat: (path) => statusOf(() => fs.statSync(path)),
  readLink: (path) => fs.readlinkSync(path),
  real: (path) => fs.realpathSync(path),
  makeFolder: (path, mode) => {
    try {
      fs.mkdirSync(path, { recursive: true, mode });
    } catch (error) {
      // Node says so for a read-only disk, too: making the first missing folder shows the real error.
      if (systemCode(error) === "ENOENT") fs.mkdirSync(firstMissing(path), mode);
      throw error;
    }
  },
  changeMode: fs.chmodSync,
};

const pausesMs = [10, 20, 40, 80, 160, 320];

/**
 * Windows does not replace a file that another process has open; scanners and indexers close it
 * soon. Throws the last error.
 */
export const retryWhileBusy = (action: () => void): void => {
  for (const ms of pausesMs)
    try {
      action();
      return;
    } catch (error) {
      if (!["EPERM", "EBUSY"].includes(systemCode(error) ?? "")) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
    }
  action();
};

const firstMissing = (path: string): string => {
  const parent = dirname(path);
  return fs.existsSync(parent) ? path : firstMissing(parent);
};

/** Never through a link, and never over an existing file. */
const creating =
  fs.constants.O_WRONLY |
  fs.constants.O_CREAT |
  fs.constants.O_EXCL |
  (fs.constants.O_NOFOLLOW ?? 0);

const writing = fs.constants.O_WRONLY | (fs.constants.O_NOFOLLOW ?? 0);

/** Only a missing file counts as nothing; a file in the place of a folder is an error on every Node. */
const statusOf = (read: () => fs.Stats): FileStatus | undefined => {
  try {
    const stats = read();
    return {
      kind: kindOf(stats),
      mode: stats.mode & 0o7777,
      owner: stats.uid,
      changedMs: stats.mtimeMs,
    };
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
};

/** Bytes that are read at a time: a long file is never held in memory as a whole. */
const partBytes = 1024 * 1024;
const newline = 0x0a;

/** The lines of a file, each with its place. Throws MsgError (usage) if it cannot be read. */
export function* linesOf(
  files: Files,
  path: string,
): Generator<{ readonly offset: number; readonly line: Buffer }> {
  let offset = 0;
  let size = partBytes;
  for (;;) {
    const part = Buffer.from(withFileError(path, "read", () => files.readPart(path, offset, size)));
    const isLast = part.length < size;
    let from = 0;
    for (let end = part.indexOf(newline); end >= 0; end = part.indexOf(newline, from)) {
      yield { offset: offset + from, line: part.subarray(from, end) };
      from = end + 1;
    }
    if (isLast && from < part.length) yield { offset: offset + from, line: part.subarray(from) };
    if (isLast) return;
    offset += from;
    // A line may be longer than a part.
    size = from === 0 ? size * 2 : partBytes;
  }
}

const kindOf = (stats: fs.Stats): FileStatus["kind"] => {
  if (stats.isFile()) return "file";
  if (stats.isDirectory()) return "folder";
  return stats.isSymbolicLink() ? "link" : "other";
};

/** The system's code of an error (`ENOSPC`), or undefined if it has none. */
export const systemCode = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string"
    ? error.code
    : undefined;

/** Whether a call failed because there is no room for what it writes. */
export const isDiskFull = (error: unknown): boolean =>
  causes[systemCode(error) ?? ""]?.todo === freeSpace;

/**
 * A usage error (exit 2) for a failed call on `path`: found before anything was sent. `doing`
 * completes "could not …". A MsgError passes through.
 */
export const fileError = (error: unknown, doing: string, path: string): MsgError => {
  if (error instanceof MsgError) return error;
  const code = systemCode(error);
  const known = code === undefined ? undefined : causes[code];
  const why =
    (known && translated(known.why)) ?? (error instanceof Error ? error.message : String(error));
  return usageError(t`could not ${doing}: ${why}`, {
    code: "FileProblem",
    where: code === undefined ? path : `${path} (${code})`,
    todo:
      known?.todo ??
      (({ again = t`run the command again` }) => t`check the file and its folder, then ${again}`),
    cause: error,
  });
};

/** What a code of the system means, to be translated; the code itself if msg has no words for it. */
export const reasonOf = (code: string): string => causes[code]?.why ?? code;

/** The actions on a file that `fileError` can name. */
const doings = {
  write: (path: string) => t`write '${path}'`,
  read: (path: string) => t`read '${path}'`,
  create: (path: string) => t`create '${path}'`,
  open: (path: string) => t`open '${path}'`,
} as const;

/** Runs `action`; a failed call on `path` becomes an error that an operator can act on. */
export const withFileError = <T>(path: string, doing: keyof typeof doings, action: () => T): T => {
  try {
    return action();
  } catch (error) {
    throw fileError(error, doings[doing](path), path);
  }
};

/**
 * Undefined if `action` fails with such an error, or with any when left out: what follows reports the reason, or the
 * failure does not matter. Throws all others.
 */
export const quietly = <T>(
  action: () => T,
  isExpected: (error: unknown) => boolean = () => true,
): T | undefined => {
  try {
    return action();
  } catch (error) {
    if (isExpected(error)) return undefined;
    throw error;
  }
};

interface Cause {
  readonly why: string;
  readonly todo?: Todo;
}

const freeSpace: Todo = ({ again = t`run the command again` }) =>
  t`free some space and ${again}; what was stored before is untouched`;

const full = (why: string): Cause => ({ why, todo: freeSpace });

const closed = (why: string): Cause => ({
  why,
  todo: () =>
    t`give yourself read and write permission, or name another folder with MSG_CONFIG_DIR or MSG_STATE_DIR`,
});

const causes: Readonly<Record<string, Cause>> = {
  ENOENT: { why: "there is no such file or folder" },
  ENOSPC: full("no space is left on the disk"),
  EDQUOT: full("your disk quota is used up"),
  EFBIG: full("the file would be larger than allowed"),
  EIO: {
    why: "the disk reported an error",
    todo: () => t`check the disk; what was stored before is untouched`,
  },
  EACCES: closed("permission denied"),
  EPERM: closed("permission denied"),
  EROFS: closed("the file system is read-only"),
  ENOTDIR: closed("a part of the path is a file, not a folder"),
  ELOOP: closed("the path is a link that leads to itself"),
  EEXIST: closed("there is a file where a folder should be"),
  EISDIR: closed("there is a folder where a file should be"),
};
