/** How a command gets its second factor: from a person, or from the flags of two invocations. */

import type { CodeDelivery, CodeRejection, Conversation } from "../client/layers/second-factor.ts";
import { readDuration } from "../config/settings.ts";
import type { AuthType } from "../contract/needs.ts";
import { type MfaState, usageError } from "../errors.ts";
import { shownTime, t, translated } from "../locale/locale.ts";
import type { Ask } from "../prompt/prompt.ts";
import type { Context } from "./context.ts";
import type { UntypedInput } from "./parse/input.ts";
import { formatCommandLine, type ParsedLine } from "./parse/parse-line.ts";

const means = { voice: "ARS", email: "OTP" } as const;

/** Throws usage for flags that do not belong together, before anything is read from standard input. */
export const checkSecondFactorFlags = ({ flags }: ParsedLine): void => {
  if ((flags.otp === undefined) !== (flags.otpTransaction === undefined))
    throw usageError(t`--otp and --otp-transaction belong together`, {
      todo: t`send a code with --otp-by; the error then names the transaction`,
    });
  if (flags.input?.at(-1) === "-" && flags.otp?.at(-1) === "-")
    throw usageError(t`standard input cannot be both --input and --otp`, {
      todo: t`read the code from a file: --otp @code.txt`,
    });
};

/** The same context, whose client can ask for a second factor. */
export const withSecondFactor = (ctx: Context, typed: ParsedLine, given: UntypedInput): Context => {
  const conversation = conversationOf(ctx, formatCommandLine(typed), given);
  const { settle, again } = given.flags ?? {};
  const reconcileMs =
    typeof settle === "string" ? readDuration(settle, "--settle") : defaultReconcileMs;
  const options = { command: typed.path, conversation, reconcileMs, again: again === true };
  return { ...ctx, session: { ...ctx.session, client: () => ctx.payments.protect(ctx, options) } };
};

/** The same as for a single send. */
const defaultReconcileMs = 30_000;

const conversationOf = (ctx: Context, line: string, given: UntypedInput): Conversation => {
  const chosen = chosenMeans(given);
  const by = chosen === undefined ? "" : ` --otp-by ${chosen}`;
  const { ask } = ctx;
  return {
    proof: proofOf(ctx, given),
    means: async (offered) =>
      chosen === undefined ? ask && askMeans(ask, offered) : means[chosen],
    code: async (delivered, complaint) => ask && askCode(ctx, ask, delivered, complaint),
    countdown: async (ms) => {
      if (!ask) return false;
      await countDown(ctx, ms);
      return true;
    },
    todo: (sent) =>
      sent.transactionId === undefined
        ? t`run it on a terminal, or have a code sent by email or voice: ${line} --otp-by email`
        : t`${inSandbox(ctx, describeSentCode(sent))}; ${t`finish with it: ${line}${by} --otp-transaction ${sent.transactionId} --otp ${given.flags?.input === "-" ? "@<file>" : "-"}`}`,
  };
};

const describeSentCode = ({ destination, dateExpires }: MfaState): string => {
  if (destination === undefined)
    return dateExpires === undefined
      ? t`the code was sent`
      : t`the code was sent and is valid until ${shownTime(dateExpires)}`;
  return dateExpires === undefined
    ? t`the code was sent to ${destination}`
    : t`the code was sent to ${destination} and is valid until ${shownTime(dateExpires)}`;
};

/** The sandbox calls no telephone: it shows its codes itself. */
const inSandbox = ({ settings }: Context, text: string): string =>
  settings.sandbox ? `${text} (${t`sandbox: msg sandbox codes`})` : text;

const chosenMeans = ({ flags }: UntypedInput): keyof typeof means | undefined => {
  const by = flags?.otpBy;
  return by === "voice" || by === "email" ? by : undefined;
};

/** The second factor that the flags supply. */
const proofOf = (ctx: Context, given: UntypedInput): Conversation["proof"] => {
  const { otp, otpTransaction } = given.flags ?? {};
  if (typeof otp !== "string" || typeof otpTransaction !== "string") return undefined;
  const token = codeOf(otp);
  if (!/^\d{4,10}$/.test(token)) throw usageError(t`--otp is not a code: a code is six digits`);
  ctx.session.redact(token);
  const chosen = chosenMeans(given);
  return { authType: chosen && means[chosen], transactionId: otpTransaction, token };
};

const labels: Readonly<Record<AuthType, string>> = { ARS: "a voice call", OTP: "an e-mail" };

const askMeans = async (ask: Ask, offered: readonly AuthType[]): Promise<AuthType> => {
  const options = offered.map((value) => ({ value, label: translated(labels[value]) }));
  const answer = await ask.choose(t`How should we send your one-time code?`, options);
  return offered.find((it) => it === answer) ?? "OTP";
};

const askCode = async (
  ctx: Context,
  ask: Ask,
  { authType, destination, codeLength }: CodeDelivery,
  complaint: CodeRejection | undefined,
): Promise<string> => {
  const shape = new RegExp(`^\\d{${codeLength}}$`);
  const wrong = t`a code is ${codeLength} digits; r sends another one`;
  const question =
    complaint === undefined
      ? inSandbox(ctx, describeDelivery(authType, destination))
      : describeRejection(complaint);
  const typed = await ask.hidden(`${question} ${t`Code (r sends another):`}`, {
    check: (text) => (shape.test(codeOf(text)) || isAgain(text) ? undefined : wrong),
  });
  if (isAgain(typed)) return "again";
  ctx.session.redact(codeOf(typed));
  return codeOf(typed);
};

const describeDelivery = (authType: AuthType, destination: string): string =>
  authType === "ARS"
    ? t`A voice call to ${destination} tells your one-time code.`
    : t`Your one-time code was sent by e-mail to ${destination}.`;

const describeRejection = (complaint: CodeRejection): string => {
  if (complaint.kind === "expired") return t`The code has expired.`;
  const { attemptsLeft } = complaint;
  if (attemptsLeft === undefined) return t`Wrong code.`;
  return attemptsLeft === 1
    ? t`Wrong code. 1 attempt left.`
    : t`Wrong code. ${attemptsLeft} attempts left.`;
};

const isAgain = (text: string): boolean => /^\s*[rR]\s*$/.test(text);

/** Digits only: people paste spaces and line breaks, and Korean input may be full-width. */
const codeOf = (typed: string): string => typed.normalize("NFKC").replaceAll(/[\s-]/g, "");

/** One line that counts the seconds down. */
const countDown = async (ctx: Context, ms: number): Promise<void> => {
  for (let left = Math.ceil(ms / 1_000); left > 0; left -= 1) {
    await ctx.io.err.write(`\r${t`Another code can be sent in ${left} s`} \u001b[K`);
    await ctx.clock.wait(1_000, ctx.signal);
  }
  await ctx.io.err.write("\r\u001b[K");
};
