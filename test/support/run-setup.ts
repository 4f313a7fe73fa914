/** Once before all workers: a folder of the run's own for what is temporary, which goes with the run. */
import { existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { platform, tmpdir } from "node:os";
import { join } from "node:path";

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

/** Workers inherit the folder as TMPDIR. */
export default (): (() => void) => {
  const folder = mkdtempSync(join(base(), "msg-tests-"));
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true });
};
