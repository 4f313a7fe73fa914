/** Once before all workers: a folder of the run's own for what is temporary, which goes with the run. */
import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
} from "node:fs";
import module from "node:module";
import { platform, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Tests wait for thousands of writes: a folder in memory takes them at once, where the system has a large
 * one that programs can be started in. Containers often have 64 mebibytes.
 */
const base = (): string => {
  const folder = "/dev/shm";
  if (platform() !== "linux" || !existsSync(folder)) return tmpdir();
  const { bavail, bsize } = statfsSync(folder);
  const mounts = readFileSync("/proc/mounts", "utf8").split("\n");
  const isFit = mounts.some((it) => it.includes(` ${folder} tmpfs rw`) && !it.includes("noexec"));
  return isFit && bavail * bsize > 4 * 2 ** 30 ? folder : tmpdir();
};

/**
 * Newer Nodes keep what they compiled of the program for its next start (bin/msg.js), which is half of what a
 * command takes: for older ones it is kept here, once for the run.
 */
const keepCompiled = (folder: string): void => {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  if ("enableCompileCache" in module || !existsSync(join(root, "dist/main.cjs"))) return;
  const home = join(folder, "compiled");
  mkdirSync(home);
  const preload = join(home, "compile-cache.cjs");
  copyFileSync(join(root, "test/support/compile-cache.cjs"), preload);
  const perform = (words: string, input: string): void => {
    const args = ["--require", preload, join(root, "bin/msg.js"), ...words.split(" "), "--sandbox"];
    const env = { HOME: home, LANG: "ko_KR.UTF-8", KEEP_COMPILED: "1" };
    spawnSync(process.execPath, args, { env, input });
  };
  perform("send-many - --from 0200000000 --text x -y", "to\n01000000001\n01000000002\n");
  perform("mcp", "");
};

/** Workers inherit the folder as TMPDIR. */
export default (): (() => void) => {
  const folder = mkdtempSync(join(base(), "msg-tests-"));
  process.env.TMPDIR = folder;
  keepCompiled(folder);
  return () => rmSync(folder, { recursive: true, force: true });
};
