/** What stops a run before its first request: exit 7, nothing was sent, the run is kept. */

import { MsgError } from "../../errors.ts";
import { formatMessageCount } from "../../message/counted.ts";
import type { Ports } from "../../ports.ts";
import type { Ask } from "../../prompt/prompt.ts";
import type { PlannedRun } from "../plan/plan-run.ts";
import type { RunFile } from "../store/run-file.ts";
import type { Summary } from "../store/summary.ts";
import { assertCost, assertRecipients } from "./ceilings.ts";

/** Throws MsgError (stopped) where a run may not begin: it would pass a ceiling, money or quota lack. */
export const assertRunAllowed = (
  ctx: Ports,
  { run, money, quota }: Pick<PlannedRun, "run" | "money" | "quota">,
  flags: RunLimits,
): void => {
  assertCeilings(ctx, run, flags);
  if (money !== undefined && run.price !== null && run.price > money)
    throw stopError(
      run,
      "BalanceTooShort",
      `this costs ${run.price} won and ${money} won are there`,
      `charge the account, then go on with msg send-many --resume ${run.run}`,
    );
  if (quota !== undefined && run.messages > quota.left)
    throw stopError(
      run,
      "QuotaTooSmall",
      `${run.messages} messages are more than the ${quota.left} that are left of the quota of ${quota.daily} a day`,
      `ask for more with msg quota request, or wait for the next day in Korea; then go on with msg send-many --resume ${run.run}`,
    );
  assertConfirmed(ctx, run);
};

export interface RunLimits {
  readonly maxCost?: number | undefined;
  readonly maxRecipients?: number | undefined;
}

/** The operator's own limits, once more where a run is resumed: what stopped it then stops it still. */
export const assertResumeAllowed = (ctx: Ports, run: RunFile, flags: RunLimits): void => {
  assertCeilings(ctx, run, flags);
  assertConfirmed(ctx, run);
};

const assertCeilings = (ctx: Ports, run: RunFile, flags: RunLimits): void => {
  const { maxRecipients, maxCost } = ctx.settings;
  const where = `run ${run.run}`;
  const raise = `send less, or raise the limit: msg send-many --resume ${run.run}`;
  const max = flags.maxRecipients ?? run.maxRecipients ?? maxRecipients.value;
  assertRecipients(run.messages, max, {
    where,
    todo: `${raise} --max-recipients ${run.messages}`,
  });
  assertCost(run.price, flags.maxCost ?? run.maxCost ?? maxCost.value, {
    where,
    todo:
      run.price === null
        ? "leave --max-cost out, or ask for the right to read prices"
        : `${raise} --max-cost ${Math.ceil(run.price)}`,
  });
};

const assertConfirmed = (ctx: Ports, run: RunFile): void => {
  if (!ctx.settings.protected.value || ctx.consent.typed?.trim() === String(run.messages)) return;
  throw stopError(
    run,
    "Protected",
    `profile '${run.profile}' is protected`,
    `msg send-many --resume ${run.run} --confirm ${run.messages} sends ${formatMessageCount(run.messages)}`,
  );
};

const stopError = (run: RunFile, code: string, what: string, todo: string): MsgError =>
  new MsgError("stopped", what, {
    code,
    where: `run ${run.run}`,
    todo: ({ nothing = "nothing was sent" }) => `${nothing}; ${todo}`,
  });

/** More messages than this are typed as a number, not answered with y. */
const maxForYes = 1_000;

/** What is left of a run that was begun before. */
type Rest = Pick<Summary, "notSent" | "cost">;

/** The question on a terminal; elsewhere the guards decide. Throws MsgError (stopped) for a no. */
export const confirmRun = async (ctx: Ports, run: RunFile, rest?: Rest): Promise<void> => {
  if (!ctx.ask || ctx.consent.yes || ctx.consent.typed?.trim() === String(run.messages)) return;
  const messages = rest?.notSent ?? run.messages;
  const isPart = messages < run.messages;
  const what = isPart
    ? `the ${formatMessageCount(messages)} that were not sent`
    : formatMessageCount(messages);
  const question = `Send ${what} ${describeCost(run, isPart ? rest : undefined)}?`;
  const after = `msg send-many --resume ${run.run} sends it after all`;
  const agreed = await askToSend(ctx.ask, question, messages).catch((error: unknown) => {
    if (!(error instanceof MsgError) || error.kind !== "interrupted") throw error;
    const todo = `nothing was sent; ${after}`;
    throw new MsgError("interrupted", "interrupted", { where: `run ${run.run}`, todo });
  });
  if (!agreed) throw stopError(run, "Declined", "declined", after);
};

const describeCost = (run: RunFile, rest: Rest | undefined): string => {
  const price = priceOf(run, rest);
  if (price === null) return "at a price that is not known";
  return rest === undefined ? `for ${price} won` : `for ${price} won at most`;
};

/** A part costs no more than what is left of the whole price; more is not known of it. */
export const priceOf = ({ price }: RunFile, rest: Pick<Rest, "cost"> | undefined): number | null =>
  price === null ? null : Math.max(0, price - (rest?.cost ?? 0));

const askToSend = async (ask: Ask, question: string, messages: number): Promise<boolean> => {
  if (messages <= maxForYes) return ask.confirm(question);
  const typed = await ask.text(`${question} Type ${messages} to send:`);
  return typed.trim() === String(messages);
};
