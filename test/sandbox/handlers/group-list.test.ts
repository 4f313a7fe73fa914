import { Readable } from "node:stream";
import readXlsxFile from "read-excel-file/node";
import { describe, expect, test } from "vitest";
import { contract } from "../../../src/contract/index.ts";
import { type Env, openEnv, sms } from "../environment.ts";
import { errorCodeOf, replyOf } from "../replies.ts";
import { filledGroup, groups, reach } from "./group-environment.ts";

const list = async (env: Env, query: Record<string, string> = {}) =>
  replyOf(contract.listGroups, await env.call("GET", `${groups}?${new URLSearchParams(query)}`));

/** Three groups a minute apart: two messages and COMPLETE, one and SCHEDULED, empty and DELETED. */
const filled = async () => {
  const env = await openEnv();
  const sent = await filledGroup(env, [sms("01000000001"), sms("01000000002")]);
  await reach.COMPLETE(env, sent);
  env.pass(58_000);
  const scheduled = await filledGroup(env);
  await reach.SCHEDULED(env, scheduled);
  env.pass(60_000);
  const deleted = await filledGroup(env, []);
  await reach.DELETED(env, deleted);
  return { env, sent, scheduled, deleted };
};

describe("GET groups", () => {
  test("newest first, the DELETED one too, each row whole", async () => {
    const { env, sent, scheduled, deleted } = await filled();
    const body = await list(env);
    expect(body).toMatchObject({ startKey: null, nextKey: null, limit: 20 });
    expect(Object.keys(body.groupList)).toEqual([deleted, scheduled, sent]);
    expect(body.groupList[scheduled]).toMatchObject({
      status: "SCHEDULED",
      scheduledDate: "2026-01-05T10:01:00.000Z",
    });
  });

  test.each<[Record<string, string>, readonly string[]]>([
    [{ criteria: "status", cond: "eq", value: "complete" }, ["sent"]],
    [{ criteria: "status", cond: "ne", value: "COMPLETE" }, ["deleted", "scheduled"]],
    [{ criteria: "count.total", cond: "gte", value: "1" }, ["scheduled", "sent"]],
    [{ criteria: "count.total,count.sentTotal", cond: "gt,eq", value: "0,0" }, ["scheduled"]],
    [{ criteria: "scheduledDate", cond: "lt", value: "2026-01-06" }, ["scheduled"]],
    [{ criteria: "dateCreated", cond: "lte", value: "2026-01-05T18:01:00" }, ["scheduled", "sent"]],
    [{ startDate: "2026-01-05T09:02:00Z" }, ["deleted"]],
    [{ endDate: "2026-01-05T18:00:00+09:00" }, ["sent"]],
    [
      { dateType: "UPDATED", startDate: "2026-01-05T09:00:01.500Z" },
      ["deleted", "scheduled", "sent"],
    ],
    [{ startDate: "2026-01-04", endDate: "2026-01-04" }, []],
  ])("%j", async (query, names) => {
    const { env, ...ids } = await filled();
    const byId = new Map(Object.entries(ids).map(([name, id]) => [id, name]));
    const { groupList } = await list(env, query);
    expect(Object.keys(groupList).map((id) => byId.get(id))).toEqual(names);
  });

  test("one group by its id; another account sees none", async () => {
    const { env, scheduled } = await filled();
    const query = { criteria: "groupId", cond: "eq", value: scheduled };
    expect(Object.keys((await list(env, query)).groupList)).toEqual([scheduled]);
    const other = await env.call("GET", groups, undefined, 4);
    expect(replyOf(contract.listGroups, other).groupList).toEqual({});
  });

  test.each([
    { criteria: "status", cond: "eq" },
    { criteria: "constructor", cond: "eq", value: "2026-01-05" },
    { criteria: "status,groupId", cond: "eq", value: "a,b" },
    { criteria: "status", cond: "like", value: "a" },
    { criteria: "to", cond: "eq", value: "1" },
    { criteria: "count.total", cond: "eq", value: "many" },
    { criteria: "dateCreated", cond: "gt", value: "soon" },
    { startDate: "soon" },
    { startDate: "2026-01-05", endDate: "2026-01-04" },
    { limit: "0" },
    { limit: "501" },
    { startKey: "G4V0" },
    { dateType: "SENT" },
  ])("%j is 400", async (query) => {
    const { env } = await filled();
    const told = await env.call("GET", `${groups}?${new URLSearchParams(query)}`);
    expect([told.status, errorCodeOf(told)]).toEqual([400, "ValidationError"]);
  });

  test("page by page every group comes once, those of one instant too", async () => {
    const env = await openEnv();
    const made: string[] = [];
    for (let at = 0; at < 7; at += 1) made.unshift(await filledGroup(env, []));
    const seen: string[] = [];
    let startKey: string | null = "";
    while (startKey !== null) {
      const page: Awaited<ReturnType<typeof list>> = await list(env, {
        limit: "3",
        ...(startKey && { startKey }),
      });
      seen.push(...Object.keys(page.groupList));
      startKey = page.nextKey;
    }
    expect(seen).toEqual(made);
  });
});

describe("GET groups/:groupId/messages", () => {
  test("page by page every message of the group comes once, and no other", async () => {
    const env = await openEnv();
    const groupId = await filledGroup(
      env,
      [1, 2, 3, 4, 5].map((n) => sms(`0100000000${n}`)),
    );
    const other = await filledGroup(env);
    const ask = (query: string) => env.call("GET", `${groups}/${groupId}/messages?${query}`);
    const page = async (startKey: string) => {
      const told = await ask(`limit=2${startKey && `&startKey=${startKey}`}`);
      return replyOf(contract.listGroupMessages, told);
    };
    const seen: string[] = [];
    let startKey: string | null = "";
    while (startKey !== null) {
      const { messageList, nextKey }: Awaited<ReturnType<typeof page>> = await page(startKey);
      seen.push(...Object.values(messageList).map(({ to }) => to));
      startKey = nextKey;
    }
    expect(seen).toEqual([5, 4, 3, 2, 1].map((n) => `0100000000${n}`));
    const told = await env.call("GET", `${groups}/${other}/messages`);
    const { messageList } = replyOf(contract.listGroupMessages, told);
    const foreign = await ask(`startKey=${Object.keys(messageList)[0]}`);
    expect([foreign.status, errorCodeOf(foreign)]).toEqual([400, "ValidationError"]);
    expect((await ask("limit=501")).status).toBe(400);
  });
});

describe("GET groups/excel", () => {
  const sheet = async (env: Env, query = "") => {
    const bytes = await env.download(`${groups}/excel${query}`);
    const [first] = await readXlsxFile(Readable.from([bytes]));
    return first?.data ?? [];
  };

  test("a spreadsheet with a line a group, headings first", async () => {
    const { env, sent, scheduled, deleted } = await filled();
    const rows = await sheet(env);
    expect(rows[0]?.slice(0, 3)).toEqual(["groupId", "status", "dateCreated"]);
    expect(rows.slice(1).map((row) => row[0])).toEqual([deleted, scheduled, sent]);
    const at = (name: string) => rows[3]?.[rows[0]?.indexOf(name) ?? -1];
    expect(at("status")).toBe("COMPLETE");
    expect(at("count.total")).toBe(2);
    expect(at("point.requested")).toBe(40);
    expect(at("dateCreated")).toBe("2026-01-05T09:00:00.000Z");
  });

  test("takes the filters of the list, and shows nothing of sub-accounts", async () => {
    const { env, scheduled } = await filled();
    const one = await sheet(env, "?criteria=status&cond=eq&value=SCHEDULED");
    expect(one.slice(1).map((row) => row[0])).toEqual([scheduled]);
    expect(await sheet(env, "?subAccountId=26010500000002")).toHaveLength(1);
  });

  test("as many lines as were asked for; a number that no page has is refused", async () => {
    const { env } = await filled();
    expect(await sheet(env, "?limit=1")).toHaveLength(2);
    for (const limit of ["0", "-1", "1.5", "1048576"]) {
      const told = await env.call("GET", `${groups}/excel?limit=${limit}`);
      expect([told.status, errorCodeOf(told)]).toEqual([400, "ValidationError"]);
    }
  });
});
