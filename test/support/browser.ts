/** A real Chromium without a window, for what only a browser can show. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium } from "playwright-core";
import { onTestFinished } from "vitest";

/** A browser of a person: what is set is theirs. */
export type BrowserOptions = Parameters<typeof chromium.launchPersistentContext>[1];

/** Starts a browser with an empty profile that ends with the test. */
export const openBrowser = async (): Promise<BrowserContext> => {
  const { context, close } = await startBrowser();
  onTestFinished(close);
  return context;
};

/**
 * Where the browser lies, with the system libraries that a bare machine lacks. The package takes a file that
 * is there for one that is complete, so each worker unpacks aside and the first one's folder is kept. A
 * process of its own, because the package changes where this one looks for libraries.
 */
const unpacked = (): string => {
  const kept = join(tmpdir(), "msg-chromium");
  if (existsSync(kept)) return kept;
  const aside = mkdtempSync(`${kept}-`);
  const unpack = 'await (await import("@sparticuz/chromium")).default.executablePath()';
  const env = { ...process.env, TMPDIR: aside, AWS_LAMBDA_JS_RUNTIME: "nodejs22.x" };
  execFileSync(process.execPath, ["--input-type=module", "-e", unpack], { env });
  writeFileSync(join(aside, "fonts", "fonts.conf"), fontList(kept));
  try {
    renameSync(aside, kept);
  } catch {
    rmSync(aside, { recursive: true });
  }
  return kept;
};

/** The package's own list names `/tmp` wherever it lies, and a page without any font crashes. */
const fontList = (folder: string): string => {
  const dirs = [join(folder, "fonts"), "/usr/share/fonts"].map((it) => `<dir>${it}</dir>`).join("");
  const cache = `<cachedir>${join(folder, "font-cache")}</cachedir>`;
  return `<?xml version="1.0"?><fontconfig>${dirs}${cache}</fontconfig>\n`;
};

/** Starts a browser that its caller closes. */
export const startBrowser = async (options: BrowserOptions = {}) => {
  const browser = unpacked();
  const folder = mkdtempSync(join(tmpdir(), "msg-browser-"));
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: join(browser, "chromium"),
    env: {
      ...process.env,
      LD_LIBRARY_PATH: join(browser, "al2023", "lib"),
      FONTCONFIG_PATH: join(browser, "fonts"),
    },
    headless: true,
    chromiumSandbox: false,
    args: [
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
    ...options,
  });
  const close = async (): Promise<void> => {
    await context.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { context, close };
};
