import { describe, expect, test } from "vitest";
import { contract } from "../../../src/contract/index.ts";
import { type Env, openEnv } from "../environment.ts";
import { addCard, balanceOf, declining, master, perform, visa } from "../money.ts";
import { errorCodeOf, errorOf, replyOf } from "../replies.ts";

const add = (env: Env, card: unknown) => perform(env, "POST", "/cash/v1/payment", card);
const list = async (env: Env, query = "") =>
  replyOf(contract.listPayments, await env.call("GET", `/cash/v1/payment${query}`)).payments;
const order = (env: Env, paymentIds: string[], members = {}) =>
  env.call("PUT", "/cash/v1/payment", {
    paymentIds,
    minimumCash: 3000,
    rechargeTo: 50_000,
    ...members,
  });
const toggle = (env: Env) => perform(env, "PUT", "/cash/v1/recharge");

describe("POST payment", () => {
  test("a card is stored as brand, last digits and expiry, and answered with its id", async () => {
    const env = await openEnv();
    const told = await add(env, visa);
    expect(told.status).toBe(200);
    const card = replyOf(contract.addPayment, told);
    expect(card).toEqual({
      description: "[VISA] 1111 05/29",
      expDate: "2029/05",
      paymentId: expect.stringMatching(/^3\d{30}$/),
    });
    expect(await list(env)).toEqual([
      {
        autoRecharge: 0,
        expDate: "2029/05",
        _id: card.paymentId,
        description: "[VISA] 1111 05/29",
        dateCreated: "2026-01-05T09:00:30.000Z",
        dateUpdated: "2026-01-05T09:00:30.000Z",
      },
    ]);
  });

  test.each([
    [{ ...visa, cardNumber: "4111 1111-1111 1111" }, "[VISA] 1111 05/29"],
    [{ ...visa, expYear: 2029, expMonth: "05" }, "[VISA] 1111 05/29"],
    [master, "[MASTERCARD] 4444 05/29"],
    [{ ...visa, cardNumber: "2223003122003222", cvc: "1234" }, "[MASTERCARD] 3222 05/29"],
    [{ ...visa, description: " office " }, "office"],
    [{ ...visa, expYear: 26, expMonth: 1 }, "[VISA] 1111 01/26"],
  ])("%j is taken as %s", async (card, description) => {
    const told = await add(await openEnv(), card);
    expect([told.status, replyOf(contract.addPayment, told).description]).toEqual([
      200,
      description,
    ]);
  });

  test.each([
    [{ ...visa, cardNumber: "4111111111111112" }, "cardNumber"],
    [{ ...visa, cardNumber: "378282246310005" }, "cardNumber"],
    [{ ...visa, cardNumber: "41111111" }, "cardNumber"],
    [{ ...visa, cvc: "12" }, "cvc"],
    [{ ...visa, cvc: "12a" }, "cvc"],
    [{ ...visa, expMonth: 0 }, "expMonth"],
    [{ ...visa, expMonth: 13 }, "expMonth"],
    [{ ...visa, expYear: 129 }, "expYear"],
    [{ ...visa, expYear: 25, expMonth: 12 }, "expired"],
  ])("%j is refused because of its %s, without repeating it", async (card, word) => {
    const env = await openEnv();
    const told = await add(env, card);
    const { errorCode, errorMessage } = errorOf(told);
    expect([told.status, errorCode]).toEqual([400, "ValidationError"]);
    expect(errorMessage).toContain(word);
    expect(errorMessage).not.toContain(card.cardNumber);
    expect(await list(env)).toEqual([]);
  });

  test("a card is good to the end of its month in UTC+9", async () => {
    const env = await openEnv();
    const card = { ...visa, expYear: 26, expMonth: 1 };
    await env.call("PUT", "/_sandbox/clock", { set: "2026-01-31T14:58:00Z" });
    expect((await add(env, card)).status).toBe(200);
    await env.call("PUT", "/_sandbox/clock", { set: "2026-01-31T15:00:00Z" });
    expect((await add(env, { ...master, expYear: 26, expMonth: 1 })).status).toBe(400);
  });

  test("the same card, or the same description, is 409", async () => {
    const env = await openEnv();
    await add(env, { ...visa, description: "office" });
    for (const card of [visa, { ...master, description: "office" }]) {
      const told = await add(env, card);
      expect([told.status, errorCodeOf(told)]).toEqual([409, "CardAlreadyExists"]);
    }
    expect(await list(env)).toHaveLength(1);
  });

  test("the eleventh card is refused; pages of the list follow offset and limit", async () => {
    const env = await openEnv();
    for (let year = 30; year < 40; year += 1) await addCard(env, { ...visa, expYear: year });
    expect((await add(env, { ...visa, expYear: 40 })).status).toBe(400);
    expect(await list(env)).toHaveLength(10);
    const page = await list(env, "?offset=8&limit=5");
    expect(page.map((it) => it.expDate)).toEqual(["2038/05", "2039/05"]);
  });
});

test("cards of another account are not shown, and cannot be used or removed", async () => {
  const env = await openEnv();
  const paymentId = await addCard(env, visa);
  const foreign = await env.call("GET", "/cash/v1/payment?accountId=26010500000002");
  expect([foreign.status, errorCodeOf(foreign)]).toEqual([403, "Forbidden"]);
  expect((await list(env, "?accountId=26010500000001")).length).toBe(1);
  env.rows("UPDATE accounts SET authenticated = 'PERSONAL' RETURNING accountId");
  const other = await env.call("GET", "/cash/v1/payment", undefined, 4);
  expect(replyOf(contract.listPayments, other).payments).toEqual([]);
  const removed = await perform(env, "DELETE", "/cash/v1/payment", { paymentId }, 4);
  expect([removed.status, errorCodeOf(removed)]).toEqual([404, "ResourceNotFound"]);
  const charged = await perform(env, "POST", "/cash/v1/balance", { paymentId, amount: 1000 }, 4);
  expect([charged.status, errorCodeOf(charged)]).toEqual([400, "InvalidPaymentId"]);
});

describe("PUT payment", () => {
  test("sets order and amounts without a second factor; unlisted cards lose their place", async () => {
    const env = await openEnv();
    const [first, second] = [await addCard(env, visa), await addCard(env, master)];
    const body = { paymentIds: [second, first], minimumCash: 4000, rechargeTo: 60_000 };
    expect((await env.call("PUT", "/cash/v1/payment", body)).body).toEqual(body);
    const shown = async () => (await list(env)).map((it) => [it._id, it.autoRecharge]);
    expect(await shown()).toEqual([
      [second, 1],
      [first, 2],
    ]);
    expect(await balanceOf(env)).toMatchObject({
      minimumCash: 4000,
      rechargeTo: 60_000,
      autoRecharge: 0,
    });
    await order(env, [first]);
    expect(await shown()).toEqual([
      [first, 1],
      [second, 0],
    ]);
  });

  test("limits, duplicates and unknown cards are refused", async () => {
    const env = await openEnv();
    const id = await addCard(env, visa);
    const code = async (ids: string[], members = {}) => {
      const told = await order(env, ids, members);
      return `${told.status} ${errorCodeOf(told)}`;
    };
    expect(await code([])).toBe("400 ValidationError");
    expect(await code([id, id])).toBe("400 ValidationError");
    expect(await code([id], { minimumCash: 199 })).toBe("400 ValidationError");
    expect(await code([id], { minimumCash: 200.5 })).toBe("400 ValidationError");
    expect(await code([id], { rechargeTo: 9999 })).toBe("400 ValidationError");
    expect(await code([id], { minimumCash: 50_000 })).toBe("400 ValidationError");
    expect(await code([id, `${id}0`])).toBe("400 InvalidPaymentId");
    expect((await list(env))[0]?.autoRecharge).toBe(0);
  });
});

describe("DELETE payment", () => {
  test("removes a card and closes the gap in the order", async () => {
    const env = await openEnv();
    const [first, second] = [await addCard(env, visa), await addCard(env, master)];
    await order(env, [first, second]);
    const { status, body } = await perform(env, "DELETE", "/cash/v1/payment", {
      paymentId: first,
    });
    expect([status, body]).toEqual([200, { paymentId: first, message: expect.any(String) }]);
    expect(await list(env)).toMatchObject([{ _id: second, autoRecharge: 1 }]);
    const again = await perform(env, "DELETE", "/cash/v1/payment", { paymentId: first });
    expect([again.status, errorCodeOf(again)]).toEqual([404, "ResourceNotFound"]);
  });

  test("with the last card of the order automatic recharge turns off", async () => {
    const env = await openEnv();
    const [first, second] = [await addCard(env, visa), await addCard(env, master)];
    await order(env, [first]);
    await toggle(env);
    await perform(env, "DELETE", "/cash/v1/payment", { paymentId: second });
    expect((await balanceOf(env)).autoRecharge).toBe(1);
    await perform(env, "DELETE", "/cash/v1/payment", { paymentId: first });
    expect((await balanceOf(env)).autoRecharge).toBe(0);
  });
});

describe("PUT recharge", () => {
  test("toggles and answers the new state", async () => {
    const env = await openEnv();
    await order(env, [await addCard(env, visa)]);
    expect((await toggle(env)).body).toEqual({ autoRecharge: true });
    expect((await balanceOf(env)).autoRecharge).toBe(1);
    expect((await toggle(env)).body).toEqual({ autoRecharge: false });
    expect((await balanceOf(env)).autoRecharge).toBe(0);
  });

  test("without a card in the order it cannot be turned on", async () => {
    const env = await openEnv();
    await addCard(env, visa);
    const told = await toggle(env);
    expect([told.status, errorCodeOf(told)]).toEqual([404, "ResourceNotFound"]);
  });
});

describe("automatic recharge", () => {
  const sms = { message: { to: "01012345678", from: "0200000000", text: "hello" } };
  const send = (env: Env) => env.call("POST", "/messages/v4/send", sms);

  const prepared = async (...cards: unknown[]): Promise<Env> => {
    const env = await openEnv();
    const ids = [];
    for (const card of cards) ids.push(await addCard(env, card));
    await order(env, ids);
    await toggle(env);
    await env.call("PUT", "/_sandbox/settings", { balance: 3010, point: 0 });
    return env;
  };

  test("a send that takes the balance below the minimum fills it from the first card", async () => {
    const env = await prepared(visa);
    expect((await balanceOf(env)).balance).toBe(3010);
    await send(env);
    expect(await balanceOf(env)).toMatchObject({ balance: 50_000, rechargeTryCount: 0 });
    const told = await env.call("GET", "/cash/v1/balance/history?limit=1");
    const [newest] = replyOf(contract.listHistory, told);
    expect(newest).toMatchObject({
      type: "RECHARGE",
      rechargeMethod: "CARD",
      balanceAmount: 47_010,
      oldBalance: 2990,
    });
  });

  test("a balance of exactly the minimum is not low", async () => {
    const env = await prepared(visa);
    await env.call("PUT", "/_sandbox/settings", { balance: 3020 });
    await send(env);
    expect((await balanceOf(env)).balance).toBe(3000);
  });

  test("a declined card counts a try and the next card is taken, which clears the count", async () => {
    const env = await prepared(declining, visa);
    await send(env);
    expect(await balanceOf(env)).toMatchObject({ balance: 50_000, rechargeTryCount: 0 });
  });

  test("when all cards are declined the tries are counted, and the next deduction tries again", async () => {
    const env = await prepared(declining);
    await send(env);
    const after = { balance: 2990, rechargeTryCount: 1, autoRecharge: 1 };
    expect(await balanceOf(env)).toMatchObject(after);
    env.pass(60_000);
    expect(await balanceOf(env)).toMatchObject(after);
    await send(env);
    expect(await balanceOf(env)).toMatchObject({ balance: 2970, rechargeTryCount: 2 });
  });

  test("turned off, nothing is charged", async () => {
    const env = await prepared(visa);
    await toggle(env);
    await send(env);
    expect((await balanceOf(env)).balance).toBe(2990);
  });
});
