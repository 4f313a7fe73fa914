import { describe, expect, test } from "vitest";
import { contract } from "../../src/contract/index.ts";
import { controls } from "../../src/contract/sandbox.ts";
import type { Method } from "../../src/contract/wire.ts";
import { type Env, openEnv } from "./environment.ts";
import * as money from "./money.ts";
import { errorCodeOf, errorOf, replyOf } from "./replies.ts";

/** A protected operation without prerequisites. */
const [method, target, off] = ["PUT", "/cash/v1/balance/alert/switch", { enabled: false }] as const;

const switchOff = (env: Env, headers: Readonly<Record<string, string>>, key = 1) =>
  env.call(method, target, off, key, headers);

const isEnabled = async (env: Env): Promise<boolean> =>
  replyOf(contract.getAlert, await env.call("GET", "/cash/v1/balance/alert")).lowBalanceAlert
    .enabled;

/** Starts, and reads the code. */
const started = async (env: Env) => {
  const mfa = await money.begin(env, method, target, off);
  return { ...mfa, code: await money.deliveredCode(env, mfa.transactionId) };
};

describe("the three steps", () => {
  test("without a proof the service names the means and changes nothing", async () => {
    const env = await openEnv();
    const { status, body, assumptions } = await switchOff(env, {});
    expect(status).toBe(403);
    expect(body).toEqual({
      errorCode: "MFARequired",
      errorMessage: expect.any(String),
      mfa: { authTypes: ["ARS", "OTP"] },
    });
    expect(assumptions).toContain("second-factor");
    expect(await isEnabled(env)).toBe(true);
    expect((await env.call("GET", "/_sandbox/codes")).body).toEqual([]);
  });

  test.each([
    ["ARS", "010****0001", "01000000001"],
    ["OTP", "o***@example.com", "operator1@example.com"],
  ])("%s delivers a code and shows where to only in part", async (authType, masked, full) => {
    const env = await openEnv();
    const told = await switchOff(env, money.mfaHeader({ authType }));
    expect(told.status).toBe(403);
    expect(told.body).toEqual({
      errorCode: "MFARequired",
      errorMessage: expect.any(String),
      mfa: {
        transactionId: expect.stringMatching(/^MFA20260105180000[0-9A-F]{15}$/),
        authType,
        destination: masked,
        codeLength: 6,
        attemptsLeft: 5,
        dateExpires: "2026-01-05T09:03:00.000Z",
      },
    });
    const { transactionId } = money.mfaOf(told);
    const codes = replyOf(controls.listCodes, await env.call("GET", "/_sandbox/codes"));
    expect(codes).toEqual([
      {
        code: expect.stringMatching(/^\d{6}$/),
        kind: authType,
        destination: full,
        transactionId,
        dateSent: "2026-01-05T09:00:00.000Z",
      },
    ]);
    const done = await switchOff(
      env,
      money.mfaHeader({ authType, transactionId, token: codes[0]?.code }),
    );
    expect([done.status, done.body]).toEqual([
      200,
      { accountId: "26010500000001", enabled: false },
    ]);
    expect(await isEnabled(env)).toBe(false);
  });

  test.each([
    "not json",
    "{}",
    '{"authType":"SMS"}',
    '{"authType":"ARS","token":"123456"}',
    '{"authType":"ARS","transactionId":"MFA1"}',
    '{"authType":"ARS","transactionId":"MFA1","token":123456}',
    "null",
  ])("a header that cannot be read is 400: %s", async (header) => {
    const env = await openEnv();
    const told = await switchOff(env, { "x-mfa-data": header });
    expect([told.status, errorCodeOf(told)]).toEqual([400, "ValidationError"]);
  });

  test("sandbox set --second-factor off lets protected requests pass", async () => {
    const env = await openEnv();
    await env.call("PUT", "/_sandbox/settings", { secondFactor: "off" });
    expect((await switchOff(env, {})).status).toBe(200);
  });

  test("input is checked before a code is sent", async () => {
    const env = await openEnv();
    const header = money.mfaHeader({ authType: "ARS" });
    const { status } = await env.call(method, target, { enabled: "no" }, 1, header);
    expect(status).toBe(400);
    expect((await env.call("GET", "/_sandbox/codes")).body).toEqual([]);
  });
});

describe("what protects the code", () => {
  test("F01: the fifth wrong code locks, and then the right one is refused too", async () => {
    const env = await openEnv();
    const { transactionId, code } = await started(env);
    for (const left of [4, 3, 2, 1]) {
      const wrong = money.proofHeader(transactionId, money.otherThan(code, left));
      const told = await switchOff(env, wrong);
      expect([told.status, errorCodeOf(told)]).toEqual([403, "InvalidMFAToken"]);
      expect(money.mfaOf(told)).toMatchObject({ transactionId, attemptsLeft: left });
    }
    for (const token of [money.otherThan(code), code]) {
      const told = await switchOff(env, money.proofHeader(transactionId, token));
      expect([told.status, errorCodeOf(told)]).toEqual([429, "TooManyMFAAttempts"]);
      expect(money.mfaOf(told).attemptsLeft).toBe(0);
    }
    expect(await isEnabled(env)).toBe(true);
    const again = () => switchOff(env, money.mfaHeader({ authType: "ARS" }));
    env.pass(599_000);
    const told = await again();
    expect([told.status, errorCodeOf(told)]).toEqual([429, "TooManyMFAAttempts"]);
    expect(told.headers["retry-after"]).toBe("1");
    env.pass(1000);
    expect(money.mfaOf(await again())).toMatchObject({ attemptsLeft: 5 });
  });

  test("four wrong codes and then the right one pass", async () => {
    const env = await openEnv();
    const { transactionId, code } = await started(env);
    for (const by of [1, 2, 3, 4]) {
      await switchOff(env, money.proofHeader(transactionId, money.otherThan(code, by)));
    }
    expect((await switchOff(env, money.proofHeader(transactionId, code))).status).toBe(200);
  });

  test.each(["", "12345", "1234567", "１２３４５６", " 123456"])(
    "a token that is no code counts as a wrong one: '%s'",
    async (token) => {
      const env = await openEnv();
      const { transactionId } = await started(env);
      const told = await switchOff(env, money.proofHeader(transactionId, token));
      expect([errorCodeOf(told), money.mfaOf(told).attemptsLeft]).toEqual(["InvalidMFAToken", 4]);
    },
  );

  test("F02: a code is good once", async () => {
    const env = await openEnv();
    const { transactionId, code } = await started(env);
    const proof = money.proofHeader(transactionId, code);
    expect((await switchOff(env, proof)).status).toBe(200);
    const told = await switchOff(env, proof);
    expect([told.status, errorCodeOf(told)]).toEqual([403, "InvalidMFATransaction"]);
  });

  test.each<[string, Method, string, unknown, number]>([
    ["operation", "POST", "/cash/v1/payment", money.visa, 1],
    ["method", "DELETE", "/cash/v1/bank/accounts", undefined, 1],
    ["member", method, target, off, 8],
  ])("F02: a code is good for no other %s", async (_what, other, path, body, key) => {
    const env = await openEnv();
    // Member 8 is UNVERIFIED in the fixtures, and no other OWNER of the account is ACTIVE.
    env.rows("UPDATE members SET status = 'ACTIVE' RETURNING memberId");
    const { transactionId, code } = await started(env);
    const proof = money.proofHeader(transactionId, code);
    const told = await env.call(other, path, body, key, proof);
    expect([told.status, errorCodeOf(told)]).toEqual([403, "InvalidMFATransaction"]);
    expect((await switchOff(env, proof)).status).toBe(200);
  });

  test("F02: a code is good for no other account", async () => {
    const env = await openEnv();
    env.rows("UPDATE accounts SET authenticated = 'PERSONAL' RETURNING accountId");
    const { transactionId, code } = await started(env);
    const told = await switchOff(env, money.proofHeader(transactionId, code), 4);
    expect([told.status, errorCodeOf(told)]).toEqual([403, "InvalidMFATransaction"]);
  });

  test.each(["", "MFA1", `MFA20260105180000${"0".repeat(15)}`])(
    "a transaction that was never started is refused: '%s'",
    async (transactionId) => {
      const told = await switchOff(await openEnv(), money.proofHeader(transactionId, "000000"));
      expect([told.status, errorCodeOf(told)]).toEqual([403, "InvalidMFATransaction"]);
    },
  );

  test.each([
    [179_000, 200, undefined],
    [179_999, 200, undefined],
    [180_000, 403, "MFAExpired"],
    [181_000, 403, "MFAExpired"],
  ])("F03: %i ms after it was sent a code answers %i %s", async (ms, status, errorCode) => {
    const env = await openEnv();
    const { transactionId, code } = await started(env);
    env.pass(ms);
    const told = await switchOff(env, money.proofHeader(transactionId, code));
    expect([told.status, errorCodeOf(told)]).toEqual([status, errorCode]);
  });

  test("F03: time is business time: it expires when the sandbox's clock is advanced", async () => {
    const env = await openEnv();
    const { transactionId, code } = await started(env);
    await env.call("PUT", "/_sandbox/clock", { advance: "3m" });
    const told = await switchOff(env, money.proofHeader(transactionId, code));
    expect(errorCodeOf(told)).toBe("MFAExpired");
  });

  test("a business error leaves the transaction open and its code good", async () => {
    const env = await openEnv();
    await money.perform(env, "POST", "/cash/v1/payment", money.visa);
    const { transactionId } = await money.begin(env, "POST", "/cash/v1/payment", money.visa);
    const proof = money.proofHeader(transactionId, await money.deliveredCode(env, transactionId));
    for (let time = 0; time < 2; time += 1) {
      const { status } = await env.call("POST", "/cash/v1/payment", money.visa, 1, proof);
      expect(status).toBe(409);
    }
    const { payments } = replyOf(contract.listPayments, await env.call("GET", "/cash/v1/payment"));
    for (const { _id: paymentId } of payments)
      await money.perform(env, "DELETE", "/cash/v1/payment", { paymentId });
    expect((await env.call("POST", "/cash/v1/payment", money.visa, 1, proof)).status).toBe(200);
  });

  test("F07: of a thousand guesses at once at most five are looked at", async () => {
    const env = await openEnv();
    const { transactionId, code } = await started(env);
    const guesses = Array.from({ length: 1000 }, (_, at) => money.otherThan(code, at + 1));
    const told = await Promise.all(
      guesses.map((token) => switchOff(env, money.proofHeader(transactionId, token))),
    );
    const refused = told.map((it) => `${it.status} ${errorCodeOf(it)}`);
    expect(refused.filter((it) => it === "403 InvalidMFAToken")).toHaveLength(4);
    expect(refused.filter((it) => it === "429 TooManyMFAAttempts")).toHaveLength(996);
  });
});

describe("asking for another code", () => {
  const again = async (env: Env, other: Method = method, path: string = target) =>
    env.call(other, path, off, 1, money.mfaHeader({ authType: "OTP" }));

  test.each([
    [0, 429, "30"],
    [29_000, 429, "1"],
    [29_999, 429, "1"],
    [30_000, 403, undefined],
  ])("F03: %i ms after the first: %i, Retry-After %s", async (ms, status, retryAfter) => {
    const env = await openEnv();
    await started(env);
    env.pass(ms);
    const told = await again(env);
    expect([told.status, told.headers["retry-after"]]).toEqual([status, retryAfter]);
    expect(errorCodeOf(told)).toBe(status === 429 ? "TooManyRequests" : "MFARequired");
  });

  test("another code ends the one before", async () => {
    const env = await openEnv();
    const { transactionId, code } = await started(env);
    env.pass(30_000);
    const second = money.mfaOf(await again(env));
    const told = await switchOff(env, money.proofHeader(transactionId, code));
    expect(errorCodeOf(told)).toBe("MFAExpired");
    const proof = money.proofHeader(
      second.transactionId,
      await money.deliveredCode(env, second.transactionId),
      "OTP",
    );
    expect((await switchOff(env, proof)).status).toBe(200);
  });

  test("used and other operations do not count", async () => {
    const env = await openEnv();
    const { transactionId, code } = await started(env);
    expect((await again(env, "DELETE", "/cash/v1/bank/accounts")).status).toBe(403);
    await switchOff(env, money.proofHeader(transactionId, code));
    expect((await again(env)).status).toBe(403);
  });
});

describe("the body of a bank account carries the proof as well", () => {
  const path = "/cash/v1/bank/accounts";

  test("transactionId and authenticationCode stand for the header, and win over it", async () => {
    const env = await openEnv();
    const { transactionId } = await money.begin(env, "POST", path, money.bankAccount);
    const authenticationCode = await money.deliveredCode(env, transactionId);
    const wrong = money.proofHeader(transactionId, money.otherThan(authenticationCode));
    const body = { ...money.bankAccount, transactionId, authenticationCode };
    const told = await env.call("POST", path, body, 1, wrong);
    expect([told.status, told.body]).toEqual([200, { ...money.bankAccount, success: true }]);
  });

  test.each(["transactionId", "authenticationCode"])("%s alone is 400", async (member) => {
    const env = await openEnv();
    const told = await env.call("POST", path, { ...money.bankAccount, [member]: "1" });
    expect([told.status, errorCodeOf(told)]).toEqual([400, "ValidationError"]);
  });

  test("no other endpoint reads the body for it", async () => {
    const env = await openEnv();
    const { transactionId, code } = await started(env);
    const body = { ...off, transactionId, authenticationCode: code };
    expect(errorCodeOf(await env.call(method, target, body))).toBe("MFARequired");
  });
});

describe("a form that no schema refuses", () => {
  const card = { ...money.visa, cardNumber: money.visa.cardNumber.replace(/.$/, "2") };
  test.each([
    ["/cash/v1/payment", card, "'cardNumber'"],
    ["/cash/v1/payment", { ...money.visa, cvc: "12" }, "'cvc'"],
    ["/cash/v1/payment", { ...money.visa, expYear: 25 }, "expired"],
    ["/cash/v1/bank/accounts", { ...money.bankAccount, accountNumber: "123" }, "'accountNumber'"],
    ["/cash/v1/bank/accounts", { ...money.bankAccount, bankCode: "KB" }, "'bankCode'"],
    ["/cash/v1/bank/accounts", { ...money.bankAccount, holderName: " " }, "'holderName'"],
    ["/cash/v1/transfer", { targetAccountId: "26010500000001", amount: 1 }, "'targetAccountId'"],
  ])("POST %s with %j: 400, and nobody is sent a code", async (path, body, words) => {
    const env = await openEnv();
    for (const headers of [{}, money.mfaHeader({ authType: "ARS" })]) {
      const told = await env.call("POST", path, body, 1, headers);
      expect([told.status, errorCodeOf(told)]).toEqual([400, "ValidationError"]);
      expect(errorOf(told).errorMessage).toContain(words);
    }
    expect((await env.call("GET", "/_sandbox/codes")).body).toEqual([]);
  });
});
