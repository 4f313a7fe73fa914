/** What tests run as a process of its own: `child.js <step> <folder>`. */

import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import Conf from "conf";
import { type ConfigStore, openConfig } from "../../src/config/store.ts";
import { diskFiles } from "../../src/durable/files.ts";
import { MsgError } from "../../src/errors.ts";
import { every } from "../support/clock.ts";

const rounds = 50;

/** About 30 KB: more than a disk that is nearly full has left. */
const large = Object.fromEntries(
  Array.from({ length: 300 }, (_, n) => [`profile-${n}`, { from: "0200000000", tz: "Asia/Seoul" }]),
);

const steps: Readonly<Record<string, (store: ConfigStore, folder: string) => Promise<void>>> = {
  /** Adds one to a number in each file, again and again. */
  rounds: async (store) => {
    for (let round = 0; round < rounds; round += 1) {
      await store.update((now) => {
        const count = (now.profiles.shared?.maxCost ?? 0) + 1;
        return { ...now, profiles: { ...now.profiles, shared: { maxCost: count } } };
      });
      await store.updateCredentials((now) => {
        const { shared } = now.profiles;
        const count = (shared?.kind === "key" ? Number(shared.apiSecret) : 0) + 1;
        const entry = { kind: "key", apiKey: "K", host: "h", dateStored: "" } as const;
        return { ...now, profiles: { shared: { ...entry, apiSecret: String(count) } } };
      });
      process.stdout.write(".");
    }
  },
  large: async (store) => {
    await store.update((now) => ({ ...now, profiles: large }));
  },
  /** The same through the writer of `conf` itself. */
  conf: async (_store, folder) => {
    new Conf({ cwd: folder, configName: "config" }).set("profiles", large);
  },
};

const [, , step = "", folder = ""] = process.argv;
const store = openConfig({
  env: { MSG_CONFIG_DIR: folder },
  port: {
    pid: process.pid,
    kill: (pid, signal) => process.kill(pid, signal),
    every,
    uid: process.getuid?.(),
  },
  random: (size) => randomBytes(size),
  ticks: () => performance.now(),
  wait: async (ms) => delay(ms),
  files: diskFiles,
});
try {
  await steps[step]?.(store, folder);
} catch (error) {
  process.stderr.write(String(error));
  process.exitCode = error instanceof MsgError ? error.exitCode : 1;
}
