/** Protected requests with their second factor, and cards to pay with. */
import * as v from "valibot";
import { contract } from "../../src/contract/index.ts";
import { controls } from "../../src/contract/sandbox.ts";
import type { Method } from "../../src/contract/wire.ts";
import type { Env, Reply } from "./environment.ts";
import { type Answered, errorOf, replyOf } from "./replies.ts";

/** What a started transaction shows, and what it still shows after a wrong code. */
const shown = v.object({
  mfa: v.object({
    transactionId: v.pipe(v.string(), v.nonEmpty()),
    authType: v.string(),
    destination: v.string(),
    codeLength: v.number(),
    attemptsLeft: v.number(),
    dateExpires: v.string(),
  }),
});
export type Mfa = v.InferOutput<typeof shown>["mfa"];

/** The transaction that a refusal shows. Throws where it shows none. */
export const mfaOf = (told: Answered): Mfa => v.parse(shown, errorOf(told)).mfa;

export const mfaHeader = (data: unknown) => ({ "x-mfa-data": JSON.stringify(data) });

/** The header that proves. */
export const proofHeader = (transactionId: string, token: string, authType = "ARS") =>
  mfaHeader({ authType, transactionId, token });

/** Starts a second factor for an operation. */
export const begin = async (
  env: Env,
  method: Method,
  target: string,
  body?: unknown,
  key = 1,
): Promise<Mfa> => {
  const told = await env.call(method, target, body, key, mfaHeader({ authType: "ARS" }));
  return mfaOf(told);
};

/** The code that was delivered for a transaction. */
export const deliveredCode = async (env: Env, transactionId: string): Promise<string> => {
  const told = await env.call("GET", "/_sandbox/codes?limit=500");
  const sent = replyOf(controls.listCodes, told).find((it) => it.transactionId === transactionId);
  if (sent === undefined) throw new Error(`No code was sent for ${transactionId}.`);
  return sent.code;
};

/** A code that is not the right one. */
export const otherThan = (code: string, by = 1): string =>
  String((Number(code) + by) % 1_000_000).padStart(6, "0");

/**
 * A protected request from start to end, or what refuses it before a code is sent. Half a minute passes,
 * so that a code can be asked for.
 */
export const perform = async (
  env: Env,
  method: Method,
  target: string,
  body?: unknown,
  key = 1,
): Promise<Reply> => {
  env.pass(30_000);
  const told = await env.call(method, target, body, key, mfaHeader({ authType: "ARS" }));
  if (told.status === 400) return told;
  const { transactionId } = mfaOf(told);
  const code = await deliveredCode(env, transactionId);
  return env.call(method, target, body, key, proofHeader(transactionId, code));
};

export const visa = { cardNumber: "4111111111111111", cvc: "123", expYear: 29, expMonth: 5 };
export const master = { ...visa, cardNumber: "5555 5555 5555 4444" };
/** Ends in 0002: always declined. */
export const declining = { ...visa, cardNumber: "4000-0000-0000-0002" };

export const addCard = async (env: Env, card: unknown): Promise<string> =>
  replyOf(contract.addPayment, await perform(env, "POST", "/cash/v1/payment", card)).paymentId;

export const bankAccount = {
  accountNumber: "0012345678901",
  bankCode: "004",
  holderName: "Operator One",
};

export const balanceOf = async (env: Env, key = 1) =>
  replyOf(contract.getBalance, await env.call("GET", "/cash/v1/balance", undefined, key));

/** Accounts whose balance is not the sum of their ledger, or below zero. */
export const disagreeing = (env: Env): object[] =>
  env.rows(`SELECT a.accountId, a.balance, a.point, sum(l.balanceAmount) AS ledger
    FROM accounts a LEFT JOIN ledger l USING (accountId) GROUP BY a.accountId
    HAVING a.balance <> coalesce(sum(l.balanceAmount), 0)
      OR a.point <> coalesce(sum(l.pointAmount), 0) OR a.balance < 0 OR a.point < 0
      OR min(l.newBalance) < 0 OR min(l.newPoint) < 0`);
