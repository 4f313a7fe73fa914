/**
 * The settings library. The build puts it into a file of its own: most of it is its own schema checker, and a
 * command without settings reads none of it.
 */
import Conf from "conf";
import type { Config } from "./profiles.ts";

/** The settings in config.json of a folder. */
export const openConf = (folder: string): Conf<Config> =>
  new Conf<Config>({
    cwd: folder,
    configName: "config",
    configFileMode: 0o600,
    accessPropertiesByDotNotation: false,
  });
