/** A server that is killed between the slices of due work goes on where it was: no refund is lost or doubled. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { contract } from "../../../src/contract/index.ts";
import type { Method } from "../../../src/contract/wire.ts";
import { openSandbox } from "../../../src/sandbox/index.ts";
import { openTables } from "../../../src/sandbox/store/open-tables.ts";
import { ended, type Program, program, root, sandboxServer } from "../../e2e/program.ts";
import { checkBooks } from "../../support/books.ts";
import { authorization } from "../../support/signer.ts";
import { exchange, untilStopped } from "../doors.ts";
import { openEnv } from "../environment.ts";
import { groups } from "../handlers/group-environment.ts";
import { type Answered, jsonOf, replyOf } from "../replies.ts";

/** Kills its own process at the n-th commit: as it is about to be made, or right behind it. */
const suicidal = `
const { createRequire, isBuiltin } = require("node:module");
const Engine = isBuiltin("node:sqlite")
  ? require("node:sqlite").DatabaseSync
  : createRequire(process.env.KILL_ROOT)("libsql");
const { exec } = Engine.prototype;
let left = Number(process.env.KILL_AT);
const kill = () => process.kill(process.pid, "SIGKILL");
Engine.prototype.exec = function (sql) {
  const isLast = sql === "COMMIT" && --left === 0;
  if (isLast && process.env.KILL_WHEN === "before") kill();
  const result = exec.call(this, sql);
  if (isLast) kill();
  return result;
};`;

/** A server without a request, killed at a slice of its own. */
const killedAt = async (
  msg: Program,
  file: string,
  when: "before" | "behind",
  commit: number,
): Promise<void> => {
  const script = join(msg.folder, "suicidal.cjs");
  writeFileSync(script, suicidal);
  const env = {
    ...{ NODE_OPTIONS: `--require ${script}`, KILL_ROOT: join(root, "package.json") },
    ...{ KILL_AT: String(commit), KILL_WHEN: when },
  };
  const child = msg.start(["sandbox", "start", "--port", "0", "--data", file], { env });
  expect((await ended(child)).code).toBeNull();
};

type Call = (method: Method, target: string, body?: unknown) => Promise<Answered>;

const overHttp =
  (url: string): Call =>
  async (method, target, content) => {
    const headers = { authorization: authorization(), "content-type": "application/json" };
    const body = content === undefined ? undefined : Buffer.from(JSON.stringify(content));
    return jsonOf(await exchange(url, method, target, headers, body));
  };

/** Those of the third call fail at the carrier, and each has another in its place. */
const calls = [
  { to: Array.from({ length: 10_000 }, (_, at) => `0102${String(at).padStart(7, "0")}`) },
  { to: Array.from({ length: 10_000 }, (_, at) => (at % 4 ? "01000000001" : "01000002062")) },
  {
    to: Array.from({ length: 6_000 }, () => "01000003042"),
    replacements: [{ to: "01000000002", text: "instead" }],
  },
];

/** Sends a group of 26,000 messages; answers its path. */
const sendGroup = async (call: Call): Promise<string> => {
  await call("PUT", "/_sandbox/settings", { tick: "1h" });
  const made = await call("POST", groups, { allowDuplicates: true });
  const { groupId } = replyOf(contract.createGroup, made);
  for (const members of calls) {
    const messages = [{ from: "0200000000", text: "hello", ...members }];
    const told = await call("PUT", `${groups}/${groupId}/messages`, { messages });
    expect(replyOf(contract.addGroupMessages, told).errorCount).toBe(0);
  }
  replyOf(contract.sendGroup, await call("POST", `${groups}/${groupId}/send`, {}));
  return `${groups}/${groupId}`;
};

const read = async (call: Call, path: string) =>
  replyOf(contract.readGroup, await call("GET", path));

/** Moves the clock of a sandbox that no server serves; what falls due is left to the next one. */
const passHour = async (file: string): Promise<void> => {
  const sandbox = openSandbox({ file, now: () => new Date(), wait: untilStopped });
  const target = "/_sandbox/clock";
  const headers = { "content-type": "application/json" };
  const body = Buffer.from(JSON.stringify({ advance: "1h" }));
  const request = { method: "PUT", target, headers, body } as const;
  expect((await sandbox.send(request, new AbortController().signal)).status).toBe(200);
  sandbox.close();
};

const until = async (isReached: () => Promise<boolean>): Promise<void> => {
  while (!(await isReached())) await wait(20);
};

/** What of group and money is the same whenever it happens. */
const seen = async (call: Call, path: string) => {
  const { status, count, countForCharge, balance, point, log } = await read(call, path);
  const told = await call("GET", "/cash/v1/balance/history?limit=100");
  return {
    ...{ status, count, countForCharge, balance, point },
    log: log.map(({ createAt: _, ...line }) => line),
    history: replyOf(contract.listHistory, told).map(
      ({ type, balanceAmount, newBalance, pointAmount, newPoint }) => ({
        ...{ type, balanceAmount, newBalance, pointAmount, newPoint },
      }),
    ),
  };
};

const messagesSql = `SELECT seq, recipient, text, type, statusCode, price, replacement
  FROM messages ORDER BY seq`;

test("killed between slices and started again, it ends as the sandbox in this process", async () => {
  const env = await openEnv();
  const groupPath = await sendGroup(env.call);
  env.pass(10 * 3_600_000);
  const expected = await seen(env.call, groupPath);
  expect(expected).toMatchObject({
    status: "COMPLETE",
    count: { sentTotal: 32_000, sentFailed: 8_500, refund: 8_500, sentReplacement: 6_000 },
  });

  const msg = program();
  const file = join(msg.folder, "s.db");
  const filling = await sandboxServer(msg, ["--data", file]);
  await overHttp(filling.baseUrl)("POST", "/_sandbox/reset", { seed: 1 });
  const path = await sendGroup(overHttp(filling.baseUrl));
  await filling.stop();
  const tables = openTables(file);
  onTestFinished(() => tables.close());
  const row = () =>
    tables.get("SELECT sentTotal, sentSuccess, sentReplacement, refunded FROM groups");

  await passHour(file);
  await killedAt(msg, file, "before", 2);
  expect(row()).toMatchObject({ sentTotal: 5_000, refunded: 0 });
  await killedAt(msg, file, "behind", 2);
  expect(row()).toMatchObject({ sentTotal: 15_000, refunded: 0 });
  const handingOver = await sandboxServer(msg, ["--data", file]);
  await until(async () => {
    const { count } = await read(overHttp(handingOver.baseUrl), path);
    return count.sentTotal === 26_000;
  });
  await handingOver.stop();
  expect(row()).toMatchObject({ sentSuccess: 0, refunded: 2_500 });

  await passHour(file);
  await killedAt(msg, file, "before", 2);
  expect(row()).toMatchObject({ sentSuccess: 5_000, refunded: 2_500 });
  // Behind the last slice of reports and the first of three that replace.
  await killedAt(msg, file, "behind", 5);
  expect(row()).toMatchObject({ sentSuccess: 17_500, refunded: 8_500, sentReplacement: 2_500 });
  const last = await sandboxServer(msg, ["--data", file]);
  const call = overHttp(last.baseUrl);
  await call("PUT", "/_sandbox/clock", { advance: "5h" });
  await until(async () => (await read(call, path)).status === "COMPLETE");
  expect(await seen(call, path)).toEqual(expected);
  await last.stop();
  expect(tables.all(messagesSql)).toEqual(env.rows(messagesSql));
  checkBooks({ rows: (sql) => tables.all(sql) });
}, 120_000);
