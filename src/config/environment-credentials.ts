/** Credentials from the environment: a pair or a token, never half a pair; a file or command may give the secret. */

import { createRequire } from "node:module";
import type { Credentials } from "../contract/wire.ts";
import { diskFiles, fileError } from "../durable/files.ts";
import { invalidValue, usageError } from "../errors.ts";
import { t } from "../locale/locale.ts";
import type { Env } from "./paths.ts";
import type { Resolved } from "./settings.ts";

/** The sources of the secret: one of these. */
const secretNames = ["MSG_API_SECRET", "MSG_API_SECRET_FILE", "MSG_API_SECRET_CMD"] as const;
const names = ["MSG_ACCESS_TOKEN", "MSG_API_KEY", ...secretNames] as const;

/** True if the environment says anything about credentials. */
export const hasCredentials = (env: Env): boolean => names.some((name) => env[name]);

/**
 * Reads them; undefined if there are none. Throws MsgError (usage) for half a pair, two of a kind and
 * impossible values. Values are never repeated.
 */
export const environmentCredentials = (env: Env): Resolved<Credentials> | undefined => {
  const { MSG_ACCESS_TOKEN: accessToken, MSG_API_KEY: apiKey } = env;
  if (!hasCredentials(env)) return undefined;
  if (accessToken) {
    const other = names.slice(1).find((name) => env[name]);
    if (other) throw bothSetError("MSG_ACCESS_TOKEN", other);
    assertSecret(accessToken, "MSG_ACCESS_TOKEN");
    return fromEnvironment({ kind: "token", accessToken }, "MSG_ACCESS_TOKEN");
  }
  const [secretName, second] = secretNames.filter((name) => env[name]);
  if (secretName && second) throw bothSetError(secretName, second);
  if (!apiKey) throw halfPairError("MSG_API_KEY", secretName ?? "MSG_API_SECRET");
  if (!secretName) throw halfPairError("MSG_API_SECRET", "MSG_API_KEY");
  const apiSecret = secretOf(env, secretName);
  assertSecret(apiKey, "MSG_API_KEY");
  return fromEnvironment({ kind: "key", apiKey, apiSecret }, "MSG_API_KEY");
};

/** Refuses a value that is empty, too long, or holds blanks or control characters, without repeating it. */
export const assertSecret = (value: string, label: string): void => {
  if (/^[\x21-\x7e]{1,8192}$/.test(value)) return;
  if (/[\r\n]/.test(value))
    throw invalidValue(
      t`${label} contains a line break`,
      t`give the value alone, without what comes before or after it`,
    );
  const what =
    value === "" ? t`${label} is empty` : t`${label} contains characters that no key has`;
  throw invalidValue(what, t`copy the value again`);
};

const secretOf = (env: Env, name: (typeof secretNames)[number]): string => {
  const value = env[name] ?? "";
  if (name === "MSG_API_SECRET") {
    assertSecret(value, name);
    return value;
  }
  const isFile = name === "MSG_API_SECRET_FILE";
  // Editors end a file with a line break, and programs their output; it is not part of the secret.
  const secret = (isFile ? readFile(value) : runCommand(value)).replace(/\r?\n$/, "");
  assertSecret(secret, isFile ? t`the file of ${name}` : t`the output of ${name}`);
  return secret;
};

const fromEnvironment = (value: Credentials, from: string): Resolved<Credentials> => ({
  value,
  from,
  origin: "environment",
});

const halfPairError = (missing: string, given: string): Error =>
  usageError(t`${given} is set, but ${missing} is not: both are needed`, {
    code: "HalfCredentials",
    todo:
      missing === "MSG_API_SECRET"
        ? t`set ${missing} too (or MSG_API_SECRET_FILE, MSG_API_SECRET_CMD), or unset ${given}`
        : t`set ${missing} too, or unset ${given}`,
  });

const bothSetError = (one: string, other: string): Error =>
  usageError(t`${one} and ${other} are both set`, {
    code: "TwoCredentials",
    todo: t`unset one of them`,
  });

type Run = typeof import("node:child_process").execSync;

const readFile = (path: string): string => {
  try {
    // Without the byte order mark that editors of Windows begin a file with.
    return new TextDecoder().decode(diskFiles.read(path));
  } catch (error) {
    const failed = fileError(error, t`read the file of MSG_API_SECRET_FILE`, path);
    // It is not a file of the settings' folder: only its variable can name another file.
    throw failed.reworded(failed.kind, failed.message, {
      todo: t`let MSG_API_SECRET_FILE name a file that you may read`,
    });
  }
};

/** Runs it in the shell. Its prompts and errors go to the terminal; standard input belongs to the `msg` command. */
const runCommand = (command: string): string => {
  // Loaded here: it takes longer than all other modules at start.
  const { execSync }: { execSync: Run } = createRequire(import.meta.url)("node:child_process");
  try {
    return execSync(command, { stdio: ["ignore", "pipe", "inherit"], encoding: "utf8" });
  } catch {
    // Its output is left out: it may be the secret.
    throw usageError(t`the command of MSG_API_SECRET_CMD failed`, {
      code: "SecretCommand",
      todo: t`run it by itself: it has to print only the secret, and exit with 0`,
    });
  }
};
