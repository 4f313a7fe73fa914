/** The server's own beat: what is due happens for those who only watch. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { openSandbox } from "../../../src/sandbox/index.ts";
import { openTables } from "../../../src/sandbox/store/open-tables.ts";
import { authorization } from "../../support/signer.ts";
import { exchange, start } from "../doors.ts";
import { sms } from "../environment.ts";

/** A server whose beats a test lets happen one by one, and a second look at its tables. */
const beating = async (slice?: number) => {
  const folder = mkdtempSync(join(tmpdir(), "msg-beat-"));
  const file = join(folder, "sandbox.db");
  const clock = { now: new Date(start) };
  const waiting: (() => void)[] = [];
  const wait = (_ms: number, signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      waiting.push(resolve);
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
  const sandbox = openSandbox({ file, now: () => clock.now, wait, checkAnswers: true, slice });
  const server = await sandbox.listen({ port: 0 });
  const tables = openTables(file);
  onTestFinished(async () => {
    await server.close();
    tables.close();
    sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const beat = async (): Promise<void> => {
    waiting.shift()?.();
    await turn();
  };
  return { url: server.baseUrl, clock, tables, beat };
};

test("a store that fails for a while does not end the beat of the server", async () => {
  const { url, clock, tables, beat } = await beating();
  const send = { messages: [sms("01000000001")] };
  const headers = {
    authorization: authorization({ date: start }),
    "content-type": "application/json",
  };
  const body = Buffer.from(JSON.stringify(send));
  const sent = await exchange(url, "POST", "/messages/v4/send-many", headers, body);
  expect(sent.status, sent.text).toBe(200);
  clock.now = new Date(clock.now.getTime() + 10_000);
  tables.exec("ALTER TABLE due RENAME TO away");
  await beat();
  tables.exec("ALTER TABLE away RENAME TO due");
  await beat();
  expect(tables.get("SELECT statusCode FROM messages")).toEqual({ statusCode: "4000" });
});

test("a group that is being reported ends where the tick is changed in its middle", async () => {
  const { url, clock, tables } = await beating(1);
  const json = { "content-type": "application/json" };
  const set = (tick: string) =>
    exchange(url, "PUT", "/_sandbox/settings", json, Buffer.from(JSON.stringify({ tick })));
  const groupNow = () =>
    tables.get<{ status: string; ok: number }>("SELECT status, sentSuccess AS ok FROM groups");
  await set("0");
  const messages = ["1", "2", "3", "4"].map((it) => sms(`0101234000${it}`));
  const headers = { authorization: authorization({ date: start }), ...json };
  const body = Buffer.from(JSON.stringify({ messages }));
  await exchange(url, "POST", "/messages/v4/send-many", headers, body);
  while ((groupNow()?.ok ?? 0) === 0) await exchange(url, "GET", "/_sandbox/clock", {});
  expect(groupNow()).toEqual({ status: "SENDING", ok: 1 });
  await set("1s");
  clock.now = new Date(clock.now.getTime() + 60_000);
  for (let turns = 0; turns < 20; turns += 1) await exchange(url, "GET", "/_sandbox/clock", {});
  expect(groupNow()).toEqual({ status: "COMPLETE", ok: 4 });
});
