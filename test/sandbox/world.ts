/** A sandbox in a file of its own, with a second look at its tables. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Method } from "../../src/contract/wire.ts";
import { openSandbox } from "../../src/sandbox/index.ts";
import { openTables } from "../../src/sandbox/store/open.ts";
import { authorization, secretOf } from "../support/signer.ts";
import { untilStopped } from "./doors.ts";

export const start = new Date("2026-01-05T09:00:00.000Z");
export const accountA = "26010500000001";

/** An answer as JSON, with its status and the assumptions that it names. */
export interface Told {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly assumptions: string[];
  /** Tests read members of every kind of answer. */
  readonly body: ReturnType<typeof JSON.parse>;
}

export interface World {
  readonly clock: { now: Date };
  readonly folder: string;
  /** A signed request of the caller whose key ends in `key`. */
  call(
    method: Method,
    target: string,
    body?: unknown,
    key?: number,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Told>;
  /** Lets so many milliseconds pass; what is due happens with the next request. */
  pass(ms: number): void;
  /** Rows straight from the tables. */
  rows<R extends object>(sql: string): R[];
}

/** Opens a sandbox with the fixtures of seed 1, closed when the test ends. */
export const openWorld = async (): Promise<World> => {
  const folder = mkdtempSync(join(tmpdir(), "msg-world-"));
  const clock = { now: start };
  const file = join(folder, "sandbox.db");
  const sandbox = openSandbox({
    file,
    now: () => clock.now,
    wait: untilStopped,
    checkAnswers: true,
  });
  const tables = openTables(file);
  onTestFinished(() => {
    tables.close();
    sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const call: World["call"] = async (method, target, body, key = 1, headers = {}) => {
    const date = clock.now.toISOString();
    const signing = { apiKey: `SANDBOXKEY00000${key}`, secret: secretOf(key) };
    const answer = await sandbox.send(
      {
        method,
        target,
        headers: { ...headers, authorization: authorization({ ...signing, date }) },
        body: body === undefined ? undefined : Buffer.from(JSON.stringify(body)),
      },
      new AbortController().signal,
    );
    return {
      status: answer.status,
      headers: answer.headers,
      assumptions: answer.headers["x-sandbox-assumption"]?.split(", ") ?? [],
      body: JSON.parse(Buffer.from(answer.body).toString()),
    };
  };
  await call("POST", "/_sandbox/reset", { seed: 1 });
  return {
    clock,
    folder,
    call,
    pass: (ms) => {
      clock.now = new Date(clock.now.getTime() + ms);
    },
    rows: (sql) => tables.all(sql),
  };
};

/** A short text to one number. */
export const sms = (to: string, members: Readonly<Record<string, unknown>> = {}) => ({
  to,
  from: "0200000000",
  text: "hello",
  ...members,
});
