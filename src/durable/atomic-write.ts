/** Replaces a file as a whole or not at all: readers and crashes see the old or the new content; private folders. */

import { platform } from "node:os";
import { basename, dirname, join } from "node:path";
import { usageError } from "../errors.ts";
import { t } from "../locale/locale.ts";
import { type Files, fileError, quietly, withFileError } from "./files.ts";
import { ownerPattern, type Processes } from "./processes.ts";

export interface AtomicWriteOptions {
  readonly random: (bytes: number) => Uint8Array;
  readonly processes: Processes;
}

/**
 * Writes a temporary file next to `path`, syncs it, and renames it: a crash or a full disk leaves
 * the old file whole. Throws MsgError (usage); then the old file is untouched and nothing is left
 * next to it. The one exception: if the folder cannot be synced after the rename, the new file is
 * in place and the error says so.
 */
export const writeAtomically = (
  files: Files,
  path: string,
  bytes: Uint8Array,
  options: AtomicWriteOptions,
): void => {
  const folder = dirname(path);
  removeLeftovers(files, path, options.processes);
  const temporary = temporaryName(path, options);
  try {
    writeNew(files, temporary, (add) => add(bytes));
    files.rename(temporary, path);
  } catch (error) {
    removeQuietly(files, temporary);
    throw fileError(error, t`write '${path}'`, path);
  }
  try {
    syncFolder(files, folder);
  } catch (error) {
    throw fileError(error, t`flush the new '${path}' to the disk`, path);
  }
};

/** A name next to `path` that cannot be guessed and that names the process that made it. */
export const temporaryName = (path: string, { random, processes }: AtomicWriteOptions): string =>
  join(dirname(path), `.${stem(path)}.${processes.self}.${hex(random(8))}.tmp`);

/** As much of the name as leaves room for the suffix within the 255 bytes of a name. */
const stem = (path: string): string => [...basename(path)].slice(0, 40).join("");

/** Removes the temporary files next to `path` of processes that died during a write. */
export const removeLeftovers = (files: Files, path: string, processes: Processes): void => {
  const pattern = new RegExp(`^\\.${literal(stem(path))}\\.(${ownerPattern})\\.[0-9a-f]+\\.tmp$`);
  // The write itself reports what is wrong with the folder.
  for (const name of quietly(() => files.list(dirname(path))) ?? []) {
    const owner = pattern.exec(name)?.[1];
    if (owner !== undefined && processes.isLeftover(owner))
      removeQuietly(files, join(dirname(path), name));
  }
};

/** Creates a file for its owner alone with every byte that `fill` adds on the disk. EEXIST if there is one. */
export const writeNew = <T>(
  files: Files,
  path: string,
  fill: (add: (bytes: Uint8Array) => void) => T,
): T => {
  const descriptor = files.create(path);
  try {
    const filled = fill((bytes) => writeAll(files, descriptor, bytes));
    files.sync(descriptor);
    return filled;
  } finally {
    files.close(descriptor);
  }
};

/** A file of these bytes, with errors that an operator can act on. Throws MsgError (usage). */
export const writeFirst = (files: Files, path: string, bytes: Uint8Array): void =>
  withFileError(path, "write", () => writeNew(files, path, (add) => add(bytes)));

/**
 * Writes at the place `from` of the file, or after what was written last. A write may take fewer
 * bytes than it was given without an error, so it is repeated for the rest.
 */
export const writeAll = (
  files: Files,
  descriptor: number,
  bytes: Uint8Array,
  from?: number,
): void => {
  let written = 0;
  while (written < bytes.length) {
    const at = from === undefined ? undefined : from + written;
    const taken = files.write(descriptor, bytes, written, at);
    if (taken <= 0) throw usageError(t`the disk takes no more bytes`);
    written += taken;
  }
};

/** Without this a power cut may lose the rename. Windows has no such call and refuses. */
export const syncFolder = (files: Files, folder: string): void => {
  if (platform() === "win32") return;
  const descriptor = files.openFolder(folder);
  try {
    files.sync(descriptor);
  } finally {
    files.close(descriptor);
  }
};

/** The next write removes a file that is left here; the first error is the one to report. */
export const removeQuietly = (files: Files, path: string): void =>
  quietly(() => files.remove(path));

/** Every byte is on the disk already: an error on closing changes nothing. */
export const closeQuietly = (files: Files, descriptor: number): void =>
  quietly(() => files.close(descriptor));

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/**
 * Makes `path` a folder with mode 0700: creates it with its parents if missing (all survive a power cut); tightens
 * the mode if others may enter. Throws MsgError (usage) if it is not a folder, not this user's, or shared like /tmp.
 * `user` is the id of this user, undefined on systems without.
 */
export const ensurePrivateDir = (files: Files, path: string, user: number | undefined): void =>
  ensureDir(files, path, user, 0o777);

/**
 * The same for a folder that an operator may have named: others may keep files there and continue to read it. Its
 * mode is tightened only if they may write to it.
 */
export const ensureNamedDir = (files: Files, path: string, user: number | undefined): void =>
  ensureDir(files, path, user, 0o722);

/** `mask`: the bits of the mode that have to be those of 0700. */
const ensureDir = (files: Files, path: string, user: number | undefined, mask: number): void => {
  try {
    makeLastingFolder(files, path);
    const found = files.stat(path);
    if (found?.kind !== "folder") throw unfitError(path, t`'${path}' is not a folder`);
    if (user === undefined) return;
    if (found.owner !== user) throw unfitError(path, t`'${path}' belongs to another user`);
    if ((found.mode & 0o1000) !== 0) throw unfitError(path, t`'${path}' is shared by all users`);
    if ((found.mode & mask) !== 0o700) files.changeMode(path, 0o700);
  } catch (error) {
    throw fileError(error, t`use the folder '${path}'`, path);
  }
};

/**
 * Makes the folder and its parents from the top: once a folder exists, all above it survive a power cut. Its maker
 * may have died before the folder itself did.
 */
const makeLastingFolder = (files: Files, path: string): void => {
  const parent = dirname(path);
  if (files.lstat(path) || parent === path) {
    quietly(() => syncFolder(files, parent));
    return;
  }
  makeLastingFolder(files, parent);
  files.makeFolder(path, 0o700);
  syncFolder(files, parent);
};

const unfitError = (path: string, what: string): Error =>
  usageError(what, {
    code: "FileProblem",
    where: path,
    todo: t`name your own folder with MSG_CONFIG_DIR or MSG_STATE_DIR`,
  });
