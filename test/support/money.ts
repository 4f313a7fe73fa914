/** Codes and cards for the commands of money. */
import * as v from "valibot";
import type { Ran, Shell } from "./msg.ts";

/** Numbers that pass every check and belong to nobody. */
export const visa = "4111111111111111";
export const master = "5555555555554444";
export const cvc = "739";

export const cardJson = (cardNumber = visa, more: object = {}): string =>
  JSON.stringify({ cardNumber, cvc, expYear: 2031, expMonth: "05", ...more });

export const accountJson = (accountNumber: unknown = "0012345678901"): string =>
  JSON.stringify({ accountNumber, bankCode: "004", holderName: "홍길동" });

const codes = v.array(v.object({ code: v.string(), transactionId: v.string() }));
const failed = v.object({
  error: v.object({
    code: v.string(),
    message: v.string(),
    hint: v.nullable(v.string()),
    exitCode: v.number(),
    outcome: v.string(),
    mfa: v.optional(
      v.object({
        transactionId: v.optional(v.string()),
        authType: v.optional(v.string()),
        destination: v.optional(v.string()),
        dateExpires: v.optional(v.string()),
      }),
    ),
  }),
});

/** The code that was sent last. */
export const lastCode = async (msg: Shell): Promise<string> => {
  const { json } = await msg("sandbox codes --json --limit 1");
  return v.parse(codes, json())[0]?.code ?? "";
};

/** The same from a sandbox behind an address. */
export const lastCodeAt = async (baseUrl: string): Promise<string> => {
  const listed = await fetch(`${baseUrl}/_sandbox/codes?limit=1`);
  return v.parse(codes, await listed.json())[0]?.code ?? "";
};

/** The error of a command that was run with --json. */
export const errorOf = (ran: Pick<Ran, "err">) =>
  v.parse(failed, JSON.parse(ran.err.trim().split("\n").at(-1) ?? "")).error;

/** Runs a protected command in two calls, as a script does; answers both. */
export const inTwoCalls = async (
  msg: Shell,
  line: string,
  stdin?: string,
): Promise<{ readonly first: Ran; readonly second: Ran; readonly code: string }> => {
  const input = stdin === undefined ? {} : { stdin };
  const first = await msg(`${line} --otp-by email --json`, input);
  const { mfa } = errorOf(first);
  const code = await lastCode(msg);
  const second =
    stdin === undefined
      ? await msg(`${line} --json --otp-transaction ${mfa?.transactionId} --otp -`, {
          stdin: `${code}\n`,
        })
      : await msg(`${line} --json --otp-transaction ${mfa?.transactionId} --otp ${code}`, input);
  return { first, second, code };
};

/** Registers a card; answers its id. */
export const withCard = async (msg: Shell, number = visa): Promise<string> => {
  const line = `payment add --sandbox --input - --confirm ${number.slice(-4)}`;
  const { second } = await inTwoCalls(msg, line, cardJson(number));
  return v.parse(v.object({ paymentId: v.string() }), second.json()).paymentId;
};

/** A person who says yes: while the question is on the screen another client leaves only so much of balance or quota. */
export const meanwhile = (at: Shell, left: string) => ({
  tty: 100,
  paste: async (): Promise<string> => {
    await at(`sandbox set --sandbox ${left}`);
    return "y";
  },
});
