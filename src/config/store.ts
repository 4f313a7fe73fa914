/** The settings and secrets of this user on disk: read, and changed by one process at a time. */

import { join } from "node:path";
import {
  type AtomicWriteOptions,
  ensureNamedDir,
  removeLeftovers,
  removeQuietly,
  temporaryName,
  writeAtomically,
} from "../durable/atomic-write.ts";
import { type Files, fileError, withFileError } from "../durable/files.ts";
import { type LeaseOptions, withExclusiveLock } from "../durable/lease.ts";
import { createProcesses, type Processes, type ProcessPort } from "../durable/processes.ts";
import { usageError } from "../errors.ts";
import { tryJson } from "../json/read-json.ts";
import { t } from "../locale/locale.ts";
import { readCredentials, type StoredCredentials } from "./credentials.ts";
import { configFolder, type Env } from "./paths.ts";
import { type Config, emptyConfig, parseConfig } from "./profiles.ts";

export type ConfigStore = ReturnType<typeof openConfig>;

/** The process as far as files are concerned. */
export interface UserPort extends ProcessPort {
  /** Id of this user; undefined on systems without. */
  readonly uid: number | undefined;
}

export interface ConfigOptions extends Pick<LeaseOptions, "random" | "ticks" | "wait"> {
  readonly env: Env;
  readonly port: UserPort;
  readonly files: Files;
  /** Read from `files` when left out. */
  readonly processes?: Processes;
}

/** As long as a request may take. */
const requestMs = 120_000;

/** Opens and creates nothing until it is used. */
export const openConfig = (options: ConfigOptions) => {
  const { files, port } = options;
  const path = (name: string) => join(configFolder(options.env), name);
  const configFile = () => path("config.json");
  const credentialsFile = () => path("credentials.json");
  const locked = lockedBy(options, path);
  return {
    /** Paths as the operator sees them. Throw MsgError (usage) if there is no home. */
    configFile,
    credentialsFile,
    /** The settings; empty if nothing is stored. Throws MsgError (usage) on a broken file. */
    read: async () => readConfig(files, configFile()),
    /** Changes the settings under a lock; returns what is stored now. */
    update: (change: (config: Config) => Config): Promise<Config> =>
      locked(".lock", async (writer) => {
        const changed = change(readConfig(files, configFile()));
        await writeConfig(writer, configFile(), changed);
        return changed;
      }),
    /** Runs `action` while no other process runs one of that name: it may take as long as a request. */
    withLock: <T>(name: string, action: () => Promise<T>): Promise<T> =>
      locked(`.${name}.lock`, action, requestMs),
    /** The secrets. Throws MsgError (usage) if others may read the file, or it is broken. */
    readCredentials: (): StoredCredentials => {
      // A folder that others may write to bypasses the mode of the file.
      if (withFileError(credentialsFile(), "read", () => files.lstat(credentialsFile())))
        ensureNamedDir(files, configFolder(options.env), port.uid);
      return readCredentials(files, credentialsFile(), port.uid);
    },
    updateCredentials: (change: (stored: StoredCredentials) => StoredCredentials): Promise<void> =>
      locked(".lock", async (writer) => {
        const changed = change(readCredentials(files, credentialsFile(), port.uid));
        const text = `${JSON.stringify(changed, undefined, 2)}\n`;
        writer.assertOwned();
        writeAtomically(files, credentialsFile(), Buffer.from(text), writer);
      }),
  };
};

/** Runs an action under a lock of the settings' folder. */
const lockedBy =
  (options: ConfigOptions, path: (name: string) => string) =>
  async <T>(
    name: string,
    action: (writer: Writer) => Promise<T>,
    maxWaitMs?: number,
  ): Promise<T> => {
    const { files, port, random, ticks, wait } = options;
    ensureNamedDir(files, configFolder(options.env), port.uid);
    const processes = options.processes ?? createProcesses(files, port);
    const leased = { processes, random, ticks, wait, maxWaitMs };
    return withExclusiveLock(files, path(name), leased, ({ assertOwned }) =>
      action({ files, processes, random, assertOwned }),
    );
  };

interface Writer extends AtomicWriteOptions {
  readonly files: Files;
  readonly assertOwned: () => void;
}

/** The settings in config.json; empty if there is none. Throws MsgError (usage). */
const readConfig = (files: Files, file: string): Config => {
  try {
    const found = files.stat(file);
    if (!found) return emptyConfig;
    // Without the byte order mark that editors of Windows begin a file with.
    if (found.kind === "file") return parseConfig(new TextDecoder().decode(files.read(file)), file);
  } catch (error) {
    throw fileError(error, t`read '${file}'`, file);
  }
  throw usageError(t`'${file}' is not a file`, {
    code: "BrokenFile",
    where: file,
    todo: t`move it away`,
  });
};

/** Through links: many keep their settings in a folder of dot files. */
const writeConfig = async (writer: Writer, file: string, config: Config): Promise<void> => {
  const { files, processes } = writer;
  removeLeftovers(files, file, processes);
  const folder = temporaryName(file, writer);
  try {
    const target = files.lstat(file)?.kind === "link" ? files.real(file) : file;
    files.makeFolder(folder, 0o700);
    const bytes = await serialise(folder, config, files.read);
    writer.assertOwned();
    writeAtomically(files, target, bytes, writer);
  } catch (error) {
    throw fileError(error, t`write '${file}'`, file);
  } finally {
    removeQuietly(files, folder);
  }
};

/**
 * These settings as the bytes of a file. `conf` writes into `folder`, a fresh one, where a disk that
 * becomes full silently truncates the file; so the result is read back and compared.
 */
const serialise = async (
  folder: string,
  config: Config,
  read: (path: string) => Uint8Array,
): Promise<Uint8Array> => {
  // Loading conf takes longer than the rest of a short command, so only a change loads it.
  const { openConf } = await import("./conf.ts");
  const conf = openConf(folder);
  conf.store = config;
  const bytes = read(conf.path);
  const written = tryJson(Buffer.from(bytes).toString());
  if (JSON.stringify(written) === JSON.stringify(config)) return bytes;
  throw usageError(t`the settings could not be written completely`, {
    code: "FileProblem",
    where: folder,
    todo: t`free some space and ${t`run the command again`}; what was stored before is untouched`,
  });
};
