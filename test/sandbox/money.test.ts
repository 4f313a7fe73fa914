/** Money as a whole: who may, what is never kept, and that the ledger always explains the purses. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Endpoint } from "../../src/contract/endpoint.ts";
import { contract } from "../../src/contract/index.ts";
import { controls } from "../../src/contract/sandbox.ts";
import { openSandbox } from "../../src/sandbox/index.ts";
import { authorization } from "../support/signer.ts";
import { doors, untilStopped } from "./doors.ts";
import { type Env, openEnv, sms } from "./environment.ts";
import {
  addCard,
  balanceOf,
  bankAccount,
  begin,
  declining,
  deliveredCode,
  disagreeing,
  mfaHeader,
  mfaOf,
  otherThan,
  perform,
  proofHeader,
  visa,
} from "./money.ts";
import { errorCodeOf, replyOf } from "./replies.ts";

const all: readonly Endpoint[] = Object.values(contract);
const money = all.filter((it) => it.path.startsWith("/cash/"));

describe("who may", () => {
  /** A body that passes the checks of its endpoint. */
  const bodies: Readonly<Record<string, unknown>> = {
    "PUT /cash/v1/balance/alert": { balances: [200], channels: ["SMS"] },
    "PUT /cash/v1/balance/alert/switch": { enabled: true },
    "POST /cash/v1/balance": { amount: 1000, paymentId: "1" },
    "POST /cash/v1/transfer": { targetAccountId: "1", amount: 1 },
    "POST /cash/v1/payment": visa,
    "PUT /cash/v1/payment": { paymentIds: ["1"], minimumCash: 200, rechargeTo: 10_000 },
    "DELETE /cash/v1/payment": { paymentId: "1" },
    "POST /cash/v1/bank/accounts": bankAccount,
    "POST /cash/v1/withdraw": { amount: 10_000 },
  };
  const outcomes = async (endpoint: Endpoint): Promise<string[]> => {
    const env = await openEnv();
    const told: string[] = [];
    for (const key of [1, 2, 3, 4, 5, 6, 7, 8, 9]) {
      const body = bodies[`${endpoint.method} ${endpoint.path}`];
      const query = endpoint.path.endsWith("receipt") ? "?historyId=1" : "";
      const answer = await env.call(endpoint.method, endpoint.path + query, body, key);
      told.push(errorCodeOf(answer) ?? "ok");
    }
    return told;
  };
  const nobodyElse = [
    "Forbidden",
    "Forbidden",
    "AccountNotAuthenticated",
    "InactiveAccount",
    "DeletedAccount",
    "InvalidAPIKey",
    "UnverifiedMember",
    "InactiveMember",
  ];

  test.each(money.filter((it) => it.effect !== "safe"))(
    "$method $path: the ACTIVE owner of an authenticated account alone",
    async (endpoint) => {
      const [owner, ...others] = await outcomes(endpoint);
      expect(others).toEqual(nobodyElse);
      expect(owner).toBe(endpoint.secondFactor ? "MFARequired" : "InvalidPaymentId");
    },
  );

  test.each(money.filter((it) => it.effect === "safe"))(
    "$method $path: everybody whose account is not deleted",
    async (endpoint) => {
      const told = await outcomes(endpoint);
      expect([told[5], told[6]]).toEqual(["DeletedAccount", "InvalidAPIKey"]);
      const others = told.filter((_, index) => index !== 5 && index !== 6);
      const own = new Set(["ok", "ResourceNotFound", "ValidationError"]);
      expect(others.filter((it) => !own.has(it))).toEqual([]);
    },
  );

  test("the second factor guards what the specification and the facts name, and nothing else", () => {
    const guarded = all.filter((it) => it.secondFactor).map((it) => `${it.method} ${it.path}`);
    expect(guarded.sort()).toEqual([
      "DELETE /cash/v1/bank/accounts",
      "DELETE /cash/v1/payment",
      "POST /cash/v1/balance",
      "POST /cash/v1/bank/accounts",
      "POST /cash/v1/payment",
      "POST /cash/v1/transfer",
      "POST /cash/v1/withdraw",
      "PUT /cash/v1/balance/alert",
      "PUT /cash/v1/balance/alert/switch",
      "PUT /cash/v1/recharge",
    ]);
  });
});

test.each(doors)("a card is registered %s", async (_name, open) => {
  const door = await open();
  const add = async (headers: Record<string, string>) => {
    const told = await door.call("POST", "/cash/v1/payment", { body: visa, headers });
    return { status: told.status, body: JSON.parse(told.text) };
  };
  const { transactionId } = mfaOf(await add(mfaHeader({ authType: "OTP" })));
  const { status, text } = await door.call("GET", "/_sandbox/codes");
  const [sent] = replyOf(controls.listCodes, { status, body: JSON.parse(text) });
  expect((await add(proofHeader(transactionId, sent?.code ?? "", "OTP"))).status).toBe(200);
  await door.close();
});

test("the number, the cvc and the code of a card are in no table, no log and no file", async () => {
  const env = await openEnv();
  const [cardNumber, cvc] = ["4012888888881881", "9737"];
  const card = { ...visa, cardNumber: "4012 8888 8888 1881", cvc };
  const { transactionId } = await begin(env, "POST", "/cash/v1/payment", card);
  const code = await deliveredCode(env, transactionId);
  const proof = (token: string) => proofHeader(transactionId, token);
  const wrong = otherThan(code);
  await env.call("POST", "/cash/v1/payment", card, 1, proof(wrong));
  expect((await env.call("POST", "/cash/v1/payment", card, 1, proof(code))).status).toBe(200);
  await perform(env, "POST", "/cash/v1/payment", card);

  const tables = env
    .rows<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .filter(({ name }) => name !== "signatures");
  const rows = JSON.stringify(tables.map(({ name }) => env.rows(`SELECT * FROM ${name}`)));
  expect(rows).toContain("CardAlreadyExists");
  for (const secret of [cardNumber, card.cardNumber, cvc, code, wrong]) {
    expect(rows).not.toContain(secret);
  }
  const bytes = Buffer.concat(
    readdirSync(env.folder).map((name) => readFileSync(join(env.folder, name))),
  );
  for (const secret of [cardNumber, card.cardNumber, code]) {
    const text = Buffer.from(secret);
    const forms = [
      secret,
      text.toString("hex"),
      text.toString("base64"),
      encodeURIComponent(secret),
    ];
    for (const form of forms) expect(bytes.includes(form)).toBe(false);
    expect(bytes.includes(Buffer.from(secret, "utf16le"))).toBe(false);
  }
});

/** Everything that moves money, each with an amount. */
const moves: Readonly<Record<string, (env: Env, amount: number, card: string) => unknown>> = {
  send: (env) => env.call("POST", "/messages/v4/send", { message: sms("01012345678") }),
  sendFailing: (env, amount) =>
    env.call("POST", "/messages/v4/send-many", {
      messages: Array.from({ length: (amount % 9) + 1 }, () => sms("01000003104")),
      allowDuplicates: true,
    }),
  charge: (env, amount, paymentId) =>
    env.call("POST", "/cash/v1/balance", { amount: Math.max(1000, amount), paymentId }),
  transfer: (env, amount) =>
    env.call("POST", "/cash/v1/transfer", { targetAccountId: "26010500000002", amount }),
  withdraw: (env, amount) =>
    env.call("POST", "/cash/v1/withdraw", { amount: Math.max(10_000, amount) }),
  review: async (env, amount) => {
    const told = await env.call("GET", "/cash/v1/withdraw?status=PENDING&limit=1");
    const [withdrawal] = replyOf(contract.listWithdrawals, told).data;
    if (withdrawal === undefined) return;
    const decision = amount % 2 === 0 ? "approve" : "reject";
    const { withdrawId } = withdrawal;
    await env.call("POST", "/_sandbox/review/withdrawal", { withdrawId, decision });
  },
  toggle: (env) => env.call("PUT", "/cash/v1/recharge"),
  set: (env, amount) => env.call("PUT", "/_sandbox/settings", { balance: amount, point: 30 }),
  wait: (env) => env.pass(2000),
};

/** An owner with a declining card, a good one, a bank account, and no second factor in the way. */
const prepared = async (): Promise<{ env: Env; card: string }> => {
  const env = await openEnv();
  await env.call("PUT", "/_sandbox/settings", { secondFactor: "off" });
  const add = async (body: unknown): Promise<string> =>
    replyOf(contract.addPayment, await env.call("POST", "/cash/v1/payment", body)).paymentId;
  const paymentIds = [await add(declining), await add(visa)];
  await env.call("PUT", "/cash/v1/payment", {
    paymentIds,
    minimumCash: 3000,
    rechargeTo: 50_000,
  });
  await env.call("POST", "/cash/v1/bank/accounts", bankAccount);
  return { env, card: paymentIds[1] ?? "" };
};

describe("the ledger", () => {
  test("B11: explains the purses after any order of movements, and no purse is ever below zero", async () => {
    const step = fc.tuple(
      fc.constantFrom(...Object.keys(moves)),
      fc.integer({ min: 1, max: 40_000 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        const { env, card } = await prepared();
        for (const [name, amount] of steps) await moves[name]?.(env, amount, card);
        env.pass(5000);
        const told = await env.call("GET", "/cash/v1/balance/history?limit=500");
        const rows = replyOf(contract.listHistory, told);
        const { balance, point } = await balanceOf(env);
        expect([rows[0]?.newBalance, rows[0]?.newPoint]).toEqual([balance, point]);
        for (const [index, row] of rows.slice(0, -1).entries()) {
          expect([row.oldBalance, row.oldPoint]).toEqual([
            rows[index + 1]?.newBalance,
            rows[index + 1]?.newPoint,
          ]);
        }
        expect(disagreeing(env)).toEqual([]);
      }),
      { numRuns: 25 },
    );
  });

  test("B11: 100 sends and 20 charges at once, through two sandboxes on one file", async () => {
    const { env, card } = await prepared();
    await env.call("PUT", "/_sandbox/settings", { balance: 1000, point: 0 });
    const other = openSandbox({
      file: join(env.folder, "sandbox.db"),
      now: () => env.clock.now,
      wait: untilStopped,
    });
    const elsewhere = async (method: "POST", target: string, body: unknown) => {
      const headers = {
        "content-type": "application/json",
        authorization: authorization({ date: env.clock.now.toISOString() }),
      };
      const wire = { method, target, headers, body: Buffer.from(JSON.stringify(body)) };
      return (await other.send(wire, new AbortController().signal)).status;
    };
    const here = async (method: "POST", target: string, body: unknown) =>
      (await env.call(method, target, body)).status;
    const sends = await Promise.all(
      Array.from({ length: 100 }, (_, at) =>
        (at % 2 ? here : elsewhere)("POST", "/messages/v4/send", { message: sms("01012345678") }),
      ),
    );
    expect(sends.filter((it) => it === 200)).toHaveLength(50);
    expect(sends.filter((it) => it === 402)).toHaveLength(50);
    expect((await balanceOf(env)).balance).toBe(0);
    const mixed = await Promise.all(
      Array.from({ length: 120 }, (_, at) =>
        at % 6 === 0
          ? (at % 4 ? here : elsewhere)("POST", "/cash/v1/balance", {
              amount: 1000,
              paymentId: card,
            })
          : (at % 2 ? here : elsewhere)("POST", "/messages/v4/send", {
              message: sms("01012345678"),
            }),
      ),
    );
    expect(mixed.every((it) => it === 200 || it === 402)).toBe(true);
    expect(disagreeing(env)).toEqual([]);
    other.close();
  });

  test("a charge that is repeated with the same proof is made once", async () => {
    const env = await openEnv();
    const paymentId = await addCard(env, visa);
    const body = { amount: 10_000, paymentId };
    env.pass(30_000);
    const { transactionId } = await begin(env, "POST", "/cash/v1/balance", body);
    const proof = proofHeader(transactionId, await deliveredCode(env, transactionId));
    const charges = await Promise.all(
      Array.from({ length: 10 }, () => env.call("POST", "/cash/v1/balance", body, 1, proof)),
    );
    const told = charges.map((it) => errorCodeOf(it) ?? "ok").sort();
    expect(told).toEqual([...Array<string>(9).fill("InvalidMFATransaction"), "ok"]);
    expect((await balanceOf(env)).balance).toBe(1_010_000);
  });
});
