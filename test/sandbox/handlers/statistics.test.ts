import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { contract } from "../../../src/contract/index.ts";
import { daysOf, periodOf } from "../../../src/sandbox/rules/statistics.ts";
import { type Env, openEnv, sms, start } from "../environment.ts";
import { errorCodeOf, replyOf } from "../replies.ts";

const dayMs = 86_400_000;

const send = (env: Env, ...messages: unknown[]) =>
  env.call("POST", "/messages/v4/send-many", { messages });
const statistics = async (env: Env, query = "") =>
  replyOf(contract.getStatistics, await env.call("GET", `/messages/v4/statistics${query}`));

describe("GET statistics", () => {
  test("counts by day and code, what it cost, and what came back", async () => {
    const env = await openEnv();
    await send(env, sms("01000000001"), sms("01000000002"), sms("01000003104"));
    env.pass(5000);
    const found = await statistics(env);
    expect(found).toMatchObject({
      balance: 0,
      point: 60,
      refund: { balance: 0, point: 20 },
      total: { total: 3, sms: 3, lms: 0 },
      successed: { total: 2, sms: 2 },
      failed: { total: 1, sms: 1 },
      dailyTotalCountAvg: 3,
      monthlyPointAvg: 60,
    });
    expect(found.dayPeriod).toMatchObject([
      {
        month: "2026/01",
        date: "2026/01/05",
        _id: "2026-01-05T09:00:00.000Z",
        statusCode: { 3104: { sms: 1 }, 4000: { sms: 2 } },
      },
    ]);
    expect(found.monthPeriod[0]?.dayPeriod).toEqual(found.dayPeriod);
  });

  test("a message without a report counts in the total only", async () => {
    const env = await openEnv();
    await send(env, sms("01000000001"));
    const { total, successed, failed } = await statistics(env);
    expect([total.total, successed.total, failed.total]).toEqual([1, 0, 0]);
  });

  test("a day is a day of UTC+9: 15:00Z begins the next one", async () => {
    const env = await openEnv();
    env.pass(6 * 3_600_000 - 1000);
    await send(env, sms("01000000001"));
    env.pass(1000);
    await send(env, sms("01000000002"));
    env.pass(5000);
    const { dayPeriod, dailyTotalCountAvg } = await statistics(env);
    expect(dayPeriod.map((it) => it.date)).toEqual(["2026/01/05", "2026/01/06"]);
    expect(dailyTotalCountAvg).toBe(1);
    const first = await statistics(env, "?startDate=2026-01-05&endDate=2026-01-05");
    expect(first.total.total).toBe(1);
    const all = await statistics(env, "?startDate=0000-01-01&endDate=9999-12-31T23:59:59-10:00");
    expect(all.total.total).toBe(2);
  });

  test("left out, the range is the month of the end until now; months are added up", async () => {
    const env = await openEnv();
    await send(env, sms("01000000001"));
    env.pass(31 * dayMs);
    await send(env, sms("01000000002"), sms("01000000003"));
    env.pass(5000);
    expect((await statistics(env)).total.total).toBe(2);
    const both = await statistics(env, "?startDate=2026-01-01");
    expect(both.monthPeriod.map((it) => it.date)).toEqual(["2026/01", "2026/02"]);
    expect(both).toMatchObject({ point: 60, monthlyPointAvg: 30 });
    const january = await statistics(env, "?endDate=2026-01-31T23:59:59%2B09:00");
    expect(january.total.total).toBe(1);
  });

  test("masterAccountId: the caller's own are the caller's, those of another are none", async () => {
    const env = await openEnv();
    await send(env, sms("01000000001"));
    const whole = await statistics(env);
    expect(await statistics(env, "?masterAccountId=26010500000001")).toEqual(whole);
    for (const other of ["26010500000002", "1"]) {
      const none = await statistics(env, `?masterAccountId=${other}`);
      expect(none).toMatchObject({ balance: 0, point: 0, dayPeriod: [], total: { total: 0 } });
    }
    const wrong = "/messages/v4/statistics?masterAccountId=1&startDate=soon";
    expect((await env.call("GET", wrong)).status).toBe(400);
  });

  test("another account sees nothing of it", async () => {
    const env = await openEnv();
    await send(env, sms("01000000001"));
    const told = await env.call("GET", "/messages/v4/statistics", undefined, 4);
    expect(replyOf(contract.getStatistics, told).total.total).toBe(0);
  });

  test.each(["?startDate=soon", "?startDate=2026-01-06&endDate=2026-01-05", "?endDate=2026-02-30"])(
    "%s is refused with 400 ValidationError",
    async (query) => {
      const env = await openEnv();
      const told = await env.call("GET", `/messages/v4/statistics${query}`);
      expect([told.status, errorCodeOf(told)]).toEqual([400, "ValidationError"]);
    },
  );
});

describe("GET statistics/daily", () => {
  test("one row a day and way of paying, the newest first, with the start of its day", async () => {
    const env = await openEnv();
    await send(env, sms("01000000001"));
    env.pass(dayMs);
    await send(env, sms("01000003050"));
    env.pass(5000);
    const told = await env.call("GET", "/messages/v4/statistics/daily");
    const days = replyOf(contract.listDailyStatistics, told);
    expect(days).toMatchObject([
      {
        date: "2026-01-05T15:00:00.000Z",
        point: 20,
        refund: { balance: 0, point: 20 },
        count: { 3050: { sms: 1 } },
        prepaid: true,
        taxIssued: false,
      },
      { date: "2026-01-04T15:00:00.000Z", point: 20, count: { 4000: { sms: 1 } } },
    ]);
    const second = await env.call("GET", "/messages/v4/statistics/daily?offset=1&limit=1");
    expect(second.body).toEqual([days[1]]);
  });

  test.each([
    ["taxIssued=true", 0],
    ["taxIssued=false", 1],
    ["prepaid=true", 1],
    ["prepaid=false", 0],
    ["profitSettlement=true", 0],
    ["endDate=2026-01-04", 0],
  ])("%s finds %i rows", async (query, rows) => {
    const env = await openEnv();
    await send(env, sms("01000000001"));
    const { body } = await env.call("GET", `/messages/v4/statistics/daily?${query}`);
    expect(body).toHaveLength(rows);
  });
});

test("whatever was sent: total = days = months = codes, and no more succeeded or failed", () => {
  const row = fc.record({
    day: fc.integer({ min: 20_000, max: 20_070 }),
    appId: fc.constant(null),
    prepaid: fc.constantFrom(0, 1),
    type: fc.constantFrom("SMS", "LMS", "ATA", "RCS_TPL"),
    statusCode: fc.constantFrom("2000", "3000", "4000", "3104", "1062"),
    count: fc.integer({ min: 1, max: 1_000_000 }),
    first: fc.integer({ min: 1, max: 2_000_000_000_000 }),
  });
  fc.assert(
    fc.property(fc.array(row, { maxLength: 40 }), (rows) => {
      const whole = periodOf(daysOf(rows, []));
      const sent = rows.reduce((sum, it) => sum + it.count, 0);
      const { total: all, ...types } = whole.total;
      const months = whole.monthPeriod.reduce((sum, it) => sum + it.total.total, 0);
      const codes = whole.dayPeriod
        .flatMap((it) => Object.values(it.statusCode).flatMap((of) => Object.values(of)))
        .reduce((sum, it) => sum + it, 0);
      const byType = Object.values(types).reduce((sum, it) => sum + it, 0);
      expect([all, months, codes, byType]).toEqual([sent, sent, sent, sent]);
      expect(whole.successed.total + whole.failed.total).toBeLessThanOrEqual(sent);
    }),
  );
});

test("a refused type is counted as it was written, whatever its name", () => {
  const row = { appId: null, prepaid: 1, statusCode: "1025", first: start.getTime() };
  const day = Math.floor(start.getTime() / dayMs);
  const rows = ["CONSTRUCTOR", "FAX"].map((type, index) => ({
    ...row,
    day,
    type,
    count: index + 1,
  }));
  const [found] = daysOf(rows, []);
  expect(found?.statusCode).toEqual({ 1025: { constructor: 1, fax: 2 } });
  expect(found?.failed.total).toBe(3);
});
