/** Requests to one door, answers as JSON; and the second factor in between. */
import * as v from "valibot";
import { controls } from "../../src/contract/sandbox.ts";
import type { Asked, Door } from "../sandbox/doors.ts";
import { replyOf } from "../sandbox/replies.ts";
import { secretOf } from "../support/signer.ts";

/** An answer as far as its members are known to a test. */
export interface Got {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Members;
}

/** What an answer holds, member by member; a test compares each with what it must be. */
export interface Members {
  readonly [name: string]: Members;
}

/** Signs as the caller whose key ends in `key`. */
export const asking =
  (door: Door) =>
  async (method: string, target: string, body?: unknown, asked: Asked & { key?: number } = {}) => {
    const { key = 1, ...more } = asked;
    const signing = { apiKey: `SANDBOXKEY00000${key}`, secret: secretOf(key) };
    const { status, headers, text } = await door.call(method, target, { signing, body, ...more });
    const got: Got = { status, headers, body: JSON.parse(text) };
    return got;
  };
export type Ask = ReturnType<typeof asking>;

/** A short text to one number. */
export const sms = (members: object = {}) => ({
  to: "01000000001",
  from: "0200000000",
  text: "hello",
  ...members,
});

const shown = v.object({ mfa: v.object({ transactionId: v.string() }) });

/** Has a code sent; the header that proves with it. */
export const proofFor = async (ask: Ask, method: string, target: string, body?: unknown) => {
  const headers = { "x-mfa-data": '{"authType":"ARS"}' };
  const { mfa } = v.parse(shown, (await ask(method, target, body, { headers })).body);
  const codes = replyOf(controls.listCodes, await ask("GET", "/_sandbox/codes?limit=500"));
  const token = codes.find((it) => it.transactionId === mfa.transactionId)?.code;
  return (authType = "ARS") => ({
    headers: { "x-mfa-data": JSON.stringify({ ...mfa, authType, token }) },
  });
};
