import { describe, expect, test } from "vitest";
import { contract } from "../../../src/contract/index.ts";
import type { Group } from "../../../src/contract/message-records.ts";
import { checkBooks } from "../../support/books.ts";
import { type Env, openEnv, sms } from "../environment.ts";
import { errorCodeOf, replyOf } from "../replies.ts";
import { filledGroup, groups, reach, readGroup } from "./group-environment.ts";

const add = (env: Env, groupId: string, messages: unknown) =>
  env.call("PUT", `${groups}/${groupId}/messages`, { messages });
const added = async (env: Env, groupId: string, messages: unknown) =>
  replyOf(contract.addGroupMessages, await add(env, groupId, messages));
const listed = async (env: Env, groupId: string) => {
  const told = await env.call("GET", `${groups}/${groupId}/messages`);
  return replyOf(contract.listGroupMessages, told).messageList;
};
const send = (env: Env, groupId: string) => env.call("POST", `${groups}/${groupId}/send`, {});
const sandbox = (env: Env, settings: unknown) => env.call("PUT", "/_sandbox/settings", settings);
const lines = ({ log }: Group) => log.map(({ message }) => message);

describe("create", () => {
  test("an empty group that is PENDING, with what the caller says of it", async () => {
    const env = await openEnv();
    const told = await env.call("POST", `${groups}/`, {
      strict: true,
      allowDuplicates: true,
      sdkVersion: "js/6",
      osPlatform: "linux",
      customFields: { campaign: "spring" },
      hint: { a: 1 },
    });
    const created = replyOf(contract.createGroup, told);
    expect(created).toMatchObject({
      status: "PENDING",
      strict: true,
      allowDuplicates: true,
      sdkVersion: "js/6",
      osPlatform: "linux",
      customFields: { campaign: "spring" },
      hint: null,
      dateSent: null,
      count: { total: 0 },
    });
    expect(created.price).toEqual({});
    expect(lines(created)).toEqual(["[127.0.0.1] message group created"]);
    expect(await readGroup(env, created.groupId)).toEqual(created);
  });

  test("an unknown app is 400, and the group stays as FAILED with the reason", async () => {
    const env = await openEnv();
    const told = await env.call("POST", groups, { appId: "nope" });
    expect([told.status, errorCodeOf(told)]).toEqual([400, "InvalidAppId"]);
    expect(env.rows("SELECT status, log FROM groups")).toMatchObject([
      { status: "FAILED", log: expect.stringContaining("invalid app id") },
    ]);
  });

  test("own data has names of 30 and values of 100 characters at most", async () => {
    const env = await openEnv();
    const long = await env.call("POST", groups, { customFields: { ["k".repeat(31)]: "v" } });
    expect([long.status, errorCodeOf(long)]).toEqual([400, "ValidationError"]);
  });
});

describe("add", () => {
  test("accepted and refused ones are stored, counted, charged for and logged", async () => {
    const env = await openEnv();
    const groupId = await filledGroup(env, []);
    const { errorCount, resultList } = await added(env, groupId, [
      sms("01000000001"),
      sms("01000000001"),
      sms("01000000002", { subject: "title", customFields: { n: "2" } }),
      sms("5551234567", { country: "1" }),
      sms("12"),
    ]);
    expect(errorCount).toBe(2);
    expect(resultList).toMatchObject([
      { to: "01000000001", statusCode: "2000", type: "SMS", country: "82" },
      { to: "01000000001", statusCode: "1026" },
      { to: "01000000002", statusCode: "2000", type: "LMS", customFields: { n: "2" } },
      { to: "5551234567", statusCode: "2000", country: "1" },
      { to: "12", statusCode: "1011" },
    ]);
    const group = await readGroup(env, groupId);
    expect(group.count).toMatchObject({ total: 5, registeredSuccess: 3, registeredFailed: 2 });
    expect(group.countForCharge).toMatchObject({ sms: { "82": 1, "1": 1 }, lms: { "82": 1 } });
    expect(lines(group).slice(1)).toEqual([
      "country(1) SMS 1 message(s) added",
      "country(82) SMS 1 message(s) added",
      "country(82) LMS 1 message(s) added",
    ]);
    expect(Object.keys(await listed(env, groupId)).sort()).toEqual(
      resultList.map((it) => it.messageId).sort(),
    );
    checkBooks(env);
  });

  test("a recipient of an earlier call is a duplicate, unless the group allows it", async () => {
    const env = await openEnv();
    const strict = await filledGroup(env);
    const again = [sms("010-0000-0001"), sms("01000000002"), sms("01000000001", { country: "1" })];
    const { resultList } = await added(env, strict, again);
    expect(resultList.map((it) => it.statusCode)).toEqual(["1026", "2000", "2000"]);
    const open = await filledGroup(env, [sms("01000000001")], { allowDuplicates: true });
    expect((await added(env, open, [sms("01000000001")])).errorCount).toBe(0);
    checkBooks(env);
  });

  test("lists of recipients are expanded in order; the array may come as JSON text", async () => {
    const env = await openEnv();
    const groupId = await filledGroup(env, []);
    const messages = [{ ...sms(""), to: ["01000000003", "01000000004"] }, sms("01000000005")];
    const { resultList } = await added(env, groupId, JSON.stringify(messages));
    expect(resultList.map((it) => it.to)).toEqual(["01000000003", "01000000004", "01000000005"]);
    const deep = "[".repeat(20_000) + "]".repeat(20_000);
    const buried = `[{"to":"01000000006","customFields":{"a":${deep}}}]`;
    for (const wrong of ["[1]", "no", "{}", 5, buried]) {
      const told = await add(env, groupId, wrong);
      expect([told.status, errorCodeOf(told)]).toEqual([400, "ValidationError"]);
    }
  });

  test("S09: 10,000 recipients a call, 1,000,000 messages a group; one more is 413", async () => {
    const env = await openEnv();
    const groupId = await filledGroup(env);
    const to = Array.from({ length: 10_001 }, (_, at) => `0102${String(at).padStart(7, "0")}`);
    const tooMany = await add(env, groupId, [{ ...sms(""), to }]);
    expect([tooMany.status, errorCodeOf(tooMany)]).toEqual([413, "RecipientsTooMany"]);
    env.run("UPDATE groups SET registeredFailed = 999998");
    expect((await add(env, groupId, [sms("01000000002")])).status).toBe(200);
    const full = await add(env, groupId, [sms("01000000003")]);
    expect([full.status, errorCodeOf(full)]).toEqual([413, "RecipientsTooMany"]);
  });
});

describe("remove", () => {
  test("no id at all is a request without its member, not one of unknown messages", async () => {
    const env = await openEnv();
    const groupId = await filledGroup(env);
    for (const body of [{ messageIds: [] }, {}]) {
      const told = await env.call("DELETE", `${groups}/${groupId}/messages`, body);
      expect([told.status, errorCodeOf(told)]).toEqual([400, "ValidationError"]);
    }
  });

  test("rows disappear, counts and charges go down, and the recipient may come again", async () => {
    const env = await openEnv();
    const groupId = await filledGroup(env, [sms("01000000001"), sms("01000000002"), sms("1")]);
    const [refused, second, first] = Object.keys(await listed(env, groupId));
    const told = await env.call("DELETE", `${groups}/${groupId}/messages`, {
      messageIds: [first, refused, "M4V0", first],
    });
    const removed = replyOf(contract.deleteGroupMessages, told);
    expect(removed).toMatchObject({ groupId, errorCount: 2 });
    expect(removed.resultList.map((it) => it.resultCode)).toEqual([
      "Success",
      "Success",
      "ResourceNotFound",
      "ResourceNotFound",
    ]);
    const group = await readGroup(env, groupId);
    expect(group.count).toMatchObject({ total: 1, registeredSuccess: 1, registeredFailed: 0 });
    expect(group.countForCharge.sms).toEqual({ "82": 1 });
    expect((await added(env, groupId, [sms("01000000001")])).errorCount).toBe(0);
    checkBooks(env);
    const none = await env.call("DELETE", `${groups}/${groupId}/messages`, {
      messageIds: [first],
    });
    expect([none.status, errorCodeOf(none)]).toEqual([400, "ResourceNotFound"]);
    const missing = await env.call("DELETE", `${groups}/${groupId}/messages`, {});
    expect([missing.status, errorCodeOf(missing)]).toEqual([400, "ValidationError"]);
    expect(second).toBeDefined();
  });

  test("a message of another group is not touched", async () => {
    const env = await openEnv();
    const [one, other] = [await filledGroup(env), await filledGroup(env)];
    const messageIds = Object.keys(await listed(env, other));
    const told = await env.call("DELETE", `${groups}/${one}/messages`, { messageIds });
    expect(errorCodeOf(told)).toBe("ResourceNotFound");
    expect((await readGroup(env, other)).count.total).toBe(1);
  });
});

describe("send", () => {
  test("points first, then the balance; the answer shows SENDING and nothing sent yet", async () => {
    const env = await openEnv();
    await sandbox(env, { balance: 100, point: 30 });
    const groupId = await filledGroup(env, [sms("01000000001"), sms("01000003104"), sms("1")]);
    const sent = replyOf(contract.sendGroup, await send(env, groupId));
    expect(sent).toMatchObject({
      status: "SENDING",
      balance: { requested: 10, sum: 0 },
      point: { requested: 30, sum: 0 },
      price: { "82": { sms: 20, lms: 50, mms: 200, ata: 19, cta: 13, cti: 20 } },
      count: { sentTotal: 0, registeredSuccess: 2, registeredFailed: 1 },
    });
    expect(sent.log.at(-1)).toMatchObject({
      message: "messages sent",
      ...{ oldBalance: 100, newBalance: 90, oldPoint: 30, newPoint: 0, totalPrice: 40 },
    });
    env.pass(60_000);
    const group = await readGroup(env, groupId);
    expect(group).toMatchObject({
      status: "COMPLETE",
      isRefunded: true,
      balance: { requested: 10, refund: 10, sum: 0 },
      point: { requested: 30, refund: 10, sum: 20 },
      count: { sentTotal: 2, sentSuccess: 1, sentFailed: 1, sentPending: 0, refund: 1 },
    });
    expect(lines(group).slice(-2)).toEqual(["all results received", "failed messages refunded"]);
    checkBooks(env);
  });

  test("without an accepted message 400, without money 402: the group stays PENDING", async () => {
    const env = await openEnv();
    const empty = await filledGroup(env, []);
    const nothing = await send(env, empty);
    expect([nothing.status, errorCodeOf(nothing)]).toEqual([400, "ValidationError"]);
    await sandbox(env, { balance: 0, point: 19 });
    const groupId = await filledGroup(env);
    const poor = await send(env, groupId);
    expect([poor.status, errorCodeOf(poor)]).toEqual([402, "NotEnoughBalance"]);
    expect((await readGroup(env, groupId)).status).toBe("PENDING");
    await sandbox(env, { point: 20 });
    expect(replyOf(contract.sendGroup, await send(env, groupId)).status).toBe("SENDING");
    checkBooks(env);
  });

  test("above the quota the group is FAILED with a line in its log, and nothing is charged", async () => {
    const env = await openEnv();
    const groupId = await filledGroup(env);
    await sandbox(env, { quota: 0 });
    const told = await send(env, groupId);
    const failed = replyOf(contract.sendGroup, told);
    expect([told.status, failed.status]).toEqual([200, "FAILED"]);
    expect(lines(failed).at(-1)).toBe("not sent: daily send quota exceeded");
    expect(told.assumptions).toContain("quota-refusal");
    expect(env.rows("SELECT statusCode FROM messages")).toEqual([{ statusCode: "1030" }]);
    checkBooks(env);
  });

  test("B12: of 50 sends of one group at once one is performed, and charged once", async () => {
    const env = await openEnv();
    const groupId = await filledGroup(env);
    const told = await Promise.all(Array.from({ length: 50 }, () => send(env, groupId)));
    expect(told.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(told.filter(({ status }) => status === 409)).toHaveLength(49);
    expect(env.rows("SELECT seq FROM ledger WHERE groupSeq IS NOT NULL")).toHaveLength(1);
    checkBooks(env);
  });
});

describe("resend", () => {
  test("what money or quota stopped goes out, whatever the quota says; the refused stay refused", async () => {
    const env = await openEnv();
    const groupId = await filledGroup(env, [
      sms("01000000001"),
      sms("01000000002"),
      sms("01000001030"),
      sms("1"),
    ]);
    await sandbox(env, { quota: 1 });
    expect(replyOf(contract.sendGroup, await send(env, groupId)).status).toBe("FAILED");
    const { body } = await env.call("POST", `${groups}/${groupId}/resend`, {});
    expect(body).toMatchObject({
      status: "SENDING",
      count: { registeredSuccess: 2, registeredFailed: 2 },
      countForCharge: { sms: { "82": 2 } },
      point: { requested: 40 },
    });
    env.pass(2000);
    expect(await readGroup(env, groupId)).toMatchObject({
      status: "COMPLETE",
      count: { sentSuccess: 2, total: 4 },
    });
    checkBooks(env);
  });

  test("without money 402, with nothing accepted 400; the group stays FAILED", async () => {
    const env = await openEnv();
    await sandbox(env, { balance: 0, point: 0 });
    await env.call("POST", "/messages/v4/send-many", { messages: [sms("01000000001")] });
    await env.call("POST", "/messages/v4/send-many", { messages: [sms("1")] });
    const { groupList } = replyOf(contract.listGroups, await env.call("GET", groups));
    const [refused, poor] = Object.keys(groupList);
    const without = await env.call("POST", `${groups}/${poor}/resend`, {});
    expect([without.status, errorCodeOf(without)]).toEqual([402, "NotEnoughBalance"]);
    const nothing = await env.call("POST", `${groups}/${refused}/resend`, {});
    expect([nothing.status, errorCodeOf(nothing)]).toEqual([400, "ValidationError"]);
    checkBooks(env);
    await sandbox(env, { balance: 20 });
    const paid = await env.call("POST", `${groups}/${poor}/resend`, {});
    expect(replyOf(contract.resendGroup, paid).status).toBe("SENDING");
    checkBooks(env);
  });
});

describe("schedules", () => {
  const at = (env: Env, ms: number) => ({
    scheduledDate: new Date(env.clock.now.getTime() + ms).toISOString(),
  });
  const hour = 3_600_000;

  test("a schedule costs nothing until its hour, then the group is sent and charged", async () => {
    const env = await openEnv();
    const groupId = await filledGroup(env);
    const told = await env.call("POST", `${groups}/${groupId}/schedule`, at(env, hour));
    const scheduled = replyOf(contract.scheduleGroup, told);
    expect(scheduled).toMatchObject({
      status: "SCHEDULED",
      scheduledDate: "2026-01-05T10:00:00.000Z",
      point: { requested: 0 },
    });
    expect(scheduled.log.at(-1)).toMatchObject({
      message: "schedule accepted",
      messageCount: { total: 1 },
    });
    env.pass(hour - 1);
    expect((await readGroup(env, groupId)).status).toBe("SCHEDULED");
    env.pass(1);
    expect(await readGroup(env, groupId)).toMatchObject({
      status: "SENDING",
      dateSent: "2026-01-05T10:00:00.000Z",
      point: { requested: 20 },
    });
    env.pass(2000);
    expect((await readGroup(env, groupId)).status).toBe("COMPLETE");
    checkBooks(env);
  });

  test("a changed schedule fires at its new hour only, a cancelled one never", async () => {
    const env = await openEnv();
    const moved = await filledGroup(env);
    const stopped = await filledGroup(env);
    for (const groupId of [moved, stopped]) {
      await env.call("POST", `${groups}/${groupId}/schedule`, at(env, hour));
    }
    await env.call("PUT", `${groups}/${moved}/schedule`, at(env, 2 * hour));
    const told = await env.call("DELETE", `${groups}/${stopped}/schedule`);
    const cancelled = replyOf(contract.unscheduleGroup, told);
    expect(cancelled.status).toBe("PENDING");
    expect(cancelled).not.toHaveProperty("scheduledDate");
    expect(lines(cancelled).at(-1)).toBe("schedule cancelled");
    env.pass(hour);
    expect((await readGroup(env, moved)).status).toBe("SCHEDULED");
    expect((await readGroup(env, stopped)).status).toBe("PENDING");
    env.pass(hour);
    expect((await readGroup(env, moved)).status).toBe("SENDING");
    expect((await readGroup(env, stopped)).status).toBe("PENDING");
    checkBooks(env);
  });

  test.each(["balance", "quota"])("too little %s at its hour fails the group", async (what) => {
    const env = await openEnv();
    const groupId = await filledGroup(env);
    await env.call("POST", `${groups}/${groupId}/schedule`, at(env, hour));
    await sandbox(env, what === "quota" ? { quota: 0 } : { balance: 0, point: 0 });
    env.pass(hour);
    expect(await readGroup(env, groupId)).toMatchObject({
      status: "FAILED",
      dateSent: null,
    });
    expect(env.rows("SELECT statusCode FROM messages")).toEqual([{ statusCode: "1030" }]);
    checkBooks(env);
  });

  test("past, unreadable, missing and more than six months ahead are refused", async () => {
    const env = await openEnv();
    const groupId = await filledGroup(env);
    const codeOf = async (body: unknown) => {
      const told = await env.call("POST", `${groups}/${groupId}/schedule`, body);
      return `${told.status} ${errorCodeOf(told)}`;
    };
    expect(await codeOf(at(env, 0))).toBe("400 InvalidScheduledDate");
    expect(await codeOf({ scheduledDate: "tomorrow" })).toBe("400 ValidationError");
    expect(await codeOf({})).toBe("400 ValidationError");
    expect(await codeOf({ scheduledDate: "2026-07-05T09:00:00.001Z" })).toBe(
      "400 InvalidScheduledDate",
    );
    const group = await readGroup(env, groupId);
    expect(lines(group).at(-1)).toBe("schedule refused: more than 6 months ahead");
    expect(group.status).toBe("PENDING");
    expect(await codeOf({ scheduledDate: "2026-07-05T18:00:00" })).toBe("200 undefined");
  });
});

test("B09: after six months a group is 404 and in no list, and its messages too", async () => {
  const env = await openEnv();
  const groupId = await filledGroup(env);
  await reach.COMPLETE(env, groupId);
  env.clock.now = new Date("2026-07-05T09:00:00.000Z");
  expect((await env.call("GET", `${groups}/${groupId}`)).status).toBe(200);
  env.pass(1);
  for (const path of [`${groups}/${groupId}`, `${groups}/${groupId}/messages`]) {
    expect((await env.call("GET", path)).status).toBe(404);
  }
  const { groupList } = replyOf(contract.listGroups, await env.call("GET", groups));
  expect(groupList).toEqual({});
});
