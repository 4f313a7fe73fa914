/** Files that a person requested: a download, an export. Written whole or not at all, never over another one. */

import { open, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { syncFolder } from "../durable/atomic-write.ts";
import { diskFiles, quietly, reasonOf, systemCode } from "../durable/files.ts";
import { MsgError, usageError } from "../errors.ts";
import { t, translated } from "../locale/locale.ts";

interface SaveOptions {
  readonly force?: boolean | undefined;
  /** Writes the bytes to see that they fit, and leaves nothing. */
  readonly dryRun?: boolean;
}

/**
 * Throws usage if `path` is taken or is not a regular file but a folder, a device or a pipe, which is never
 * replaced. Called before a request whose answer could not be written.
 */
export const assertFree = async (path: string, { force }: SaveOptions): Promise<void> => {
  if (path === "" || path === "-") {
    throw usageError(t`this is written to a file, not to standard output`, {
      code: "FileNeeded",
      todo: t`name a file`,
    });
  }
  const found = await stat(path).catch(() => undefined);
  if (found && !found.isFile()) throw notAFileError(path, found.isDirectory());
  // A dangling link also takes the name: the write reports that.
  if (found && !force) throw fileTakenError(path);
};

/**
 * Writes a file next to its place and moves it there when every byte is on the disk. Throws usage
 * for an existing file, unless forced, and for a place that cannot be written.
 */
export const saveBytes = async (
  path: string,
  bytes: Uint8Array | AsyncIterable<Uint8Array>,
  options: SaveOptions,
): Promise<void> => {
  await assertFree(path, options);
  // Without the name of the file: it may be as long as a name can be.
  const draft = join(dirname(path), `.msg-${crypto.randomUUID()}.tmp`);
  try {
    await write(draft, bytes instanceof Uint8Array ? [bytes] : bytes);
    if (options.dryRun) return;
    if (options.force) await rename(draft, path);
    else await takeName(draft, path);
    // The file is there even if its folder cannot be opened or flushed.
    quietly(() => syncFolder(diskFiles, dirname(path)));
  } catch (error) {
    // The source of the bytes failed, not the file.
    throw error instanceof MsgError ? error : notWrittenError(path, error);
  } finally {
    await rm(draft, { force: true });
  }
};

/** Reserves the name with an empty file, then replaces it; a file that took the name meanwhile stays. */
const takeName = async (draft: string, path: string): Promise<void> => {
  await write(path, []);
  try {
    await rename(draft, path);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
};

const write = async (
  path: string,
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<void> => {
  const file = await open(path, "wx", 0o600);
  try {
    // Each is appended to the one before.
    for await (const piece of pieces) await file.writeFile(piece);
    await file.sync();
  } finally {
    await file.close();
  }
};

/** True if a path leads to a folder, or says so by its last character. */
export const isFolder = async (path: string): Promise<boolean> =>
  /[/\\]$/.test(path) ||
  stat(path).then(
    (it) => it.isDirectory(),
    () => false,
  );

/** File systems take 255 bytes; a draft next to the file needs some of them. */
const maxBytes = 200;
/** Names that are devices on Windows, with any extension. */
const devices = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;
/** Path separators, drives, file streams, shell patterns, and characters that no terminal shows. */
const unfit = /[\p{C}\p{Zl}\p{Zp}<>:"|?*]/gu;

/**
 * A foreign file name made safe so that it stays in its folder: the part after its last slash,
 * without characters that file systems or terminals interpret. Undefined if nothing usable is left.
 */
export const safeName = (given: string): string | undefined => {
  const last = given.split(/[/\\]/).at(-1) ?? "";
  const clean = ending(last.slice(-maxBytes).replaceAll(unfit, ""))
    .replace(/^[.\s-]+/, "")
    .replace(/[.\s]+$/, "");
  return clean === "" || devices.test(clean) ? undefined : clean;
};

/** The end of a name that is too long: it keeps its extension. */
const ending = (name: string): string => {
  const characters = [...name];
  while (Buffer.byteLength(characters.join("")) > maxBytes) characters.shift();
  return characters.join("");
};

const fileTakenError = (path: string): MsgError =>
  usageError(t`'${path}' already exists`, {
    code: "FileExists",
    where: path,
    todo: t`name another file, or replace it with --force`,
  });

const notAFileError = (path: string, isDirectory: boolean): MsgError =>
  usageError(isDirectory ? t`'${path}' is a folder` : t`'${path}' is not a regular file`, {
    code: "FileNeeded",
    where: path,
    todo: t`name a file`,
  });

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "its folder does not exist",
  ENOTDIR: "its folder is not a folder",
  EISDIR: "it is a folder",
  EACCES: "its folder is not writable",
  EPERM: "its folder is not writable",
  EROFS: "its disk is read-only",
  ENAMETOOLONG: "its name is too long",
};

const notWrittenError = (path: string, error: unknown): MsgError => {
  const code = systemCode(error) ?? "EIO";
  if (code === "EEXIST") return fileTakenError(path);
  const reason = translated(reasons[code] ?? reasonOf(code));
  return usageError(t`'${path}' could not be written: ${reason}`, {
    code: "FileNotWritten",
    where: path,
    todo: t`nothing was left behind; name another place`,
    cause: error,
  });
};
