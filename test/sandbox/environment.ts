/** A sandbox in a file of its own, with a second look at its tables. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Answer, Method } from "../../src/contract/wire.ts";
import { openSandbox, type SandboxOptions } from "../../src/sandbox/index.ts";
import { openTables } from "../../src/sandbox/store/open-tables.ts";
import { keep, layKept } from "../support/new-sandbox.ts";
import { authorization, secretOf } from "../support/signer.ts";
import { untilStopped } from "./doors.ts";
import type { Answered } from "./replies.ts";

export const start = new Date("2026-01-05T09:00:00.000Z");
export const accountA = "26010500000001";

/** An answer as JSON, with the assumptions that it names. */
export interface Reply extends Answered {
  readonly headers: Readonly<Record<string, string>>;
  readonly assumptions: string[];
}

export interface Env {
  readonly clock: { now: Date };
  readonly folder: string;
  /** A signed request of the caller whose key ends in `key`. */
  call(
    method: Method,
    target: string,
    body?: unknown,
    key?: number,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Reply>;
  /** The bytes of a document. */
  download(target: string): Promise<Uint8Array>;
  /** Lets so many milliseconds pass; what is due happens with the next request. */
  pass(ms: number): void;
  /** Rows straight from the tables. */
  rows<R extends object>(sql: string): R[];
  /** Changes the tables behind the sandbox's back, to what would take too long to reach. */
  run(sql: string): void;
}

const fixtures = "fixtures of seed 1";

/** Opens a sandbox with the fixtures of seed 1, closed when the test ends. */
export const openEnv = async (settings: Pick<SandboxOptions, "slice"> = {}): Promise<Env> => {
  const folder = mkdtempSync(join(tmpdir(), "msg-environment-"));
  const clock = { now: start };
  const file = join(folder, "sandbox.db");
  const isFilled = layKept(fixtures, file);
  const sandbox = openSandbox({
    file,
    now: () => clock.now,
    wait: untilStopped,
    checkAnswers: true,
    ...settings,
  });
  const tables = openTables(file);
  onTestFinished(() => {
    tables.close();
    sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const ask = async (
    ...[method, target, body, key = 1, headers = {}]: Parameters<Env["call"]>
  ): Promise<Answer> => {
    const signing = { apiKey: `SANDBOXKEY00000${key}`, secret: secretOf(key) };
    const date = clock.now.toISOString();
    return sandbox.send(
      {
        method,
        target,
        headers: {
          "content-type": "application/json",
          ...headers,
          authorization: authorization({ ...signing, date }),
        },
        body: body === undefined ? undefined : Buffer.from(JSON.stringify(body)),
      },
      new AbortController().signal,
    );
  };
  const call: Env["call"] = async (...request) => {
    const answer = await ask(...request);
    return {
      status: answer.status,
      headers: answer.headers,
      assumptions: answer.headers["x-sandbox-assumption"]?.split(", ") ?? [],
      body: JSON.parse(Buffer.from(answer.body).toString()),
    };
  };
  if (!isFilled) {
    await call("POST", "/_sandbox/reset", { seed: 1 });
    keep(fixtures, file);
  }
  return {
    clock,
    folder,
    call,
    download: async (target) => (await ask("GET", target)).body,
    pass: (ms) => {
      clock.now = new Date(clock.now.getTime() + ms);
    },
    rows: (sql) => tables.all(sql),
    run: (sql) => tables.exec(sql),
  };
};

/** A short text to one number. */
export const sms = (to: string, members: Readonly<Record<string, unknown>> = {}) => ({
  to,
  from: "0200000000",
  text: "hello",
  ...members,
});

/** The low-balance alert of account A before anyone changed it. */
export const firstAlert = {
  notificationBalance: "0",
  currentBalance: null,
  balances: [200],
  channels: ["SMS"],
  enabled: true,
};
