import { describe, expect, test } from "vitest";
import { contract } from "../../../src/contract/index.ts";
import { controls } from "../../../src/contract/sandbox.ts";
import { type Env, openEnv, sms } from "../environment.ts";
import { replyOf } from "../replies.ts";

const path = "/quota/v1/me/system";

const keys = async (env: Env, query: string): Promise<string[]> => {
  const told = await env.call("GET", `${path}?limit=500&${query}`);
  expect(told.status).toBe(200);
  return replyOf(contract.listQuotaRequests, told).increaseQuotaList.map((it) => it.handleKey);
};

const page = async (env: Env, query = "") =>
  replyOf(contract.listQuotaRequests, await env.call("GET", `${path}${query}`));

const quotaOf = async (env: Env): Promise<number> =>
  replyOf(contract.getQuota, await env.call("GET", "/quota/v1/me")).quota;

describe("the list of requests", () => {
  test("20 approved, 4 rejected, 1 pending: two pages, newest first", async () => {
    const env = await openEnv();
    const first = await page(env);
    expect(first.limit).toBe(20);
    expect(first.startKey).toBe(first.increaseQuotaList[0]?.handleKey);
    const second = await page(env, `?startKey=${first.nextKey}`);
    const rows = [...first.increaseQuotaList, ...second.increaseQuotaList];
    expect(second.nextKey).toBeNull();
    const ids = rows.map((it) => it.handleKey);
    expect(ids).toEqual([...new Set(ids)].sort().reverse());
    const counts = ["APPROVED", "REJECTED", "PENDING"].map(
      (status) => rows.filter((it) => it.status === status).length,
    );
    expect(counts).toEqual([20, 4, 1]);
    expect(rows[0]?.status).toBe("PENDING");
  });

  test("the quota is what the newest approved one asked for, from its decision on", async () => {
    const env = await openEnv();
    const { increaseQuotaList } = await page(env, "?status=APPROVED");
    const [newest] = increaseQuotaList;
    expect((await env.call("GET", "/quota/v1/me")).body).toMatchObject({
      quota: newest?.requestedQuota,
      dateUpdated: newest?.dateUpdated,
    });
    expect(newest?.requestedQuota).toBe(100_000);
  });

  test("filters by status and by handleKey", async () => {
    const env = await openEnv();
    expect(await keys(env, "status=APPROVED")).toHaveLength(20);
    expect(await keys(env, "status=REJECTED")).toHaveLength(4);
    const [newest = ""] = await keys(env, "");
    expect(await keys(env, `handleKey=${newest}`)).toEqual([newest]);
    expect(await keys(env, `handleKey=${newest}&status=APPROVED`)).toEqual([]);
    expect((await env.call("GET", `${path}?status=DONE`)).status).toBe(400);
  });

  test.each([
    ["dateCreated", "2026-01-01T09:00:00.000Z"],
    ["dateUpdated", "2026-01-01T10:00:00.000Z"],
  ])("%s by every operator, in both spellings of brackets", async (name, at) => {
    const env = await openEnv();
    const counts: Record<string, number> = { eq: 1, gte: 4, gt: 3, lte: 22, lt: 21 };
    for (const [operator, count] of Object.entries(counts)) {
      // The last request was never decided on: it was updated when it was made.
      const found = await keys(env, `${name}[${operator}]=${at}`);
      expect([operator, found.length]).toEqual([operator, count]);
      expect(await keys(env, `${name}%5B${operator}%5D=${encodeURIComponent(at)}`)).toEqual(found);
    }
    expect(await keys(env, `${name}=${at}`)).toHaveLength(1);
    for (const operator of ["ne", "like", "in"]) {
      expect((await env.call("GET", `${path}?${name}[${operator}]=${at}`)).status).toBe(400);
    }
  });

  test("another account sees none of them", async () => {
    const env = await openEnv();
    const { body } = await env.call("GET", path, undefined, 4);
    expect(body).toEqual({ limit: 20, increaseQuotaList: [], startKey: null, nextKey: null });
  });
});

describe("asking for more", () => {
  test("the request waits, the one before it is superseded, and the staff's yes raises the quota", async () => {
    const env = await openEnv();
    const [before = ""] = await keys(env, "status=PENDING");
    const told = await env.call("POST", path, {
      quota: 250_000,
      reasonRequested: "monthly notice",
    });
    const asked = replyOf(contract.requestQuota, told);
    expect(asked).toMatchObject({
      status: "PENDING",
      requestedQuota: 250_000,
      reasonRequested: "monthly notice",
      reasonRejected: null,
      fileIds: [],
    });
    expect(told.assumptions).toContain("quota-request");
    const superseded = await page(env, `?handleKey=${before}`);
    expect(superseded.increaseQuotaList[0]).toMatchObject({
      status: "REJECTED",
      reasonRejected: "superseded",
    });
    expect(await quotaOf(env)).toBe(100_000);
    const review = { handleKey: asked.handleKey, decision: "approve" };
    const decided = await env.call("POST", "/_sandbox/review/quota", review);
    expect(replyOf(controls.reviewQuota, decided).status).toBe("APPROVED");
    expect(await quotaOf(env)).toBe(250_000);
    const again = await env.call("POST", "/_sandbox/review/quota", review);
    expect(again.status).toBe(409);
  });

  test("a no leaves the quota and says why", async () => {
    const env = await openEnv();
    const told = await env.call("POST", path, { quota: 50, reasonRequested: "x" });
    const { handleKey } = replyOf(contract.requestQuota, told);
    const review = { handleKey, decision: "reject", reason: "too few" };
    const decided = await env.call("POST", "/_sandbox/review/quota", review);
    expect(decided.body).toMatchObject({ status: "REJECTED", reasonRejected: "too few" });
    expect(await quotaOf(env)).toBe(100_000);
    const none = await env.call("POST", "/_sandbox/review/quota", {
      ...review,
      handleKey: "x",
    });
    expect(none.status).toBe(404);
  });

  test("a file that proves the need is used by the request from then on", async () => {
    const env = await openEnv();
    const listed = await env.call("GET", "/storage/v1/files?limit=1");
    const fileId = replyOf(contract.listFiles, listed).fileList[0]?.fileId;
    const told = await env.call("POST", path, {
      quota: 60_000,
      reasonRequested: "x",
      fileIds: [fileId],
    });
    const { fileIds, handleKey } = replyOf(contract.requestQuota, told);
    expect(fileIds).toEqual([fileId]);
    const file = await env.call("GET", `/storage/v1/files/${fileId}`);
    expect(replyOf(contract.getFile, file).references).toEqual([
      { handleKey, category: "QUOTA_REQUEST", refId: null },
    ]);
    expect((await env.call("DELETE", `/storage/v1/files/${fileId}`)).status).toBe(409);
    expect(
      (await env.call("POST", path, { quota: 60_000, reasonRequested: "x", fileIds: ["x"] }))
        .status,
    ).toBe(400);
  });

  test.each([
    {},
    { reasonRequested: "x" },
    { quota: 100 },
    { quota: 49, reasonRequested: "x" },
    { quota: 10_000_001, reasonRequested: "x" },
    { quota: 100.5, reasonRequested: "x" },
    { quota: "100", reasonRequested: "x" },
    { quota: 100, reasonRequested: "" },
    { quota: 100, reasonRequested: "x".repeat(501) },
  ])("%j is refused", async (body) => {
    const env = await openEnv();
    expect((await env.call("POST", path, body)).status).toBe(400);
  });

  test("the daily limit counts when sending, and a raised one lets the same send through", async () => {
    const env = await openEnv();
    await env.call("PUT", "/_sandbox/settings", { quota: 2 });
    const send = async () => {
      const told = await env.call("POST", "/messages/v4/send-many/detail", {
        messages: [sms("01000000001"), sms("01000000002")],
      });
      return replyOf(contract.sendManyDetail, told).groupInfo.status;
    };
    expect(await send()).toBe("SENDING");
    expect(await send()).toBe("FAILED");
    const told = await env.call("POST", path, { quota: 50, reasonRequested: "x" });
    const { handleKey } = replyOf(contract.requestQuota, told);
    await env.call("POST", "/_sandbox/review/quota", { handleKey, decision: "approve" });
    expect(await send()).toBe("SENDING");
    await env.call("PUT", "/_sandbox/settings", { quota: 4 });
    expect(await send()).toBe("FAILED");
    // Midnight in Seoul.
    env.pass(6 * 3_600_000);
    expect(await send()).toBe("SENDING");
  });
});
