/** A person who looks at the pages of a sandbox: one server and one browser for all tests of a file. */
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { openServer } from "../sandbox/serve.ts";
import { startBrowser } from "../support/browser.ts";
import { shell } from "../support/msg.ts";

/** A browser shares the machine with everything else that is tested. */
export const patience = { timeout: 60_000 };

/** A page with what it must never do; `visit` looks whether it did. */
export interface Visited {
  readonly page: Page;
  /** Errors of the console, dialogs, and requests that went elsewhere. */
  readonly wrongs: readonly string[];
}

/**
 * `msg` and the server are on one file, as `msg --sandbox` in one terminal and `msg sandbox start` in
 * another are: the pages see what the other wrote.
 */
export const visitor = () => {
  const msg = shell();
  const opened: {
    served?: Awaited<ReturnType<typeof openServer>>;
    context?: BrowserContext;
    close?: () => Promise<void>;
  } = {};
  beforeAll(async () => {
    // The first command makes the file where --sandbox keeps it.
    expect((await msg("balance --sandbox")).code).toBe(0);
    opened.served = await openServer({
      file: join(msg.folder, "state", "sandbox", "sandbox.db"),
      now: () => new Date(),
      wait: (ms, signal) => delay(ms, undefined, { signal }),
    });
    Object.assign(opened, await startBrowser({ locale: "en-US" }));
  }, patience.timeout);
  afterAll(async () => {
    await opened.close?.();
    await opened.served?.close();
  });
  const base = (): string => opened.served?.url ?? "";
  const open = async (address: string): Promise<Visited> => {
    const page = await opened.context?.newPage();
    if (page === undefined) throw new Error("the browser did not start");
    const wrongs: string[] = [];
    page.on("console", (it) => void (it.type() === "error" && wrongs.push(it.text())));
    page.on("pageerror", (it) => void wrongs.push(it.message));
    page.on("dialog", (it) => {
      wrongs.push(`dialog ${it.message()}`);
      void it.dismiss();
    });
    const { origin } = new URL(address);
    page.on("request", (it) => void (it.url().startsWith(origin) || wrongs.push(it.url())));
    await page.goto(address);
    return { page, wrongs };
  };
  return { msg, base, open, visit: (path: string) => open(base() + path) };
};

/** Sends and says how; the commands of a test must not fail. */
export const sendFrom =
  (msg: ReturnType<typeof shell>) =>
  async (to: string, text: string, ...more: readonly string[]): Promise<void> => {
    const line = ["send", "--sandbox", "-y", "--to", to, "--from", "0200000000", "--text", text];
    const { code, err } = await msg([...line, ...more]);
    expect(code, err).toBe(0);
  };
