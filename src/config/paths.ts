/** Where settings and state of this user are kept. */

import { platform } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { usageError } from "../errors.ts";
import { t } from "../locale/locale.ts";

/** Environment variables; an empty one counts as unset. */
export type Env = Readonly<Record<string, string | undefined>>;

/** Folder of config.json and credentials.json. Throws MsgError (usage) if there is no home. */
export const configFolder = (env: Env, system = platform()): string =>
  folderOf(env, system, {
    own: "MSG_CONFIG_DIR",
    base: "XDG_CONFIG_HOME",
    inHome: ".config/msg",
    conventions: {
      darwin: (home) => join(home, "Library/Preferences/msg"),
      win32: (home) => join(env.APPDATA || join(home, "AppData/Roaming"), "msg/Config"),
    },
  });

/** Folder of runs, the sandbox and logs. */
export const stateFolder = (env: Env, system = platform()): string =>
  folderOf(env, system, {
    own: "MSG_STATE_DIR",
    base: "XDG_STATE_HOME",
    inHome: ".local/state/msg",
    conventions: {
      darwin: (home) => join(home, "Library/Application Support/msg"),
      win32: (home) => join(env.LOCALAPPDATA || join(home, "AppData/Local"), "msg/Data"),
    },
  });

/** The home of this user. Throws MsgError (usage) if there is none. */
export const homeFolder = (env: Env, todo = t`set HOME`): string => {
  const home = env.HOME || env.USERPROFILE;
  if (home && isAbsolute(home)) return home;
  throw usageError(t`there is no home folder for settings: HOME is not set`, {
    code: "NoHome",
    todo,
  });
};

interface Place {
  readonly own: string;
  readonly base: string;
  readonly inHome: string;
  /** Systems that have folders of their own, with the names that env-paths uses. */
  readonly conventions: Partial<Record<NodeJS.Platform, (home: string) => string>>;
}

const folderOf = (env: Env, system: NodeJS.Platform, place: Place): string => {
  const named = env[place.own];
  if (named) return resolve(named);
  // The standard says to ignore a relative path.
  const standard = env[place.base];
  if (standard && isAbsolute(standard)) return join(standard, "msg");
  const home = homeFolder(env, t`set HOME, or name a folder with ${place.own}`);
  return place.conventions[system]?.(home) ?? join(home, place.inHome);
};
