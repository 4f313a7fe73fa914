import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { beforeAll, describe, expect, test } from "vitest";
import { freshFolder } from "../durable/faulty.ts";
import { home } from "./home.ts";

const run = promisify(execFile);
const script = join(freshFolder(), "child.mjs");

beforeAll(async () => {
  await build({
    entryPoints: [new URL("child.ts", import.meta.url).pathname],
    outfile: script,
    bundle: true,
    platform: "node",
    format: "esm",
  });
});

/** The script under a shell's limits; answers the exit code. */
const limited = async (limits: string, step: string, folder: string): Promise<number> => {
  const line = `${limits}; exec "$0" "$@"`;
  const child = run("sh", ["-c", line, process.execPath, script, step, folder]);
  await child.catch(() => undefined);
  return child.child.exitCode ?? -1;
};

const modeOf = (path: string): number => statSync(path).mode & 0o777;

test("C03 two processes that change the same files lose no change, and readers see whole files", async () => {
  const { folder, store } = home();
  const start = (): ChildProcess =>
    spawn(process.execPath, [script, "rounds", folder], { stdio: ["ignore", "pipe", "inherit"] });
  const children = [start(), start()];
  const reading = children.map(async (child) => {
    for await (const _round of child.stdout ?? []) {
      await store.read();
      store.readCredentials();
    }
  });
  const codes = children.map(async (child) => (await once(child, "exit"))[0]);
  expect(await Promise.all(codes)).toEqual([0, 0]);
  await Promise.all(reading);
  expect((await store.read()).profiles.shared?.maxCost).toBe(100);
  expect(store.readCredentials().profiles.shared).toMatchObject({ apiSecret: "100" });
  expect(readdirSync(folder).sort()).toEqual([".lock", "config.json", "credentials.json"]);
  expect([store.configFile(), store.credentialsFile()].map(modeOf)).toEqual([0o600, 0o600]);
});

test.each(["000", "077"])("C09 under umask %s files are 0600 and folders 0700", async (mask) => {
  const { folder, store } = home();
  expect(await limited(`umask ${mask}`, "large", folder)).toBe(0);
  expect([folder, store.configFile()].map(modeOf)).toEqual([0o700, 0o600]);
});

describe("D10 a limit that cuts a write short", () => {
  // A write that crosses the limit takes what fits and reports no error, as on a full disk.
  const limits = "ulimit -f 20";

  test("the old settings are intact, and the command says so with exit 2", async () => {
    const { folder, store } = home();
    await store.update((now) => ({ ...now, current: "kept", profiles: { kept: {} } }));
    const before = readFileSync(store.configFile());
    expect(await limited(limits, "large", folder)).toBe(2);
    expect(readFileSync(store.configFile())).toEqual(before);
    expect(readdirSync(folder)).toEqual([".lock", "config.json"]);
  });

  test("negative control: the writer of conf itself reports success and has cut the file", async () => {
    const { folder, store } = home();
    await store.update((now) => ({ ...now, current: "kept", profiles: { kept: {} } }));
    expect(await limited(limits, "conf", folder)).toBe(0);
    expect(() => JSON.parse(readFileSync(store.configFile(), "utf8"))).toThrow(SyntaxError);
  });
});
