/** A configuration folder of its own and a store over it. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ConfigStore, openConfig } from "../../src/config/store.ts";
import { diskFiles, type Files } from "../../src/durable/files.ts";
import type { Processes } from "../../src/durable/processes.ts";
import { freshFolder, random } from "../durable/faulty.ts";
import { every, simulated } from "../support/clock.ts";

export const port = {
  pid: process.pid,
  kill: (pid: number, signal: 0) => process.kill(pid, signal),
  every,
  uid: process.getuid?.(),
};

export interface Home {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly store: ConfigStore;
  /** Another process with the same folder, its files through a port. */
  readonly through: (files: Files, processes?: Processes) => ConfigStore;
  /** Writes a file of the folder as a person would, with this mode. */
  readonly put: (name: string, text: string, mode?: number) => string;
}

export const home = (): Home => {
  const folder = join(freshFolder(), "msg");
  const env = { MSG_CONFIG_DIR: folder };
  const { ticks, wait } = simulated();
  const base = { env, port, random, ticks, wait, files: diskFiles };
  return {
    folder,
    env,
    store: openConfig(base),
    through: (files, processes) => openConfig({ ...base, files, ...(processes && { processes }) }),
    put: (name, text, mode = 0o600) => {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const path = join(folder, name);
      writeFileSync(path, text, { mode });
      return path;
    },
  };
};

/** What a promise, or a function, is refused with; undefined when it is not. */
export const refusalOf = async (run: () => unknown): Promise<unknown> => {
  try {
    await run();
    return undefined;
  } catch (error) {
    return error;
  }
};

export const key = (over: Readonly<Record<string, string>> = {}) => ({
  kind: "key" as const,
  apiKey: "KEY0000000000042",
  apiSecret: "S3CRET-canary-0123456789",
  host: "api.example.com",
  dateStored: "2026-01-05T09:00:00.000Z",
  ...over,
});
