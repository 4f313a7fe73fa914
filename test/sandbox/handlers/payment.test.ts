import { describe, expect, test } from "vitest";
import { contract } from "../../../src/contract/index.ts";
import { addCard, balanceOf, declining, master, perform, visa } from "../money.ts";
import { errorCodeOf, errorOf, replyOf } from "../told.ts";
import { type Environment, openEnvironment } from "../world.ts";

const add = (world: Environment, card: unknown) => perform(world, "POST", "/cash/v1/payment", card);
const list = async (world: Environment, query = "") =>
  replyOf(contract.listPayments, await world.call("GET", `/cash/v1/payment${query}`)).payments;
const order = (world: Environment, paymentIds: string[], members = {}) =>
  world.call("PUT", "/cash/v1/payment", {
    paymentIds,
    minimumCash: 3000,
    rechargeTo: 50_000,
    ...members,
  });
const toggle = (world: Environment) => perform(world, "PUT", "/cash/v1/recharge");

describe("POST payment", () => {
  test("a card is stored as brand, last digits and expiry, and answered with its id", async () => {
    const world = await openEnvironment();
    const told = await add(world, visa);
    expect(told.status).toBe(200);
    const card = replyOf(contract.addPayment, told);
    expect(card).toEqual({
      description: "[VISA] 1111 05/29",
      expDate: "2029/05",
      paymentId: expect.stringMatching(/^3\d{30}$/),
    });
    expect(await list(world)).toEqual([
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
    const told = await add(await openEnvironment(), card);
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
    const world = await openEnvironment();
    const told = await add(world, card);
    const { errorCode, errorMessage } = errorOf(told);
    expect([told.status, errorCode]).toEqual([400, "ValidationError"]);
    expect(errorMessage).toContain(word);
    expect(errorMessage).not.toContain(card.cardNumber);
    expect(await list(world)).toEqual([]);
  });

  test("a card is good to the end of its month in UTC+9", async () => {
    const world = await openEnvironment();
    const card = { ...visa, expYear: 26, expMonth: 1 };
    await world.call("PUT", "/_sandbox/clock", { set: "2026-01-31T14:58:00Z" });
    expect((await add(world, card)).status).toBe(200);
    await world.call("PUT", "/_sandbox/clock", { set: "2026-01-31T15:00:00Z" });
    expect((await add(world, { ...master, expYear: 26, expMonth: 1 })).status).toBe(400);
  });

  test("the same card, or the same description, is 409", async () => {
    const world = await openEnvironment();
    await add(world, { ...visa, description: "office" });
    for (const card of [visa, { ...master, description: "office" }]) {
      const told = await add(world, card);
      expect([told.status, errorCodeOf(told)]).toEqual([409, "CardAlreadyExists"]);
    }
    expect(await list(world)).toHaveLength(1);
  });

  test("the eleventh card is refused; pages of the list follow offset and limit", async () => {
    const world = await openEnvironment();
    for (let year = 30; year < 40; year += 1) await addCard(world, { ...visa, expYear: year });
    expect((await add(world, { ...visa, expYear: 40 })).status).toBe(400);
    expect(await list(world)).toHaveLength(10);
    const page = await list(world, "?offset=8&limit=5");
    expect(page.map((it) => it.expDate)).toEqual(["2038/05", "2039/05"]);
  });
});

test("cards of another account are not shown, and cannot be used or removed", async () => {
  const world = await openEnvironment();
  const paymentId = await addCard(world, visa);
  const foreign = await world.call("GET", "/cash/v1/payment?accountId=26010500000002");
  expect([foreign.status, errorCodeOf(foreign)]).toEqual([403, "Forbidden"]);
  expect((await list(world, "?accountId=26010500000001")).length).toBe(1);
  world.rows("UPDATE accounts SET authenticated = 'PERSONAL' RETURNING accountId");
  const other = await world.call("GET", "/cash/v1/payment", undefined, 4);
  expect(replyOf(contract.listPayments, other).payments).toEqual([]);
  const removed = await perform(world, "DELETE", "/cash/v1/payment", { paymentId }, 4);
  expect([removed.status, errorCodeOf(removed)]).toEqual([404, "ResourceNotFound"]);
  const charged = await perform(world, "POST", "/cash/v1/balance", { paymentId, amount: 1000 }, 4);
  expect([charged.status, errorCodeOf(charged)]).toEqual([400, "InvalidPaymentId"]);
});

describe("PUT payment", () => {
  test("sets order and amounts without a second factor; unlisted cards lose their place", async () => {
    const world = await openEnvironment();
    const [first, second] = [await addCard(world, visa), await addCard(world, master)];
    const body = { paymentIds: [second, first], minimumCash: 4000, rechargeTo: 60_000 };
    expect((await world.call("PUT", "/cash/v1/payment", body)).body).toEqual(body);
    const shown = async () => (await list(world)).map((it) => [it._id, it.autoRecharge]);
    expect(await shown()).toEqual([
      [second, 1],
      [first, 2],
    ]);
    expect(await balanceOf(world)).toMatchObject({
      minimumCash: 4000,
      rechargeTo: 60_000,
      autoRecharge: 0,
    });
    await order(world, [first]);
    expect(await shown()).toEqual([
      [first, 1],
      [second, 0],
    ]);
  });

  test("limits, duplicates and unknown cards are refused", async () => {
    const world = await openEnvironment();
    const id = await addCard(world, visa);
    const code = async (ids: string[], members = {}) => {
      const told = await order(world, ids, members);
      return `${told.status} ${errorCodeOf(told)}`;
    };
    expect(await code([])).toBe("400 ValidationError");
    expect(await code([id, id])).toBe("400 ValidationError");
    expect(await code([id], { minimumCash: 199 })).toBe("400 ValidationError");
    expect(await code([id], { minimumCash: 200.5 })).toBe("400 ValidationError");
    expect(await code([id], { rechargeTo: 9999 })).toBe("400 ValidationError");
    expect(await code([id], { minimumCash: 50_000 })).toBe("400 ValidationError");
    expect(await code([id, `${id}0`])).toBe("400 InvalidPaymentId");
    expect((await list(world))[0]?.autoRecharge).toBe(0);
  });
});

describe("DELETE payment", () => {
  test("removes a card and closes the gap in the order", async () => {
    const world = await openEnvironment();
    const [first, second] = [await addCard(world, visa), await addCard(world, master)];
    await order(world, [first, second]);
    const { status, body } = await perform(world, "DELETE", "/cash/v1/payment", {
      paymentId: first,
    });
    expect([status, body]).toEqual([200, { paymentId: first, message: expect.any(String) }]);
    expect(await list(world)).toMatchObject([{ _id: second, autoRecharge: 1 }]);
    const again = await perform(world, "DELETE", "/cash/v1/payment", { paymentId: first });
    expect([again.status, errorCodeOf(again)]).toEqual([404, "ResourceNotFound"]);
  });

  test("with the last card of the order automatic recharge turns off", async () => {
    const world = await openEnvironment();
    const [first, second] = [await addCard(world, visa), await addCard(world, master)];
    await order(world, [first]);
    await toggle(world);
    await perform(world, "DELETE", "/cash/v1/payment", { paymentId: second });
    expect((await balanceOf(world)).autoRecharge).toBe(1);
    await perform(world, "DELETE", "/cash/v1/payment", { paymentId: first });
    expect((await balanceOf(world)).autoRecharge).toBe(0);
  });
});

describe("PUT recharge", () => {
  test("toggles and answers the new state", async () => {
    const world = await openEnvironment();
    await order(world, [await addCard(world, visa)]);
    expect((await toggle(world)).body).toEqual({ autoRecharge: true });
    expect((await balanceOf(world)).autoRecharge).toBe(1);
    expect((await toggle(world)).body).toEqual({ autoRecharge: false });
    expect((await balanceOf(world)).autoRecharge).toBe(0);
  });

  test("without a card in the order it cannot be turned on", async () => {
    const world = await openEnvironment();
    await addCard(world, visa);
    const told = await toggle(world);
    expect([told.status, errorCodeOf(told)]).toEqual([404, "ResourceNotFound"]);
  });
});

describe("automatic recharge", () => {
  const sms = { message: { to: "01012345678", from: "0200000000", text: "hello" } };
  const send = (world: Environment) => world.call("POST", "/messages/v4/send", sms);

  const prepared = async (...cards: unknown[]): Promise<Environment> => {
    const world = await openEnvironment();
    const ids = [];
    for (const card of cards) ids.push(await addCard(world, card));
    await order(world, ids);
    await toggle(world);
    await world.call("PUT", "/_sandbox/settings", { balance: 3010, point: 0 });
    return world;
  };

  test("a send that takes the balance below the minimum fills it from the first card", async () => {
    const world = await prepared(visa);
    expect((await balanceOf(world)).balance).toBe(3010);
    await send(world);
    expect(await balanceOf(world)).toMatchObject({ balance: 50_000, rechargeTryCount: 0 });
    const told = await world.call("GET", "/cash/v1/balance/history?limit=1");
    const [newest] = replyOf(contract.listHistory, told);
    expect(newest).toMatchObject({
      type: "RECHARGE",
      rechargeMethod: "CARD",
      balanceAmount: 47_010,
      oldBalance: 2990,
    });
  });

  test("a balance of exactly the minimum is not low", async () => {
    const world = await prepared(visa);
    await world.call("PUT", "/_sandbox/settings", { balance: 3020 });
    await send(world);
    expect((await balanceOf(world)).balance).toBe(3000);
  });

  test("a declined card counts a try and the next card is taken, which clears the count", async () => {
    const world = await prepared(declining, visa);
    await send(world);
    expect(await balanceOf(world)).toMatchObject({ balance: 50_000, rechargeTryCount: 0 });
  });

  test("when all cards are declined the tries are counted, and the next deduction tries again", async () => {
    const world = await prepared(declining);
    await send(world);
    const after = { balance: 2990, rechargeTryCount: 1, autoRecharge: 1 };
    expect(await balanceOf(world)).toMatchObject(after);
    world.pass(60_000);
    expect(await balanceOf(world)).toMatchObject(after);
    await send(world);
    expect(await balanceOf(world)).toMatchObject({ balance: 2970, rechargeTryCount: 2 });
  });

  test("turned off, nothing is charged", async () => {
    const world = await prepared(visa);
    await toggle(world);
    await send(world);
    expect((await balanceOf(world)).balance).toBe(2990);
  });
});
