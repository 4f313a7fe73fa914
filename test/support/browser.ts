/** A real Chromium without a window, for what only a browser can show. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium as playwright } from "playwright-core";
import { onTestFinished } from "vitest";

/**
 * Starts a browser with an empty profile that ends with the test. The package brings the system
 * libraries that a bare machine lacks, and unpacks them where this variable says that it runs on one.
 */
export const openBrowser = async (): Promise<BrowserContext> => {
  process.env.AWS_LAMBDA_JS_RUNTIME ??= "nodejs22.x";
  const { default: chromium } = await import("@sparticuz/chromium");
  const folder = mkdtempSync(join(tmpdir(), "msg-browser-"));
  const browser = await playwright.launchPersistentContext(folder, {
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
  });
  onTestFinished(async () => {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return browser;
};
