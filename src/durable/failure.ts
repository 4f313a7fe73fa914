/** Errors of the file system, said so that an operator can mend them. */

import { MsgError, type Todo, usageError } from "../errors.ts";
import { t, translated } from "../locale/locale.ts";

/** The system's code of an error (`ENOSPC`), or undefined where it has none. */
export const systemCode = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string"
    ? error.code
    : undefined;

/**
 * A usage error (exit 2) for a failed call on `path`: found before anything was sent. `doing` ends
 * "could not …". Errors of ours pass through.
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

/** What is done with a file, as `fileError` takes it. */
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

/** Undefined where it fails: what follows finds out why, or it changes nothing. */
export const quietly = <T>(action: () => T): T | undefined => {
  try {
    return action();
  } catch {
    return undefined;
  }
};

interface Cause {
  readonly why: string;
  readonly todo: Todo;
}

const full = (why: string): Cause => ({
  why,
  todo: ({ again = t`run the command again` }) =>
    t`free some space and ${again}; what was stored before is untouched`,
});

const closed = (why: string): Cause => ({
  why,
  todo: () =>
    t`give yourself read and write permission, or name another folder with MSG_CONFIG_DIR or MSG_STATE_DIR`,
});

const causes: Readonly<Record<string, Cause>> = {
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
