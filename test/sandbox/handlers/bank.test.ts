import { describe, expect, test } from "vitest";
import { contract } from "../../../src/contract/index.ts";
import { withdrawalFee } from "../../../src/contract/payment.ts";
import { accountA, type Env, openEnv } from "../environment.ts";
import { balanceOf, bankAccount, disagreeing, perform } from "../money.ts";
import { errorCodeOf, replyOf } from "../replies.ts";

const path = "/cash/v1/bank/accounts";
const register = (env: Env, members = {}) =>
  perform(env, "POST", path, { ...bankAccount, ...members });
const withdraw = (env: Env, amount: number) =>
  perform(env, "POST", "/cash/v1/withdraw", { amount });
const list = async (env: Env, query = "", key = 1) =>
  replyOf(
    contract.listWithdrawals,
    await env.call("GET", `/cash/v1/withdraw${query}`, undefined, key),
  );
const review = (env: Env, withdrawId: string, decision: string, memo?: string) =>
  env.call("POST", "/_sandbox/review/withdrawal", { withdrawId, decision, memo });

describe("bank account", () => {
  test("a leading zero survives; the account is read masked, replaced, and removed once", async () => {
    const env = await openEnv();
    expect((await env.call("GET", path)).body).toEqual({});
    expect((await register(env)).body).toEqual({ ...bankAccount, success: true });
    expect(env.rows("SELECT accountNumber FROM bank_accounts")).toEqual([
      { accountNumber: "0012345678901" },
    ]);
    expect((await env.call("GET", path)).body).toEqual({
      accountId: accountA,
      bankCode: "004",
      accountNumber: "*********8901",
      holderName: "Operator One",
      dateCreated: "2026-01-05T09:00:30.000Z",
      dateUpdated: "2026-01-05T09:00:30.000Z",
    });
    expect((await register(env, { bankCode: "088" })).status).toBe(200);
    expect((await env.call("GET", path)).body).toMatchObject({
      bankCode: "088",
      dateCreated: "2026-01-05T09:00:30.000Z",
      dateUpdated: "2026-01-05T09:01:00.000Z",
    });
    expect((await perform(env, "DELETE", path)).body).toEqual({ n: 1 });
    expect((await perform(env, "DELETE", path)).body).toEqual({ n: 0 });
    expect((await env.call("GET", path)).body).toEqual({});
  });

  test.each([
    [{ accountNumber: "001-234-5678901" }, "001-234-5678901"],
    [{ accountNumber: 12345678901 }, "12345678901"],
  ])("%j is taken and echoed as it was sent", async (members, accountNumber) => {
    const told = await register(await openEnv(), members);
    const account = replyOf(contract.addBankAccount, told);
    expect([told.status, account.accountNumber]).toEqual([200, accountNumber]);
  });

  test.each([
    { accountNumber: "123456" },
    { accountNumber: "12345678901234567" },
    { accountNumber: "12a45678" },
    { accountNumber: 1.5 },
    { accountNumber: true },
    { bankCode: "4" },
    { bankCode: "KB" },
    { holderName: " " },
    { holderName: "x".repeat(51) },
    { holderName: "MISMATCH" },
    { holderName: undefined },
  ])("%j is refused", async (members) => {
    const env = await openEnv();
    await env.call("PUT", "/_sandbox/settings", { secondFactor: "off" });
    const told = await env.call("POST", path, { ...bankAccount, ...members });
    expect([told.status, errorCodeOf(told)]).toEqual([400, "ValidationError"]);
  });
});

describe("withdrawals", () => {
  test.each([
    [10_000, 1000],
    [20_000, 1500],
    [100_000, 5500],
    [10_019, 1000],
    [10_020, 1001],
  ])("the fee of %i won is %i won", (total, fee) => {
    expect(withdrawalFee(total)).toBe(fee);
  });

  test("a request takes the total at once and keeps a copy of the bank account", async () => {
    const env = await openEnv();
    await register(env);
    const told = await withdraw(env, 20_000);
    expect(told.status).toBe(200);
    const requested = replyOf(contract.requestWithdrawal, told);
    expect(requested).toEqual({
      bankCode: "004",
      accountNumber: expect.stringMatching(/^\*+\d{4}$/),
      holderName: "Operator One",
      status: "PENDING",
      isProcessing: false,
      confirmedCount: 0,
      memo: null,
      transactionId: null,
      transactionDate: null,
      accountId: accountA,
      amount: 18_500,
      fee: 1500,
      totalAmount: 20_000,
      withdrawId: expect.stringMatching(/^\d{32}$/),
      dateConfirmed: null,
      dateCreated: "2026-01-05T09:01:00.000Z",
      dateUpdated: "2026-01-05T09:01:00.000Z",
    });
    expect((await balanceOf(env)).balance).toBe(980_000);
    await perform(env, "DELETE", path);
    const { data } = await list(env, "?limit=1");
    expect(data).toEqual([{ ...requested, accountNumber: "*********8901" }]);
    expect(disagreeing(env)).toEqual([]);
  });

  test("refused without a bank account, above the balance (points do not count), out of bounds", async () => {
    const env = await openEnv();
    const outcome = async (amount: number) => {
      const told = await withdraw(env, amount);
      return `${told.status} ${errorCodeOf(told)}`;
    };
    expect(await outcome(20_000)).toBe("404 ResourceNotFound");
    await register(env);
    expect(await outcome(1_000_001)).toBe("403 Forbidden");
    for (const amount of [9999, 10_000_001, 10_000.5]) {
      const told = await env.call("POST", "/cash/v1/withdraw", { amount });
      expect([told.status, errorCodeOf(told)]).toEqual([400, "ValidationError"]);
    }
    expect((await balanceOf(env)).balance).toBe(1_000_000);
    expect((await withdraw(env, 1_000_000)).status).toBe(200);
    expect(await balanceOf(env)).toMatchObject({ balance: 0, point: 5000 });
  });

  test("staff approves, or rejects and the money comes back; a second decision is refused", async () => {
    const env = await openEnv();
    await register(env);
    const request = async (amount: number) =>
      replyOf(contract.requestWithdrawal, await withdraw(env, amount)).withdrawId;
    const first = await request(20_000);
    const second = await request(30_000);
    expect((await review(env, first, "approve")).body).toMatchObject({
      status: "APPROVED",
      confirmedCount: 1,
      transactionId: expect.any(String),
      transactionDate: "2026-01-05T09:01:30.000Z",
    });
    expect((await review(env, second, "reject", "other holder")).body).toMatchObject({
      status: "REJECTED",
      memo: "other holder",
      transactionId: null,
    });
    expect((await balanceOf(env)).balance).toBe(980_000);
    expect((await review(env, first, "approve")).status).toBe(200);
    expect((await review(env, first, "reject")).status).toBe(409);
    expect((await review(env, second, "reject")).status).toBe(200);
    expect((await balanceOf(env)).balance).toBe(980_000);
    expect((await review(env, "1", "reject")).status).toBe(404);
    expect(disagreeing(env)).toEqual([]);
  });
});

describe("GET withdraw", () => {
  test("lists 25 of the fixtures newest first, over two pages", async () => {
    const env = await openEnv();
    const first = await list(env);
    expect(first.data).toHaveLength(20);
    const second = await list(env, `?startKey=${first.nextKey}`);
    expect(second.data).toHaveLength(5);
    expect(second.nextKey).toBeNull();
    const all = [...first.data, ...second.data];
    const dates = all.map((it) => it.dateCreated);
    expect(dates).toEqual([...dates].sort().reverse());
    expect(new Set(all.map((it) => it.withdrawId)).size).toBe(25);
    expect(second.data[0]?.withdrawId).toBe(first.nextKey);
    for (const it of all) expect(it.amount + it.fee).toBe(it.totalAmount);
    expect((await list(env, "?limit=500")).data).toEqual(all);
  });

  test("filters by id, status and time; pages and filters go together", async () => {
    const env = await openEnv();
    const { data: all } = await list(env, "?limit=500");
    const ids = async (query: string) => (await list(env, query)).data.map((it) => it.withdrawId);
    const wanted = (test: (it: (typeof all)[number]) => boolean) =>
      all.filter(test).map((it) => it.withdrawId);
    const [, some] = all;
    if (some === undefined) throw new Error("The fixtures have no second withdrawal.");
    expect(await ids(`?withdrawId=${some.withdrawId}`)).toEqual([some.withdrawId]);
    expect(await ids("?withdrawId=1")).toEqual([]);
    for (const [status, count] of Object.entries({ PENDING: 3, APPROVED: 18, REJECTED: 4 })) {
      expect(await ids(`?status=${status}`)).toEqual(wanted((it) => it.status === status));
      expect(await ids(`?status=${status}`)).toHaveLength(count);
    }
    const day = some.dateCreated.slice(0, 10);
    expect(await ids(`?limit=500&startDate=${some.dateCreated}`)).toEqual(
      wanted((it) => it.dateCreated >= some.dateCreated),
    );
    expect(await ids(`?limit=500&endDate=${some.dateCreated}`)).toEqual(
      wanted((it) => it.dateCreated <= some.dateCreated),
    );
    // A day alone is all of that day in UTC+9.
    expect(await ids(`?startDate=${day}&endDate=${day}`)).toEqual([some.withdrawId]);
    const page = await list(env, "?status=APPROVED&limit=10");
    const rest = await list(env, `?status=APPROVED&limit=10&startKey=${page.nextKey}`);
    expect([page.data.length, rest.data.length, rest.nextKey]).toEqual([10, 8, null]);
  });

  test("a key of nobody, or of another account, is refused", async () => {
    const env = await openEnv();
    const { nextKey } = await list(env);
    const ask = async (startKey: string | null, key: number) =>
      (await env.call("GET", `/cash/v1/withdraw?startKey=${startKey}`, undefined, key)).status;
    expect([await ask("1", 1), await ask(nextKey, 4)]).toEqual([400, 400]);
    expect(await list(env, "", 4)).toEqual({ data: [], nextKey: null });
  });

  test.each(["limit=0", "limit=501", "startDate=soon", "status[ne]=PENDING", "status=DONE"])(
    "%s is refused",
    async (query) => {
      const { status } = await (await openEnv()).call("GET", `/cash/v1/withdraw?${query}`);
      expect(status).toBe(400);
    },
  );
});
