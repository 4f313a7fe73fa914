import { describe, expect, test } from "vitest";
import { contract } from "../../../src/contract/index.ts";
import { type Env, openEnv, sms } from "../environment.ts";
import { errorCodeOf, replyOf } from "../replies.ts";
import { filledGroup, groups, reach, readGroup } from "./group-environment.ts";

const since = "2025-12-01 00:00:00";
const askProfits = (env: Env, query: string) => env.call("GET", `/appstore/v2/profits?${query}`);
const profits = async (env: Env, query: string, key = 1) => {
  const told = await env.call("GET", `/appstore/v2/profits?${query}`, undefined, key);
  return replyOf(contract.listProfits, told);
};
const span = (from: string, until: string): string =>
  `startDate=${encodeURIComponent(from)}&endDate=${encodeURIComponent(until)}`;
const always = span(since, "2026-12-31 23:59:59");

describe("profits", () => {
  test("25 settlements in pages, newest first", async () => {
    const env = await openEnv();
    const first = (await profits(env, always)).completed;
    const second = (await profits(env, `${always}&offset=20`)).completed;
    const dates = [...first, ...second].map((it) => it.dateCreated);
    expect([first.length, second.length]).toEqual([20, 5]);
    expect(dates).toEqual([...new Set(dates)].sort().reverse());
    expect(first[0]).toEqual({
      accountId: "26010500000001",
      appId: "AppLive00002",
      appName: "live app",
      dateCreated: "2026-01-04T09:00:00.000Z",
      dateUpdated: "2026-01-04T09:00:00.000Z",
    });
  });

  test("dates are wall clock of Seoul, and the last second counts whole", async () => {
    const env = await openEnv();
    const count = async (from: string, until: string): Promise<number> =>
      (await profits(env, span(from, until))).completed.length;
    expect(await count("2026-01-04 18:00:00", "2026-01-04 18:00:00")).toBe(1);
    expect(await count("2026-01-04 18:00:01", "2026-01-04 19:00:00")).toBe(0);
    expect(await count("2026-01-03 18:00:00", "2026-01-04 17:59:59")).toBe(1);
    expect(await count("2026-01-04T09:00:00Z", "2026-01-04 18:00:00")).toBe(1);
  });

  test("only one app, and only one's own", async () => {
    const env = await openEnv();
    expect((await profits(env, `${always}&appId=AppLive00002`)).completed).toHaveLength(20);
    expect(await profits(env, `${always}&appId=AppDevelop01`)).toEqual({
      expectedProfit: 0,
      completed: [],
    });
    expect(await profits(env, always, 4)).toEqual({ expectedProfit: 0, completed: [] });
    expect((await profits(env, `${always}&type=SMS`)).completed).toHaveLength(20);
  });

  test.each([
    "",
    "startDate=2026-01-01",
    "endDate=2026-01-01",
    span("soon", "later"),
    `${always}&limit=0`,
  ])("%j is refused", async (query) => {
    const env = await openEnv();
    expect(errorCodeOf(await askProfits(env, query))).toBe("ValidationError");
  });
});

describe("sending through an app", () => {
  const send = (env: Env, appId: string | null) =>
    env.call("POST", "/messages/v4/send-many", {
      messages: [sms("01000000001"), sms("01000000002", { text: "가".repeat(60) })],
      agent: { appId },
    });

  test.each([
    ["AppUnknown99", "InvalidAppId"],
    ["AppDevelop01", "InDevelopment"],
    ["AppInactive3", "InactiveApp"],
    ["AppBlocked04", "BlockedApp"],
  ])("%s: 400 %s, and nothing is sent", async (appId, code) => {
    const env = await openEnv();
    const told = await send(env, appId);
    expect([told.status, errorCodeOf(told)]).toEqual([400, code]);
    const single = { message: sms("01000000001"), agent: { appId } };
    expect(errorCodeOf(await env.call("POST", "/messages/v4/send", single))).toBe(code);
    expect(env.rows("SELECT seq FROM groups")).toEqual([]);
  });

  test("a group whose app was blocked meanwhile cannot be scheduled", async () => {
    const env = await openEnv();
    const groupId = await filledGroup(env, [sms("01000000001")], { appId: "AppLive00002" });
    env.run("UPDATE apps SET reasonBlocked = 'spam' WHERE appId = 'AppLive00002'");
    const told = await env.call("POST", `${groups}/${groupId}/schedule`, {
      scheduledDate: "2026-01-06T09:00:00Z",
    });
    expect([told.status, errorCodeOf(told)]).toEqual([400, "BlockedApp"]);
    expect((await readGroup(env, groupId)).status).toBe("PENDING");
  });

  test("a group may be made for an app that is not active, and not be sent", async () => {
    const env = await openEnv();
    const appId = "AppInactive3";
    const groupId = await filledGroup(env, [sms("01000000001")], { appId });
    const told = await env.call("POST", `${groups}/${groupId}/send`);
    expect([told.status, errorCodeOf(told)]).toEqual([400, "InactiveApp"]);
    expect((await readGroup(env, groupId)).status).toBe("PENDING");
    // Its hour comes all the same, and nobody is there to be told.
    await reach.SCHEDULED(env, groupId);
    env.pass(3_600_000);
    const failed = await readGroup(env, groupId);
    expect(failed).toMatchObject({ status: "FAILED", point: { requested: 0 } });
    expect(failed.log.at(-1)?.message).toBe("invalid app id");
    env.run(`UPDATE apps SET status = 'ACTIVE' WHERE appId = '${appId}'`);
    const resent = await env.call("POST", `${groups}/${groupId}/resend`);
    expect(resent.body).toMatchObject({ status: "SENDING", point: { requested: 20 } });
  });

  test("the group shows the app's profit, and what it earned is expected from then on", async () => {
    const env = await openEnv();
    const before = (await profits(env, always)).expectedProfit;
    expect(before).toBe(270);
    const { app } = replyOf(contract.sendMany, await send(env, "AppLive00002"));
    expect(app).toMatchObject({ appId: "AppLive00002", version: "1.0.1" });
    expect(app.profit).toMatchObject({ sms: 1, lms: 2, mms: 5, rcs_sms: 0 });
    // One SMS and one LMS.
    expect((await profits(env, always)).expectedProfit).toBe(before + 3);
    expect(
      (await profits(env, span("2026-01-05 18:00:00", since.replace("2025", "2026"))))
        .expectedProfit,
    ).toBe(3);
  });

  test("without an app nothing is earned", async () => {
    const env = await openEnv();
    const { app } = replyOf(contract.sendMany, await send(env, null));
    expect(app).toMatchObject({ appId: null, version: null });
    expect(Object.values(app.profit)).toEqual(Array.from({ length: 11 }, () => 0));
    expect((await profits(env, always)).expectedProfit).toBe(270);
  });

  test("an app that is set live may send", async () => {
    const env = await openEnv();
    env.pass(1000);
    const stage = "/appstore/v2/me/apps/AppDevelop01/stage";
    const live = replyOf(contract.setAppLive, await env.call("PUT", stage, {}));
    expect(live).toMatchObject({ stage: "LIVE", status: "ACTIVE", appId: "AppDevelop01" });
    expect(live.dateUpdated).toBe("2026-01-05T09:00:01.000Z");
    expect((await send(env, "AppDevelop01")).status).toBe(200);
    env.pass(1000);
    expect((await env.call("PUT", stage, {})).body).toEqual(live);
  });

  test("an app that is not there or another's cannot be set live", async () => {
    const env = await openEnv();
    const none = await env.call("PUT", "/appstore/v2/me/apps/AppUnknown99/stage", {});
    expect([none.status, errorCodeOf(none)]).toEqual([404, "ResourceNotFound"]);
  });
});
