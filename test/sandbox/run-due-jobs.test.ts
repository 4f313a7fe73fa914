import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { contract } from "../../src/contract/index.ts";
import { type Env, openEnv, sms } from "./environment.ts";
import { balanceOf } from "./money.ts";
import { replyOf } from "./replies.ts";

const send = async (env: Env, messages: unknown[], members: object = {}) =>
  replyOf(
    contract.sendManyDetail,
    await env.call("POST", "/messages/v4/send-many/detail", { messages, ...members }),
  );

/** The messages of the sandbox by recipient, after whatever is due. */
const listed = async (env: Env) => {
  const told = await env.call("GET", "/messages/v4/list?limit=500");
  const { messageList } = replyOf(contract.listMessages, told);
  return Object.fromEntries(Object.values(messageList).map((row) => [row.to, row]));
};
const group = async (env: Env) => {
  await env.call("GET", "/cash/v1/balance");
  return env.rows<Record<string, number | string>>("SELECT * FROM groups ORDER BY seq DESC")[0];
};

describe("delivery", () => {
  test("accepted at once, at the carrier after one tick, delivered after two", async () => {
    const env = await openEnv();
    await send(env, [sms("01012345678")]);
    expect((await listed(env))["01012345678"]).toMatchObject({
      status: "PENDING",
      statusCode: "2000",
      networkName: "ETC",
      queues: [],
      dateProcessed: null,
    });
    env.pass(999);
    expect((await listed(env))["01012345678"]).toMatchObject({ statusCode: "2000" });
    env.pass(1);
    expect((await listed(env))["01012345678"]).toMatchObject({
      status: "SENDING",
      statusCode: "3000",
      currentQueue: "sms",
      dateProcessed: "2026-01-05T09:00:01.000Z",
      dateReported: null,
    });
    env.pass(1000);
    expect((await listed(env))["01012345678"]).toMatchObject({
      status: "COMPLETE",
      statusCode: "4000",
      reason: "delivered",
      networkCode: "10001",
      networkName: "SKT",
      queues: [{ name: "sms", statusCode: "4000" }],
      currentQueue: null,
      dateReceived: "2026-01-05T09:00:02.000Z",
      dateUpdated: "2026-01-05T09:00:02.000Z",
    });
  });

  test("what is noticed late happened at its own time", async () => {
    const env = await openEnv();
    await send(env, [sms("01012345678")]);
    env.pass(86_400_000);
    expect((await listed(env))["01012345678"]).toMatchObject({
      dateProcessed: "2026-01-05T09:00:01.000Z",
      dateReported: "2026-01-05T09:00:02.000Z",
    });
    expect(await group(env)).toMatchObject({
      status: "COMPLETE",
      completed: Date.parse("2026-01-05T09:00:02.000Z"),
    });
  });

  test("the recipient decides how a message ends", async () => {
    const env = await openEnv();
    const codes = ["1060", "2062", "2000", "3000", "3104", "4000", "7777"];
    await send(
      env,
      codes.map((code) => sms(`0100000${code}`)),
    );
    const states = async () => {
      const rows = await listed(env);
      return codes.map((code) => rows[`0100000${code}`]?.statusCode);
    };
    expect(await states()).toEqual(["1060", "2000", "2000", "2000", "2000", "2000", "2000"]);
    env.pass(1000);
    expect(await states()).toEqual(["1060", "2062", "2000", "3000", "3000", "3000", "3000"]);
    env.pass(1000);
    expect(await states()).toEqual(["1060", "2062", "2000", "3000", "3104", "4000", "4000"]);
    expect(await group(env)).toMatchObject({
      status: "SENDING",
      sentTotal: 5,
      sentPending: 1,
      sentSuccess: 2,
      sentFailed: 2,
      refunded: 2,
    });
  });

  test("a tick of 0 resolves everything after the answer", async () => {
    const env = await openEnv();
    await env.call("PUT", "/_sandbox/settings", { tick: "0" });
    const { groupInfo } = await send(env, [sms("01012345678")]);
    expect(groupInfo).toMatchObject({ status: "SENDING", count: { sentTotal: 0 } });
    expect((await listed(env))["01012345678"]).toMatchObject({ statusCode: "4000" });
  });
});

describe("refunds", () => {
  test("failed messages are given back to the balance first, up to what it paid", async () => {
    const env = await openEnv();
    await env.call("PUT", "/_sandbox/settings", { balance: 100, point: 50 });
    await send(
      env,
      ["3104", "3042", "3041", "4000"].map((code) => sms(`0100000${code}`)),
    );
    expect(await group(env)).toMatchObject({ pointRequested: 50, balanceRequested: 30 });
    env.pass(2000);
    const done = await group(env);
    expect(done).toMatchObject({
      status: "COMPLETE",
      refunded: 3,
      balanceRefund: 30,
      pointRefund: 30,
    });
    const log = v.parse(v.array(v.unknown()), JSON.parse(String(done?.log)));
    expect(log.slice(-2)).toEqual([
      { createAt: "2026-01-05T09:00:02.000Z", message: "all results received" },
      {
        createAt: "2026-01-05T09:00:02.000Z",
        message: "failed messages refunded",
        oldBalance: 70,
        newBalance: 100,
        oldPoint: 0,
        newPoint: 30,
        totalPrice: 60,
      },
    ]);
    const left = await balanceOf(env);
    expect([left.balance, left.point]).toEqual([100, 30]);
  });

  test("without a failure nothing is given back", async () => {
    const env = await openEnv();
    await send(env, [sms("01012345678")]);
    env.pass(2000);
    expect(await group(env)).toMatchObject({
      refunded: 0,
      balanceRefund: 0,
      pointRefund: 0,
    });
    expect(env.rows("SELECT seq FROM ledger WHERE groupSeq IS NOT NULL")).toHaveLength(1);
  });
});

describe("schedules", () => {
  test("a scheduled group is charged and sent at its hour, not before", async () => {
    const env = await openEnv();
    await send(env, [sms("01012345678")], { scheduledDate: "2026-01-05T10:00:00Z" });
    env.pass(3_599_999);
    expect(await group(env)).toMatchObject({ status: "SCHEDULED", pointRequested: 0 });
    env.pass(1);
    expect(await group(env)).toMatchObject({
      status: "SENDING",
      pointRequested: 20,
      sent: Date.parse("2026-01-05T10:00:00Z"),
    });
    env.pass(2000);
    expect(await group(env)).toMatchObject({ status: "COMPLETE", sentSuccess: 1 });
  });

  test("when money lacks at the hour the group fails and its messages end with 1030", async () => {
    const env = await openEnv();
    const messages = [sms("01012345678"), sms("01012345678")];
    await send(env, messages, { scheduledDate: "2026-01-05T10:00:00Z" });
    await env.call("PUT", "/_sandbox/settings", { balance: 0, point: 0 });
    env.pass(3_600_000);
    expect(await group(env)).toMatchObject({
      status: "FAILED",
      registeredSuccess: 0,
      registeredFailed: 2,
      pointRequested: 0,
    });
    expect(env.rows("SELECT statusCode FROM messages ORDER BY seq")).toMatchObject([
      { statusCode: "1030" },
      { statusCode: "1026" },
    ]);
  });

  test("money that comes back earlier pays for what fires later, in order of time", async () => {
    const env = await openEnv();
    await env.call("PUT", "/_sandbox/settings", { balance: 0, point: 20 });
    await send(env, [sms("01012345678")], { scheduledDate: "2026-01-05T09:00:10Z" });
    await send(env, [sms("01000003104")]);
    env.pass(60_000);
    expect(await group(env)).toMatchObject({ status: "COMPLETE", pointRefund: 20 });
    expect(env.rows("SELECT status FROM groups WHERE seq = 1")).toMatchObject([
      { status: "COMPLETE" },
    ]);
  });
});
