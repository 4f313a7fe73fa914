/** A real Chromium without a window, for what only a browser can show. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium as playwright } from "playwright-core";
import { onTestFinished } from "vitest";

/** A browser of a person: what is set is theirs. */
export type BrowserOptions = Parameters<typeof playwright.launchPersistentContext>[1];

/** Starts a browser with an empty profile that ends with the test. */
export const openBrowser = async (): Promise<BrowserContext> => {
  const { context, close } = await startBrowser();
  onTestFinished(close);
  return context;
};

/**
 * Starts a browser that its caller closes. The package brings the system libraries that a bare
 * machine lacks, and unpacks them where this variable says that it runs on one.
 */
export const startBrowser = async (options: BrowserOptions = {}) => {
  process.env.AWS_LAMBDA_JS_RUNTIME ??= "nodejs22.x";
  const { default: chromium } = await import("@sparticuz/chromium");
  const folder = mkdtempSync(join(tmpdir(), "msg-browser-"));
  const context = await playwright.launchPersistentContext(folder, {
    executablePath: await chromium.executablePath(),
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
