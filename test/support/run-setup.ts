/** Once before all workers: a folder of the run's own, which goes with it, and a browser unpacked in it. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { platform, tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Tests wait for thousands of writes: a folder in memory takes them at once, where the system has a large
 * one that programs can be started in. Containers often have 64 mebibytes.
 */
const base = (): string => {
  const folder = "/dev/shm";
  if (platform() !== "linux") return tmpdir();
  const { bavail, bsize } = statfsSync(folder);
  const mounts = readFileSync("/proc/mounts", "utf8").split("\n");
  const isFit = mounts.some((it) => it.includes(` ${folder} tmpfs rw`) && !it.includes("noexec"));
  return isFit && bavail * bsize > 4 * 2 ** 30 ? folder : tmpdir();
};

/**
 * The package takes a file that is there for one that is complete: two workers that unpack at once start half
 * a browser. Its list of font folders names `/tmp` wherever it lies, and a page without any font crashes.
 * A process of its own, because the package changes where this one looks for libraries.
 */
const unpackBrowser = (folder: string): void => {
  const unpack = 'await (await import("@sparticuz/chromium")).default.executablePath()';
  const env = { ...process.env, AWS_LAMBDA_JS_RUNTIME: "nodejs22.x" };
  execFileSync(process.execPath, ["--input-type=module", "-e", unpack], { env });
  const fonts = join(folder, "fonts");
  const dirs = [fonts, "/usr/share/fonts"].map((it) => `<dir>${it}</dir>`).join("");
  const cache = `<cachedir>${join(folder, "font-cache")}</cachedir>`;
  writeFileSync(
    join(fonts, "fonts.conf"),
    `<?xml version="1.0"?><fontconfig>${dirs}${cache}</fontconfig>\n`,
  );
};

/** Workers inherit the folder as TMPDIR. */
export default (): (() => void) => {
  const folder = mkdtempSync(join(base(), "msg-tests-"));
  process.env.TMPDIR = folder;
  if (platform() === "linux") unpackBrowser(folder);
  return () => rmSync(folder, { recursive: true, force: true });
};
