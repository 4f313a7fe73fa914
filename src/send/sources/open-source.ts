/** Opens a file as a source, and notices when it changes while it is read. */

import { type FileHandle, open } from "node:fs/promises";
import { systemCode } from "../../durable/files.ts";
import { type MsgError, usageError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";

/**
 * This many bytes are read at a time. The rows of a piece live together: those of larger pieces survive the
 * collections of young objects, are moved to the old ones, and stay there as garbage.
 */
export const pieceBytes = 64 * 1024;

/**
 * The bytes of a file, in pieces. Throws a usage error for a file that cannot be read, and at the end if
 * size or time of change differ from the beginning: such rows belong to two versions.
 */
export async function* openSource(path: string): AsyncGenerator<Uint8Array> {
  const file = await attempt(path, () => open(path, "r"));
  try {
    const before = await stateOf(file, path);
    let total = 0;
    for (;;) {
      const piece = await attempt(path, () => readPiece(file));
      if (piece.length === 0) break;
      total += piece.length;
      if (before && total > before.size) throw changedError(path);
      yield piece;
    }
    const after = await stateOf(file, path);
    if (after?.size !== before?.size || after?.changed !== before?.changed)
      throw changedError(path);
  } finally {
    await file.close();
  }
}

const readPiece = async (file: FileHandle): Promise<Uint8Array> => {
  const piece = Buffer.allocUnsafe(pieceBytes);
  const { bytesRead } = await file.read(piece, 0, pieceBytes);
  return piece.subarray(0, bytesRead);
};

/** Size and time of change; undefined for pipes, devices, and files without a size. */
const stateOf = async (file: FileHandle, path: string) => {
  const stats = await file.stat({ bigint: true });
  if (stats.isDirectory()) throw notReadableError(path, "EISDIR");
  if (!stats.isFile() || stats.size === 0n) return undefined;
  return { size: stats.size, changed: stats.mtimeNs };
};

const attempt = async <T>(path: string, act: () => Promise<T>): Promise<T> => {
  try {
    return await act();
  } catch (error) {
    throw notReadableError(path, systemCode(error) ?? "EIO", error);
  }
};

const notReadableError = (path: string, code: string, cause?: unknown): MsgError => {
  const error = (what: string, todo?: string): MsgError =>
    usageError(what, { code: "SourceNotReadable", where: path, todo, cause });
  switch (code) {
    case "ENOENT":
    case "ENOTDIR":
      return error(t`"${path}" does not exist`, t`check the path`);
    case "EISDIR":
      return error(t`"${path}" is a directory`, t`name a file in it`);
    case "EACCES":
    case "EPERM":
      return error(t`no permission to read "${path}"`, t`check its permissions`);
    default:
      return error(t`could not read "${path}" (${code})`);
  }
};

const changedError = (path: string): MsgError =>
  usageError(t`"${path}" changed while it was read`, {
    code: "SourceChanged",
    where: path,
    todo: t`nothing was sent; run it again when the file is complete`,
  });

/** All bytes of a source; undefined, without reading on, if there are more than `max`. */
export const readAtMost = async (
  source: AsyncIterable<Uint8Array>,
  max: number,
): Promise<Buffer | undefined> => {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of source) {
    size += piece.length;
    if (size > max) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
};

/** The pieces of a source; `take` gets each as it passes. */
export async function* tap(
  source: AsyncIterable<Uint8Array>,
  take: (piece: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  for await (const piece of source) {
    take(piece);
    yield piece;
  }
}

/** A source from its beginning, after its first pieces were read ahead. */
export async function* replay(
  read: readonly Uint8Array[],
  rest?: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* read;
    if (rest) yield* { [Symbol.asyncIterator]: () => rest };
  } finally {
    await rest?.return?.();
  }
}
