import { describe, expect, test } from "vitest";
import { contract } from "../../../src/contract/index.ts";
import { controls } from "../../../src/contract/sandbox.ts";
import { accountA, type Env, firstAlert, openEnv, sms } from "../environment.ts";
import { addCard, balanceOf, declining, disagreeing, perform, visa } from "../money.ts";
import { errorCodeOf, replyOf } from "../replies.ts";

const alertOf = async (env: Env) =>
  replyOf(contract.getAlert, await env.call("GET", "/cash/v1/balance/alert")).lowBalanceAlert;
const setBalance = (env: Env, balance: number) =>
  env.call("PUT", "/_sandbox/settings", { balance });

describe("low-balance alert", () => {
  test("GET shows it with its dates; PUT replaces both lists and keeps it on", async () => {
    const env = await openEnv();
    expect((await env.call("GET", "/cash/v1/balance/alert")).body).toEqual({
      lowBalanceAlert: firstAlert,
      _id: accountA,
      dateCreated: "2026-01-01T00:00:00.000Z",
      dateUpdated: "2026-01-01T00:00:00.000Z",
    });
    const { status, body } = await perform(env, "PUT", "/cash/v1/balance/alert", {
      balances: [5000, 200],
      channels: ["EMAIL", "ATA"],
    });
    expect([status, body]).toEqual([200, { message: "Successfully registered." }]);
    expect((await env.call("GET", "/cash/v1/balance/alert")).body).toMatchObject({
      lowBalanceAlert: { balances: [200, 5000], channels: ["EMAIL", "ATA"], enabled: true },
      dateUpdated: "2026-01-05T09:00:30.000Z",
    });
  });

  test.each([
    [{ balances: [], channels: ["SMS"] }],
    [{ balances: [200, 300, 400, 500], channels: ["SMS"] }],
    [{ balances: [199], channels: ["SMS"] }],
    [{ balances: [200.5], channels: ["SMS"] }],
    [{ balances: [200, 200], channels: ["SMS"] }],
    [{ balances: [200], channels: [] }],
    [{ balances: [200], channels: ["FAX"] }],
    [{ balances: [200] }],
    [{ balances: 200, channels: ["SMS"] }],
  ])("%j is refused", async (body) => {
    const told = await (await openEnv()).call("PUT", "/cash/v1/balance/alert", body);
    expect([told.status, errorCodeOf(told)]).toEqual([400, "ValidationError"]);
  });

  test.each([["yes"], [1], [null], [undefined]])(
    "a switch takes a boolean, not %j",
    async (enabled) => {
      const env = await openEnv();
      const told = await env.call("PUT", "/cash/v1/balance/alert/switch", { enabled });
      expect([told.status, errorCodeOf(told)]).toEqual([400, "ValidationError"]);
    },
  );

  test("switching to the present state is success", async () => {
    const env = await openEnv();
    for (const enabled of [true, false, false]) {
      const told = await perform(env, "PUT", "/cash/v1/balance/alert/switch", { enabled });
      expect([told.status, told.body]).toEqual([200, { accountId: accountA, enabled }]);
    }
  });

  test("each threshold tells once on the way down, and again after the highest was passed", async () => {
    const env = await openEnv();
    await perform(env, "PUT", "/cash/v1/balance/alert", {
      balances: [200, 1000],
      channels: ["SMS"],
    });
    const told = async (balance: number) => {
      await setBalance(env, balance);
      const { notificationBalance, currentBalance } = await alertOf(env);
      return [notificationBalance, currentBalance];
    };
    expect(await told(1000)).toEqual(["0", null]);
    expect(await told(999)).toEqual(["1000", 999]);
    expect(await told(500)).toEqual(["1000", 999]);
    expect(await told(1000)).toEqual(["1000", 999]);
    expect(await told(900)).toEqual(["1000", 999]);
    expect(await told(100)).toEqual(["200", 100]);
    expect(await told(1001)).toEqual(["0", null]);
    expect(await told(50)).toEqual(["200", 50]);
  });

  test("each crossing reaches the owner's phone once a threshold, and no list of messages", async () => {
    const env = await openEnv();
    await perform(env, "PUT", "/cash/v1/balance/alert", {
      balances: [200, 1000],
      channels: ["EMAIL", "SMS"],
    });
    for (const balance of [1000, 999, 500]) await setBalance(env, balance);
    await env.call("POST", "/messages/v4/send", { message: sms("01000000001") });
    env.pass(60_000);
    await setBalance(env, 100);
    const inbox = await env.call("GET", "/_sandbox/inbox?to=01000000001");
    const { messages } = replyOf(controls.listInbox, inbox);
    const texts = messages.map((it) => it.text);
    const told = (balance: number, threshold: number) =>
      `The balance of ${accountA} is ${balance} won, below ${threshold} won.`;
    expect(texts).toEqual([told(100, 200), "hello", told(999, 1000)]);
    const [first] = messages;
    const shown = await env.call("GET", `/_sandbox/inbox/${first?.messageId}`);
    expect(shown.body).toEqual(first);
    expect(first).toMatchObject({ type: "SMS", accountId: accountA });
    const listed = await env.call("GET", "/messages/v4/list");
    const { messageList } = replyOf(contract.listMessages, listed);
    expect(Object.keys(messageList)).toHaveLength(1);
  });

  test("switched off it tells nothing", async () => {
    const env = await openEnv();
    await perform(env, "PUT", "/cash/v1/balance/alert/switch", { enabled: false });
    await setBalance(env, 0);
    expect(await alertOf(env)).toMatchObject({
      notificationBalance: "0",
      currentBalance: null,
    });
    const inbox = await env.call("GET", "/_sandbox/inbox");
    expect(replyOf(controls.listInbox, inbox).messages).toEqual([]);
  });
});

describe("POST balance", () => {
  const charge = (env: Env, body: unknown) => perform(env, "POST", "/cash/v1/balance", body);

  test("charges a card and answers the movement, which the history shows", async () => {
    const env = await openEnv();
    const paymentId = await addCard(env, visa);
    const told = await charge(env, { amount: 10_000, paymentId });
    expect(told.status).toBe(200);
    const charged = replyOf(contract.chargeBalance, told);
    expect(charged).toEqual({
      accountId: accountA,
      oldBalance: 1_000_000,
      newBalance: 1_010_000,
      oldPoint: 5000,
      newPoint: 5000,
      balanceAmount: 10_000,
      pointAmount: 0,
      type: "RECHARGE",
      historyId: expect.stringMatching(/^[0-9a-f]{24}$/),
    });
    expect((await env.call("GET", "/cash/v1/balance/history?limit=1")).body).toMatchObject([
      { historyId: charged.historyId, rechargeMethod: "CARD", newBalance: 1_010_000 },
    ]);
    expect(disagreeing(env)).toEqual([]);
  });

  test("a card that ends in 0002 declines and nothing moves", async () => {
    const env = await openEnv();
    const paymentId = await addCard(env, declining);
    const told = await charge(env, { amount: 10_000, paymentId });
    expect([told.status, errorCodeOf(told)]).toEqual([402, "BalanceInsufficient"]);
    expect(told.assumptions).toContain("test-cards");
    expect((await balanceOf(env)).balance).toBe(1_000_000);
  });

  test.each([999, 10_000_001, 1000.5, -5000, "5000"])("%j won is refused", async (amount) => {
    const env = await openEnv();
    const paymentId = await addCard(env, visa);
    const told = await env.call("POST", "/cash/v1/balance", { amount, paymentId });
    expect([told.status, errorCodeOf(told)]).toEqual([400, "ValidationError"]);
  });

  test("1,000 and 10,000,000 won are the bounds; an unknown card is 400", async () => {
    const env = await openEnv();
    const paymentId = await addCard(env, visa);
    expect((await charge(env, { amount: 1000, paymentId })).status).toBe(200);
    expect((await charge(env, { amount: 10_000_000, paymentId })).status).toBe(200);
    const told = await charge(env, { amount: 1000, paymentId: "1" });
    expect([told.status, errorCodeOf(told)]).toEqual([400, "InvalidPaymentId"]);
  });
});

describe("POST transfer", () => {
  const targetAccountId = "26010500000002";
  const transfer = (env: Env, body: unknown) => perform(env, "POST", "/cash/v1/transfer", body);

  test("moves balance from one ledger to the other and answers a text", async () => {
    const env = await openEnv();
    const { status, body } = await transfer(env, { targetAccountId, amount: 1 });
    expect([status, body]).toEqual([200, "Success"]);
    const movements = async (query: string, key = 1) => {
      const told = await env.call("GET", `/cash/v1/balance/history${query}`, undefined, key);
      return replyOf(contract.listHistory, told);
    };
    expect((await balanceOf(env)).balance).toBe(999_999);
    expect((await balanceOf(env, 4)).balance).toBe(1);
    const [paid] = await movements("?limit=1");
    expect(paid).toMatchObject({ type: "DEDUCT", balanceAmount: -1, serviceMethod: null });
    expect(paid?.memo).toContain(targetAccountId);
    const [got] = await movements("", 4);
    expect(got).toMatchObject({ type: "RECHARGE", balanceAmount: 1, rechargeMethod: null });
    expect(got?.memo).toContain(accountA);
    expect(disagreeing(env)).toEqual([]);
  });

  test.each([
    [{ targetAccountId, amount: 1_000_001 }, "402 NotEnoughBalance"],
    [{ targetAccountId: "26010500000009", amount: 1 }, "400 InvalidAccountId"],
    [{ targetAccountId: "26010500000004", amount: 1 }, "400 InvalidAccountId"],
    [{ targetAccountId: accountA, amount: 1 }, "400 ValidationError"],
    [{ targetAccountId, amount: 1, accountId: "26010500000002" }, "403 Forbidden"],
  ])("%j: %s, and nothing moves", async (body, refusal) => {
    const env = await openEnv();
    const told = await transfer(env, body);
    expect(`${told.status} ${errorCodeOf(told)}`).toBe(refusal);
    expect((await balanceOf(env)).balance).toBe(1_000_000);
  });

  test.each([0, -1, 0.5])("%i won is refused", async (amount) => {
    const told = await (await openEnv()).call("POST", "/cash/v1/transfer", {
      targetAccountId,
      amount,
    });
    expect([told.status, errorCodeOf(told)]).toEqual([400, "ValidationError"]);
  });

  test("the whole balance may go, points stay", async () => {
    const env = await openEnv();
    expect((await transfer(env, { targetAccountId, amount: 1_000_000 })).status).toBe(200);
    expect(await balanceOf(env)).toMatchObject({ balance: 0, point: 5000 });
  });
});
