/** Secrets that the environment points at: a file, and the command of a password manager. */

import { createRequire } from "node:module";
import { fileError } from "../durable/failure.ts";
import { diskFiles } from "../durable/files.ts";
import { usageError } from "../errors.ts";
import { t } from "../locale/locale.ts";
import type { SecretSources } from "./environment.ts";

type Run = typeof import("node:child_process").execSync;

const readFile = (path: string): string => {
  try {
    return Buffer.from(diskFiles.read(path)).toString();
  } catch (error) {
    throw fileError(error, t`read the file of MSG_API_SECRET_FILE`, path);
  }
};

/** By the shell. Its questions and complaints go to the terminal; standard input is the command's of `msg`. */
const runCommand = (command: string): string => {
  // Loaded here: it takes longer than all other modules of a start.
  const { execSync }: { execSync: Run } = createRequire(import.meta.url)("node:child_process");
  try {
    return execSync(command, { stdio: ["ignore", "pipe", "inherit"], encoding: "utf8" });
  } catch {
    // What it printed stays out: it may be the secret.
    throw usageError(t`the command of MSG_API_SECRET_CMD failed`, {
      code: "SecretCommand",
      todo: t`run it by itself: it has to print only the secret, and exit with 0`,
    });
  }
};

/** The files and commands of this machine. */
export const secretSources: SecretSources = { readFile, runCommand };
