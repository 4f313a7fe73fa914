/**
 * config.json through `conf`, which reads and serialises. It never writes the file itself: on a
 * full disk it would cut a good file.
 */
import { dirname, join } from "node:path";
import { usageError } from "../../errors.ts";
import { type Config, emptyConfig, parseConfig } from "./profiles.ts";

/** The settings in a file named config.json; empty where there is none. Throws MsgError (usage). */
export const readConf = async (file: string): Promise<Config> => {
  const { store } = await open(dirname(file));
  // A file that went away since it was looked for reads as an object without members.
  return Object.keys(store).length === 0 ? emptyConfig : store;
};

/**
 * These settings as the bytes of a file. `conf` writes into `folder`, a fresh one, where a disk that
 * becomes full cuts the file without a word; so what it wrote is read back and compared.
 */
export const serialise = async (
  folder: string,
  config: Config,
  read: (path: string) => Uint8Array,
): Promise<Uint8Array> => {
  const conf = await open(folder);
  conf.store = config;
  const bytes = read(conf.path);
  if (isComplete(Buffer.from(bytes).toString(), config)) return bytes;
  throw usageError("the settings could not be written whole", {
    code: "FileProblem",
    where: folder,
    todo: "free some space and run the command again; what was stored before is untouched",
  });
};

const open = async (folder: string) => {
  const { default: Conf } = await import("conf");
  return new Conf<Config>({
    cwd: folder,
    configName: "config",
    configFileMode: 0o600,
    accessPropertiesByDotNotation: false,
    deserialize: (text) => parseConfig(text, join(folder, "config.json")),
  });
};

const isComplete = (text: string, config: Config): boolean => {
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(config);
  } catch {
    return false;
  }
};
