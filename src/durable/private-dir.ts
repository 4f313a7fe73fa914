/** A folder that only its owner may look into. */

import { dirname } from "node:path";
import { usageError } from "../errors.ts";
import { t } from "../locale/locale.ts";
import { syncFolder } from "./atomic-write.ts";
import { fileError } from "./failure.ts";
import type { Files } from "./files.ts";

/**
 * Makes `path` a folder with mode 0700: with its parents where there is none, all of which outlive a power
 * cut; tightened where others may enter. Throws MsgError (usage) where it is not a folder, not this user's, or shared like /tmp.
 * `user` is the id of this user, undefined on systems without.
 */
export const ensurePrivateDir = (files: Files, path: string, user: number | undefined): void => {
  try {
    const missing = missingFolders(files, path);
    files.makeFolder(path, 0o700);
    for (const made of missing) syncFolder(files, dirname(made));
    const found = files.stat(path);
    if (found?.kind !== "folder") throw unfitError(path, t`'${path}' is not a folder`);
    if (user === undefined) return;
    if (found.owner !== user) throw unfitError(path, t`'${path}' belongs to another user`);
    if ((found.mode & 0o1000) !== 0) throw unfitError(path, t`'${path}' is shared by all users`);
    if ((found.mode & 0o777) !== 0o700) files.changeMode(path, 0o700);
  } catch (error) {
    throw fileError(error, t`use the folder '${path}'`, path);
  }
};

/** Itself and its parents, as far as there are none. */
const missingFolders = (files: Files, path: string): readonly string[] =>
  files.lstat(path) || dirname(path) === path
    ? []
    : [path, ...missingFolders(files, dirname(path))];

const unfitError = (path: string, what: string): Error =>
  usageError(what, {
    code: "FileProblem",
    where: path,
    todo: t`name your own folder with MSG_CONFIG_DIR or MSG_STATE_DIR`,
  });
