import { describe, expect, test } from "vitest";
import { contract } from "../../../src/contract/index.ts";
import { accountA, openEnv, sms, start } from "../environment.ts";
import { balanceOf } from "../money.ts";
import { errorCodeOf, replyOf } from "../replies.ts";
import { readGroup } from "./group-environment.ts";

const now = start.toISOString();

describe("POST send", () => {
  test("an accepted message is answered with its ids, charged from the points, and logged", async () => {
    const env = await openEnv();
    const { status, body } = await env.call("POST", "/messages/v4/send", {
      message: sms("010-1234-5678", { customFields: { order: "7" } }),
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      groupId: expect.stringMatching(/^G4V20260105180000[0-9A-Z]{15}$/),
      messageId: expect.stringMatching(/^M4V20260105180000[0-9A-Z]{15}$/),
      accountId: accountA,
      to: "01012345678",
      from: "0200000000",
      type: "SMS",
      country: "82",
      statusCode: "2000",
      statusMessage: "accepted, waiting for the carrier",
      customFields: { order: "7" },
    });
    const balance = await balanceOf(env);
    expect([balance.balance, balance.point]).toEqual([1_000_000, 4980]);
  });

  test("the group says what the call said", async () => {
    const env = await openEnv();
    const said = { strict: true, allowDuplicates: true };
    const agent = { sdkVersion: "sample/1", osPlatform: "linux" };
    const message = sms("01012345678");
    const told = await env.call("POST", "/messages/v4/send", { message, agent, ...said });
    const { groupId } = replyOf(contract.sendMessage, told);
    expect(await readGroup(env, groupId)).toMatchObject({ ...said, ...agent });
  });

  test("a refused message is 400 with its code, and its group stays as FAILED, uncharged", async () => {
    const env = await openEnv();
    const { status, body, assumptions } = await env.call("POST", "/messages/v4/send", {
      message: sms("01012345678", { from: "0311112222" }),
    });
    expect(status).toBe(400);
    expect(body).toEqual({
      errorCode: "FailedToAddMessage",
      errorMessage: "1062, sender number not registered",
    });
    expect(assumptions).toContain("single-refusal");
    expect(env.rows("SELECT status, registeredFailed, price FROM groups")).toMatchObject([
      { status: "FAILED", registeredFailed: 1, price: 0 },
    ]);
    const listed = await env.call("GET", "/messages/v4/list");
    const { messageList } = replyOf(contract.listMessages, listed);
    expect(Object.values(messageList)).toMatchObject([{ statusCode: "1062", status: "FAILED" }]);
    expect((await balanceOf(env)).point).toBe(5000);
  });

  test("without money it is 402, and the group stays as FAILED with its message at 1030", async () => {
    const env = await openEnv();
    await env.call("PUT", "/_sandbox/settings", { balance: 10, point: 9 });
    const told = await env.call("POST", "/messages/v4/send", {
      message: sms("01012345678"),
    });
    expect([told.status, errorCodeOf(told)]).toEqual([402, "NotEnoughBalance"]);
    expect(env.rows("SELECT status, registeredFailed, log FROM groups")).toMatchObject([
      { status: "FAILED", registeredFailed: 1, log: expect.stringContaining("balance too low") },
    ]);
    expect(env.rows("SELECT statusCode FROM messages")).toMatchObject([{ statusCode: "1030" }]);
  });

  test("beyond the quota it is 400 and says so", async () => {
    const env = await openEnv();
    await env.call("PUT", "/_sandbox/settings", { quota: 1 });
    const message = sms("01012345678");
    expect((await env.call("POST", "/messages/v4/send", { message })).status).toBe(200);
    const { status, body } = await env.call("POST", "/messages/v4/send", { message });
    expect(status).toBe(400);
    expect(body).toEqual({
      errorCode: "FailedToAddMessage",
      errorMessage: "1030, daily send quota exceeded",
    });
    // Midnight in Korea is 15:00 UTC.
    env.pass(6 * 3_600_000);
    expect((await env.call("POST", "/messages/v4/send", { message })).status).toBe(200);
  });

  test("several recipients, an unknown app, or no message are 400 before anything is stored", async () => {
    const env = await openEnv();
    const bodies = [
      { message: sms("01012345678", { to: ["01012345678"] }) },
      { message: sms("01012345678"), agent: { appId: "NOSUCHAPP" } },
      {},
    ];
    const codes = [];
    for (const body of bodies) {
      codes.push(errorCodeOf(await env.call("POST", "/messages/v4/send", body)));
    }
    expect(codes).toEqual(["ValidationError", "InvalidAppId", "ValidationError"]);
    expect(env.rows("SELECT seq FROM groups")).toEqual([]);
  });
});

describe("POST send-many", () => {
  test("the group shows counts, money, log and unit of every accepted message", async () => {
    const env = await openEnv();
    const told = await env.call("POST", "/messages/v4/send-many", {
      messages: [
        sms("01000000001"),
        sms("01000000001"),
        sms("01000000002", { subject: "title" }),
        sms("15551234567", { country: "1" }),
      ],
      agent: { sdkVersion: "test/1", osPlatform: "os" },
    });
    expect(told.status).toBe(200);
    const group = replyOf(contract.sendMany, told);
    expect(group).toMatchObject({
      status: "SENDING",
      accountId: accountA,
      sdkVersion: "test/1",
      osPlatform: "os",
      dateCreated: now,
      dateSent: now,
      dateCompleted: null,
      count: { total: 4, registeredSuccess: 3, registeredFailed: 1, sentTotal: 0 },
      balance: { requested: 0, replacement: 0, refund: 0, sum: 0 },
      point: { requested: 120, replacement: 0, refund: 0, sum: 0 },
      price: { "82": [], "1": [] },
    });
    expect(group.countForCharge).toMatchObject({
      sms: { "82": 1, "1": 1 },
      lms: { "82": 1 },
    });
    expect(group.countForCharge.mms).toEqual({});
    expect(Object.keys(group.countForCharge)).toHaveLength(11);
    expect(group.log).toEqual([
      { createAt: now, message: "[127.0.0.1] message group created" },
      { createAt: now, message: "country(1) SMS 1 message(s) added" },
      { createAt: now, message: "country(82) SMS 1 message(s) added" },
      { createAt: now, message: "country(82) LMS 1 message(s) added" },
      {
        createAt: now,
        message: "messages sent",
        oldBalance: 1_000_000,
        newBalance: 1_000_000,
        oldPoint: 5000,
        newPoint: 4880,
        totalPrice: 120,
      },
    ]);
  });

  test("points are spent before the balance", async () => {
    const env = await openEnv();
    const messages = Array.from({ length: 300 }, (_, n) => sms(`0102000${1000 + n}`));
    const told = await env.call("POST", "/messages/v4/send-many", { messages });
    const { balance, point } = replyOf(contract.sendMany, told);
    expect([point.requested, balance.requested]).toEqual([5000, 1000]);
    const left = await balanceOf(env);
    expect([left.balance, left.point]).toEqual([999_000, 0]);
  });

  test("a list of recipients becomes one message each, in order", async () => {
    const env = await openEnv();
    const told = await env.call("POST", "/messages/v4/send-many/detail", {
      messages: [
        sms("", { to: ["01000000003", "01000000001", "01000000003"] }),
        sms("", { to: [] }),
      ],
      showMessageList: true,
    });
    const { messageList } = replyOf(contract.sendManyDetail, told);
    expect(messageList?.map((it) => it.statusCode)).toEqual(["2000", "2000", "1026", "1010"]);
    expect(env.rows("SELECT recipient FROM messages ORDER BY seq")).toMatchObject([
      { recipient: "01000000003" },
      { recipient: "01000000001" },
      { recipient: "01000000003" },
      { recipient: "" },
    ]);
  });

  test("no recipient is 400, 10,000 are accepted, one more is 413", async () => {
    const env = await openEnv();
    const many = (count: number) => ({
      messages: [sms("", { to: Array.from({ length: count }, (_, n) => String(1e10 + n)) })],
    });
    const send = (body: unknown) => env.call("POST", "/messages/v4/send-many", body);
    expect(errorCodeOf(await send({ messages: [] }))).toBe("ValidationError");
    const { count } = replyOf(contract.sendMany, await send(many(10_000)));
    expect(count.registeredSuccess).toBe(10_000);
    expect(errorCodeOf(await send(many(10_001)))).toBe("RecipientsTooMany");
  });

  test("without money it is 402, beyond the quota 200: FAILED and uncharged both times", async () => {
    const env = await openEnv();
    await env.call("PUT", "/_sandbox/settings", { balance: 30, point: 9 });
    const body = { messages: [sms("01000000001"), sms("01000000002"), sms("0100", {})] };
    const poor = await env.call("POST", "/messages/v4/send-many", body);
    expect([poor.status, errorCodeOf(poor)]).toEqual([402, "NotEnoughBalance"]);
    await env.call("PUT", "/_sandbox/settings", { balance: 1000, quota: 1 });
    const over = await env.call("POST", "/messages/v4/send-many", body);
    expect(over).toMatchObject({
      status: 200,
      assumptions: expect.arrayContaining(["quota-refusal"]),
      body: {
        status: "FAILED",
        dateSent: null,
        count: { registeredSuccess: 0, registeredFailed: 3 },
      },
    });
    const { log } = replyOf(contract.sendMany, over);
    expect(log.at(-1)?.message).toBe("not sent: daily send quota exceeded");
    expect(env.rows("SELECT statusCode FROM messages ORDER BY seq")).toMatchObject(
      ["1030", "1030", "1011", "1030", "1030", "1011"].map((statusCode) => ({ statusCode })),
    );
    const left = await balanceOf(env);
    expect([left.balance, left.point]).toEqual([1000, 9]);
  });
});

describe("POST send-many/detail", () => {
  test("what was refused is listed with its number and reason, the rest goes out", async () => {
    const env = await openEnv();
    const told = await env.call("POST", "/messages/v4/send-many/detail", {
      messages: [sms("01000000001"), sms("01000000001"), sms("01000001060")],
    });
    expect(told.status).toBe(200);
    const { groupInfo, failedMessageList } = replyOf(contract.sendManyDetail, told);
    expect(groupInfo).toMatchObject({ status: "SENDING", count: { registeredFailed: 2 } });
    expect(failedMessageList).toMatchObject([
      { to: "01000000001", statusCode: "1026", statusMessage: "duplicate recipient" },
      { to: "01000001060", statusCode: "1060", statusMessage: "recipient number blocked" },
    ]);
    expect(told.body).not.toHaveProperty("messageList");
  });

  test("allowDuplicates lets a number receive twice; another country is another recipient", async () => {
    const env = await openEnv();
    const send = async (members: object) => {
      const told = await env.call("POST", "/messages/v4/send-many/detail", members);
      return replyOf(contract.sendManyDetail, told).failedMessageList;
    };
    const twice = [sms("01000000001"), sms("010-0000-0001")];
    expect(await send({ messages: twice })).toHaveLength(1);
    expect(await send({ messages: twice, allowDuplicates: true })).toEqual([]);
    const abroad = sms("01000000001", { country: "1" });
    expect(await send({ messages: [sms("01000000001"), abroad] })).toEqual([]);
  });

  test("when all are refused the answer is 200 with a FAILED group", async () => {
    const env = await openEnv();
    const told = await env.call("POST", "/messages/v4/send-many/detail", {
      messages: [{}, sms("01012345678", { text: "x".repeat(91), type: "sms" })],
    });
    const { groupInfo, failedMessageList } = replyOf(contract.sendManyDetail, told);
    expect([told.status, groupInfo.status]).toEqual([200, "FAILED"]);
    expect(told.assumptions).toContain("all-refused");
    expect(failedMessageList).toMatchObject([{ statusCode: "1010" }, { statusCode: "1031" }]);
  });

  test("a text that is not UTF-8 is refused alone, and harms nothing", async () => {
    const env = await openEnv();
    const told = await env.call("POST", "/messages/v4/send-many/detail", {
      messages: [
        sms("01000000001", { text: "half \ud800 pair" }),
        sms("01000000002", { text: "a \\ud800 written out" }),
        sms("01000000003", { text: "whole 😀 pair", customFields: { "\udc00": "\ud83d" } }),
      ],
    });
    const { failedMessageList } = replyOf(contract.sendManyDetail, told);
    expect(failedMessageList).toMatchObject([{ to: "01000000001", statusCode: "1027" }]);
    expect(env.rows("SELECT text FROM messages ORDER BY seq")).toMatchObject([
      { text: "half \ufffd pair" },
      { text: "a \\ud800 written out" },
      { text: "whole 😀 pair" },
    ]);
  });

  test("a date ahead waits, one in the past goes out at once, more than six months is refused", async () => {
    const env = await openEnv();
    const send = (scheduledDate: string) =>
      env.call("POST", "/messages/v4/send-many/detail", {
        messages: [sms("01012345678")],
        scheduledDate,
      });
    const past = replyOf(contract.sendManyDetail, await send("2026-01-05T18:00:00+09:00"));
    expect(past.groupInfo.status).toBe("SENDING");
    expect(errorCodeOf(await send("2026-07-05T09:00:01Z"))).toBe("InvalidScheduledDate");
    expect(errorCodeOf(await send("soon"))).toBe("ValidationError");
    const ahead = await send("2026-01-05T09:00:01Z");
    const { groupInfo } = replyOf(contract.sendManyDetail, ahead);
    expect(groupInfo).toMatchObject({
      status: "SCHEDULED",
      scheduledDate: "2026-01-05T09:00:01.000Z",
      dateSent: null,
      point: { requested: 0 },
    });
    expect(groupInfo.log.at(-1)).toMatchObject({
      message: "schedule accepted",
      messageCount: { registeredSuccess: 1 },
    });
  });
});

test("the same seed gives the same bytes", async () => {
  const run = async () => {
    const env = await openEnv();
    await env.call("POST", "/messages/v4/send-many", { messages: [sms("01000000001")] });
    env.pass(2000);
    return JSON.stringify([
      await env.call("GET", "/messages/v4/list"),
      await env.call("GET", "/cash/v1/balance"),
    ]);
  };
  expect(await run()).toBe(await run());
});
