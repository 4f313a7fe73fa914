/** How a command settles a second factor: with a person, or with the flags of two calls (cli.md 4). */
import type { AuthType, Complaint, Conversation, Delivered, Sent } from "../client/conversation.ts";
import { readDuration } from "../config/read-duration.ts";
import { usage } from "../errors.ts";
import type { Ask } from "../prompt/ask.ts";
import type { Verb } from "./command.ts";
import type { Context } from "./context.ts";
import { commandLine } from "./help/command-line.ts";
import type { Loose } from "./parse/input.ts";
import type { Typed } from "./parse/parse.ts";

const means = { voice: "ARS", email: "OTP" } as const;

/** Throws usage for flags that are not a whole, before anything is read from standard input. */
export const checkFactorFlags = ({ flags, input }: Typed): void => {
  if ((flags.otp === undefined) !== (flags.otpTransaction === undefined))
    throw usage("--otp and --otp-transaction belong together", {
      todo: "have a code sent with --otp-by; the error then names the transaction",
    });
  if (input === "-" && flags.otp?.at(-1) === "-")
    throw usage("standard input cannot be both --input and --otp", {
      todo: "read the code from a file: --otp @code.txt",
    });
};

/** The same context, whose client can settle a second factor. */
export const withSecondFactor = (
  ctx: Context,
  path: string,
  verb: Verb,
  typed: Typed,
  given: Loose,
): Context => {
  const conversation = conversationOf(ctx, commandLine(path, verb, typed, {}), typed, given);
  const { settle, again } = given.flags ?? {};
  const settleMs = typeof settle === "string" ? readDuration(settle, "--settle") : usualSettleMs;
  const options = { command: path, conversation, settleMs, again: again === true };
  return { ...ctx, client: () => ctx.payments.protect(ctx, options) };
};

/** As for a single send (sending.md 1). */
const usualSettleMs = 30_000;

const conversationOf = (ctx: Context, line: string, typed: Typed, given: Loose): Conversation => {
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
        ? `run it on a terminal, or have a code sent: ${line} --otp-by voice|email`
        : `${whereabouts(sent)}; finish with it: ${line}${by} --otp-transaction ${sent.transactionId} --otp ${typed.input === "-" ? "@<file>" : "-"}`,
  };
};

const whereabouts = ({ destination, dateExpires }: Sent): string =>
  [
    "the code went out",
    destination === undefined ? [] : `to ${destination}`,
    dateExpires === undefined ? [] : `and is good until ${dateExpires}`,
  ]
    .flat()
    .join(" ");

const chosenMeans = ({ flags }: Loose): keyof typeof means | undefined => {
  const by = flags?.otpBy;
  return by === "voice" || by === "email" ? by : undefined;
};

/** What the flags prove. */
const proofOf = (ctx: Context, given: Loose): Conversation["proof"] => {
  const { otp, otpTransaction } = given.flags ?? {};
  if (typeof otp !== "string" || typeof otpTransaction !== "string") return undefined;
  const token = codeOf(otp);
  if (!/^\d{4,10}$/.test(token)) throw usage("--otp is no code: a code is six digits");
  ctx.hide(token);
  const authType: AuthType = means[chosenMeans(given) ?? "email"];
  return { authType, transactionId: otpTransaction, token };
};

const labels: Readonly<Record<AuthType, string>> = { ARS: "a voice call", OTP: "an e-mail" };

const askMeans = async (ask: Ask, offered: readonly AuthType[]): Promise<AuthType> => {
  const options = offered.map((value) => ({ value, label: labels[value] }));
  const answer = await ask.choose("This needs a one-time code. How is it to be sent?", options);
  return offered.find((it) => it === answer) ?? "OTP";
};

const askCode = async (
  ctx: Context,
  ask: Ask,
  { authType, destination, codeLength }: Delivered,
  complaint: Complaint | undefined,
): Promise<string> => {
  const shape = new RegExp(`^\\d{${codeLength}}$`);
  const wrong = `a code is ${codeLength} digits; r has another one sent`;
  const place = authType === "ARS" ? "by a voice call to" : "by e-mail to";
  const question =
    complaint === undefined
      ? `The code that was sent ${place} ${destination} (r sends another):`
      : `${wordsOf(complaint)} The code (r sends another):`;
  const typed = await ask.hidden(question, {
    check: (text) => (shape.test(codeOf(text)) || isAgain(text) ? undefined : wrong),
  });
  if (isAgain(typed)) return "again";
  ctx.hide(codeOf(typed));
  return codeOf(typed);
};

const wordsOf = (complaint: Complaint): string => {
  if (complaint.kind === "expired") return "The code has expired.";
  const { attemptsLeft } = complaint;
  const left = attemptsLeft === undefined ? "" : ` ${attemptsLeft} more before it is locked.`;
  return `That code is wrong.${left}`;
};

const isAgain = (text: string): boolean => /^\s*[rR]\s*$/.test(text);

/** Digits alone: people paste spaces and line breaks, and Korean input may be full-width. */
const codeOf = (typed: string): string => typed.normalize("NFKC").replaceAll(/[\s-]/g, "");

/** One line that counts the seconds down. */
const countDown = async (ctx: Context, ms: number): Promise<void> => {
  for (let left = Math.ceil(ms / 1_000); left > 0; left -= 1) {
    await ctx.err.write(`\rAnother code can be sent in ${left} s \u001b[K`);
    await ctx.wait(1_000, ctx.signal);
  }
  await ctx.err.write("\r\u001b[K");
};
