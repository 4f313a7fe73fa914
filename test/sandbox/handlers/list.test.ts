import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { contract } from "../../../src/contract/index.ts";
import type { StoredMessage } from "../../../src/contract/message-records.ts";
import { type Env, openEnv, sms } from "../environment.ts";
import { errorCodeOf, replyOf } from "../replies.ts";

const ask = (env: Env, query: Record<string, string> = {}, key?: number) =>
  env.call("GET", `/messages/v4/list?${new URLSearchParams(query)}`, undefined, key);
const list = async (...asked: Parameters<typeof ask>) =>
  replyOf(contract.listMessages, await ask(...asked));
const rowsOf = ({ messageList }: Awaited<ReturnType<typeof list>>): StoredMessage[] =>
  Object.values(messageList);
const numbers = async (env: Env, query: Record<string, string>) =>
  rowsOf(await list(env, query)).map((row) => row.to);

/** Three groups a minute apart: SMS to 1 and 2, LMS to 1, SMS abroad. */
const filled = async (): Promise<Env> => {
  const env = await openEnv();
  const send = (messages: unknown[]) => env.call("POST", "/messages/v4/send-many", { messages });
  await send([sms("01000000001"), sms("01000000002")]);
  env.pass(60_000);
  await send([sms("01000000001", { subject: "title", from: "01012340000" })]);
  env.pass(60_000);
  await send([sms("15551234567", { country: "1" })]);
  return env;
};

describe("GET list", () => {
  test("newest first, each row whole", async () => {
    const env = await filled();
    const body = await list(env);
    expect(body).toMatchObject({ startKey: null, nextKey: null, limit: 20 });
    expect(Object.keys(body.messageList)).toEqual(rowsOf(body).map((row) => row.messageId));
    expect(rowsOf(body).map((row) => row.to)).toEqual([
      "15551234567",
      "01000000001",
      "01000000002",
      "01000000001",
    ]);
    expect(rowsOf(body)[1]).toMatchObject({
      type: "LMS",
      subject: "title",
      kakaoOptions: { pfId: null, disableSms: false, buttons: [] },
      rcsOptions: { copyAllowed: true },
      autoTypeDetect: true,
      log: [{ createAt: "2026-01-05T09:01:00.000Z", message: "message created" }],
    });
    expect(rowsOf(body)[1]?.customFields).toEqual({});
  });

  test.each<[Record<string, string>, number]>([
    [{ to: "010-0000-0001" }, 2],
    [{ from: "01012340000" }, 1],
    [{ type: "sms" }, 3],
    [{ "type[in]": '["SMS","LMS"]' }, 4],
    [{ type: "LMS,MMS" }, 1],
    [{ statusCode: "2000" }, 1],
    [{ "statusCode[in]": '["4000"]' }, 3],
    [{ startDate: "2026-01-05T09:01:00Z" }, 2],
    [{ endDate: "2026-01-05T18:00:59" }, 2],
    [{ startDate: "2026-01-05", endDate: "2026-01-05" }, 4],
    [{ endDate: "2026-01-04" }, 0],
    [{ startDate: "0000-01-01", endDate: "9999-12-31T23:59:59-10:00" }, 4],
    [{ dateCreated: "0000-01-01" }, 0],
    [{ dateType: "UPDATED", startDate: "2026-01-05T09:01:02Z" }, 2],
    [{ dateCreated: "2026-01-05T09:01:00.000Z" }, 1],
    [{ messageId: "M4V20260105180000000000000000001" }, 0],
    [{ groupId: "nonsense" }, 0],
    [{ criteria: "type,to", cond: "eq,ne", value: "SMS,01000000001" }, 2],
    [{ criteria: "dateCreated", cond: "gt", value: "2026-01-05T09:01:00Z" }, 1],
    [{ criteria: "dateCreated", cond: "gt", value: "2026-01-05" }, 0],
    [{ criteria: "dateCreated", cond: "lt", value: "2026-01-05" }, 0],
    [{ criteria: "dateCreated", cond: "lte", value: "2026-01-05" }, 4],
    [{ criteria: "statusCode,statusCode", cond: "ne,ne", value: "2000,4000" }, 0],
    [{ criteria: "replacement", cond: "eq", value: "false", type: "LMS" }, 1],
  ])("%j finds %i", async (query, count) => {
    const env = await filled();
    expect(await numbers(env, query)).toHaveLength(count);
  });

  test("ids find their rows, in every spelling", async () => {
    const env = await filled();
    const [first, second] = rowsOf(await list(env));
    const [a, b] = [first?.messageId ?? "", second?.messageId ?? ""];
    expect(await numbers(env, { messageId: a })).toEqual(["15551234567"]);
    expect(await numbers(env, { groupId: second?.groupId ?? "" })).toEqual(["01000000001"]);
    for (const query of [
      { messageIds: `${a},${b}` },
      { messageIds: JSON.stringify([b, a]) },
      { "messageIds[in]": JSON.stringify([a, b, "nonsense"]) },
    ]) {
      expect(await numbers(env, query)).toEqual(["15551234567", "01000000001"]);
    }
    expect(await numbers(env, { criteria: "messageId", cond: "ne", value: a })).toHaveLength(3);
  });

  test.each<Record<string, string>>([
    { criteria: "type" },
    { criteria: "constructor", cond: "eq", value: "x" },
    { criteria: "type,to", cond: "eq", value: "SMS" },
    { criteria: "colour", cond: "eq", value: "red" },
    { criteria: "type", cond: "like", value: "SMS" },
    { criteria: "dateCreated", cond: "eq", value: "yesterday" },
    { criteria: "replacement", cond: "eq", value: "maybe" },
    { startKey: "nonsense" },
    { limit: "0" },
    { limit: "501" },
    { startDate: "2026-01-02", endDate: "2026-01-01" },
  ])("%j is refused", async (query) => {
    const env = await filled();
    expect(errorCodeOf(await ask(env, query))).toBe("ValidationError");
  });

  test("another account sees nothing, and cannot page from a foreign row", async () => {
    const env = await filled();
    const [row] = rowsOf(await list(env));
    expect(rowsOf(await list(env, {}, 4))).toEqual([]);
    expect(rowsOf(await list(env, { messageId: row?.messageId ?? "" }, 4))).toEqual([]);
    const paged = await ask(env, { startKey: row?.messageId ?? "" }, 4);
    expect(errorCodeOf(paged)).toBe("ValidationError");
  });

  test("a record is gone six months after it was created", async () => {
    const env = await filled();
    env.pass(Date.parse("2026-07-05T09:00:00Z") - env.clock.now.getTime());
    expect(rowsOf(await list(env))).toHaveLength(4);
    env.pass(1);
    expect(rowsOf(await list(env))).toHaveLength(2);
  });

  test("pages of any size show every row once, in order, whenever the rows were made", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.constantFrom(-5000, 0, 0, 700)), {
          minLength: 1,
          maxLength: 6,
        }),
        fc.integer({ min: 1, max: 10 }),
        async (calls, limit) => {
          const env = await openEnv();
          for (const [count, ms] of calls) {
            await env.call("PUT", "/_sandbox/clock", { advance: `${ms}ms` });
            const to = Array.from({ length: count }, (_, n) => `0102000000${n}`);
            await env.call("POST", "/messages/v4/send-many", {
              messages: [sms("", { to })],
            });
          }
          const whole = rowsOf(await list(env, { limit: "500" }));
          const sorted = [...whole].sort(
            (a, b) =>
              b.dateCreated.localeCompare(a.dateCreated) || b.messageId.localeCompare(a.messageId),
          );
          expect(whole).toEqual(sorted);
          const paged: StoredMessage[] = [];
          for (let startKey: string | null = ""; startKey !== null; ) {
            const query = { limit: String(limit), ...(startKey && { startKey }) };
            const page = await list(env, query);
            expect(page.startKey).toBe(startKey || null);
            paged.push(...rowsOf(page));
            startKey = page.nextKey;
          }
          expect(paged).toEqual(whole);
        },
      ),
      { numRuns: 15 },
    );
  });
});
