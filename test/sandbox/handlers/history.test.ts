import { describe, expect, test } from "vitest";
import type { Reply } from "../../../src/contract/endpoint.ts";
import { contract } from "../../../src/contract/index.ts";
import { accountA, type Env, openEnv, sms } from "../environment.ts";
import { errorCodeOf, replyOf } from "../replies.ts";

type Item = Reply<typeof contract.listHistory>[number];

const list = async (env: Env, query = "", key = 1): Promise<Item[]> =>
  replyOf(
    contract.listHistory,
    await env.call("GET", `/cash/v1/balance/history${query}`, undefined, key),
  );
const all = "?limit=500";

describe("GET balance/history", () => {
  test("a bare array, newest first, 20 rows a page, whose amounts lead from row to row", async () => {
    const env = await openEnv();
    const first = await list(env);
    const rest = await list(env, "?offset=20");
    expect([first.length, rest.length]).toEqual([20, 5]);
    const rows = await list(env, all);
    expect(rows).toEqual([...first, ...rest]);
    const dates = rows.map((it) => it.dateCreated);
    expect(dates).toEqual([...dates].sort().reverse());
    rows.forEach((row, index) => {
      expect(row.newBalance).toBe(row.oldBalance + row.balanceAmount);
      expect(row.newPoint).toBe(row.oldPoint + row.pointAmount);
      expect(row.oldBalance).toBe(rows[index + 1]?.newBalance ?? 0);
    });
    expect(rows[0]).toEqual({
      balanceAmount: 0,
      pointAmount: 5000,
      groupId: null,
      memo: null,
      rechargeMethod: null,
      serviceMethod: null,
      chargedMethod: null,
      paymentMethod: null,
      accountId: accountA,
      oldBalance: 1_000_000,
      newBalance: 1_000_000,
      oldPoint: 0,
      newPoint: 5000,
      type: "MANUAL",
      dateCreated: "2026-01-04T09:00:00.000Z",
      historyId: expect.stringMatching(/^[0-9a-f]{24}$/),
    });
  });

  test("a send is a DEDUCT of its group, and is found by it", async () => {
    const env = await openEnv();
    const sent = await env.call("POST", "/messages/v4/send", {
      message: sms("01012345678"),
    });
    const { groupId } = replyOf(contract.sendMessage, sent);
    expect(await list(env, `?groupId=${groupId}`)).toMatchObject([
      { groupId, type: "DEDUCT", pointAmount: -20, balanceAmount: 0, serviceMethod: "MT" },
    ]);
    expect(await list(env, "?groupId=G4V")).toEqual([]);
  });

  const filters: Readonly<Record<string, (it: Item) => boolean>> = {
    "type=RECHARGE": (it) => it.type === "RECHARGE",
    "type=SET": () => false,
    "type[eq]=DEDUCT": (it) => it.type === "DEDUCT",
    "rechargeMethod=ACCOUNT-TRANSFER": (it) => it.rechargeMethod === "ACCOUNT-TRANSFER",
    "rechargeMethod=CARD": (it) => it.rechargeMethod === "CARD",
    "serviceMethod=MT": (it) => it.serviceMethod === "MT",
    "balanceAmount=-20": (it) => it.balanceAmount === -20,
    "balanceAmount=50000": (it) => it.balanceAmount === 50_000,
    "balanceRecharge=true": (it) => it.balanceAmount > 0,
    "balanceDeduct=true": (it) => it.balanceAmount < 0,
    "pointRecharge=true": (it) => it.pointAmount > 0,
    "pointDeduct=true": (it) => it.pointAmount < 0,
    "pointRecharge=true&pointDeduct=true": (it) => it.pointAmount !== 0,
    "balanceRecharge=false": () => true,
    "balanceDeduct=true&type=RECHARGE": () => false,
    "startDate=2026-01-01": (it) => it.dateCreated >= "2025-12-31T15:00:00.000Z",
    "endDate=2025-12-31": (it) => it.dateCreated < "2025-12-31T15:00:00.000Z",
    "startDate=2025-12-20T09:00:00Z&endDate=2025-12-22T09:00:00Z": (it) =>
      it.dateCreated >= "2025-12-20T09:00:00.000Z" && it.dateCreated <= "2025-12-22T09:00:00.000Z",
  };

  test.each(Object.entries(filters))("filter %s", async (query, holds) => {
    const env = await openEnv();
    const rows = await list(env, all);
    expect(await list(env, `${all}&${query}`)).toEqual(rows.filter(holds));
  });

  test.each([
    "balanceAmount=much",
    "balanceDeduct=yes",
    "startDate=soon",
    "limit=0",
    "offset=-1",
    "type[ne]=X",
  ])("%s is refused", async (query) => {
    const told = await (await openEnv()).call("GET", `/cash/v1/balance/history?${query}`);
    expect([told.status, errorCodeOf(told)]).toEqual([400, "ValidationError"]);
  });

  test("shows nothing of other accounts", async () => {
    expect(await list(await openEnv(), "", 4)).toEqual([]);
  });
});

describe("papers", () => {
  test("a statement tells of one movement of one's own", async () => {
    const env = await openEnv();
    const [, , charged] = await list(env, "?type=RECHARGE");
    const statement = (id: unknown, key = 1) =>
      env.call("GET", `/cash/v1/receipt?historyId=${id}`, undefined, key);
    expect((await statement(charged?.historyId)).body).toEqual({
      historyId: charged?.historyId,
      accountId: accountA,
      type: "RECHARGE",
      rechargeMethod: "ACCOUNT-TRANSFER",
      balanceAmount: charged?.balanceAmount,
      pointAmount: 0,
      dateCreated: charged?.dateCreated,
      dateIssued: "2026-01-05T09:00:00.000Z",
    });
    expect((await statement(charged?.historyId, 4)).status).toBe(404);
    expect(errorCodeOf(await statement("1"))).toBe("ResourceNotFound");
    expect(errorCodeOf(await env.call("GET", "/cash/v1/receipt"))).toBe("ValidationError");
  });

  test.each(["type=SMS&type=LMS&qty=1000&qty=2", "type=[%22SMS%22,%22LMS%22]&qty=[1000,2]"])(
    "a quote of types and quantities, with 10 %% of tax on top: %s",
    async (query) => {
      const env = await openEnv();
      const { status, body } = await env.call(
        "GET",
        `/cash/v1/estimate?company=Example%20Co&${query}`,
      );
      expect(status).toBe(200);
      expect(body).toEqual({
        company: "Example Co",
        items: [
          { type: "SMS", unitPrice: 20, qty: 1000, supplyCost: 20_000 },
          { type: "LMS", unitPrice: 50, qty: 2, supplyCost: 100 },
        ],
        supplyCostTotal: 20_100,
        taxTotal: 2010,
        totalAmount: 22_110,
        dateIssued: "2026-01-05T09:00:00.000Z",
      });
    },
  );

  test("a quote of an amount splits the tax out of it", async () => {
    const { body } = await (await openEnv()).call("GET", "/cash/v1/estimate?amount=22000");
    expect(body).toMatchObject({
      company: null,
      items: [],
      supplyCostTotal: 20_000,
      taxTotal: 2000,
      totalAmount: 22_000,
    });
  });

  test("of a company alone: an empty one", async () => {
    const { status, body } = await (await openEnv()).call(
      "GET",
      "/cash/v1/estimate?company=Example%20Co",
    );
    expect(status).toBe(200);
    expect(body).toMatchObject({ company: "Example Co", items: [], totalAmount: 0 });
  });

  test.each([
    "",
    "type=SMS",
    "type=SMS&qty=1&qty=2",
    "type=FAX&qty=1",
    "type=SMS&qty=0",
    "type=SMS&qty=1&amount=5",
  ])("no quote of '%s'", async (query) => {
    const { status } = await (await openEnv()).call("GET", `/cash/v1/estimate?${query}`);
    expect(status).toBe(400);
  });
});
