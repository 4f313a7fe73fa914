/** Where settings and state of this user are kept. */
import { isAbsolute, join, resolve } from "node:path";
import { usageError } from "../errors.ts";

/** Variables of the environment; an empty one is the same as none. */
export type Env = Readonly<Record<string, string | undefined>>;

/** Folder of config.json and credentials.json. Throws MsgError (usage) where there is no home. */
export const configFolder = (env: Env): string =>
  folderOf(env, { own: "MSG_CONFIG_DIR", base: "XDG_CONFIG_HOME", inHome: ".config" });

/** Folder of runs, the sandbox and logs. */
export const stateFolder = (env: Env): string =>
  folderOf(env, { own: "MSG_STATE_DIR", base: "XDG_STATE_HOME", inHome: ".local/state" });

interface Place {
  readonly own: string;
  readonly base: string;
  readonly inHome: string;
}

const folderOf = (env: Env, { own, base, inHome }: Place): string => {
  const named = env[own];
  if (named) return resolve(named);
  // The standard says that a relative path is to be ignored.
  const standard = env[base];
  if (standard && isAbsolute(standard)) return join(standard, "msg");
  const home = env.HOME || env.USERPROFILE;
  if (home && isAbsolute(home)) return join(home, inHome, "msg");
  throw usageError("there is no home folder to keep settings in: HOME is not set", {
    code: "NoHome",
    todo: `set HOME, or name a folder with ${own}`,
  });
};
