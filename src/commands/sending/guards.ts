/** What stops a run before its first request: exit 7, nothing sent, the run is kept (sending.md 3). */
import type { RunFile } from "../../bulk/run-file.ts";
import type { Context } from "../../context.ts";
import { MsgError } from "../../errors.ts";
import type { PlannedRun } from "./plan.ts";

/** Throws MsgError (stopped) where a ceiling would be passed. */
export const guardRun = (
  ctx: Context,
  { run, money }: Pick<PlannedRun, "run" | "money">,
  maxRecipients: number | undefined,
): void => {
  const most = maxRecipients ?? ctx.settings.maxRecipients.value;
  if (most !== undefined && run.messages > most)
    throw guard(
      run,
      "TooManyRecipients",
      `${run.messages} recipients are more than the ${most} allowed`,
      "raise --max-recipients or send less",
    );
  guardPrice(run);
  if (money !== undefined && run.price !== null && run.price > money)
    throw guard(
      run,
      "BalanceTooShort",
      `this costs ${run.price} won and ${money} won are there`,
      `charge the account, then go on with msg send-many --resume ${run.run}`,
    );
  if (ctx.settings.protected.value && ctx.consent.typed?.trim() !== String(run.messages))
    throw guard(
      run,
      "Protected",
      `profile '${run.profile}' is protected`,
      `add --confirm ${run.messages} to send ${run.messages} messages`,
    );
};

const guardPrice = (run: RunFile): void => {
  if (run.maxCost === null) return;
  if (run.price === null)
    throw guard(
      run,
      "CostAboveCeiling",
      "the price of a message is not known, and there is a ceiling",
      "leave --max-cost out, or ask for the right to read prices",
    );
  if (run.price > run.maxCost)
    throw guard(
      run,
      "CostAboveCeiling",
      `this would cost ${run.price} won, above the ceiling of ${run.maxCost} won`,
      "raise --max-cost or send less",
    );
};

const guard = (run: RunFile, code: string, what: string, todo: string): MsgError =>
  new MsgError("stopped", what, {
    code,
    where: `run ${run.run}`,
    todo: `nothing was sent; ${todo}`,
  });

/** More messages than this are typed as a number, not answered with y. */
const mostForYes = 1_000;

/** The question on a terminal; elsewhere the guards decide. Throws MsgError (stopped) for a no. */
export const askRun = async (ctx: Context, run: RunFile): Promise<void> => {
  if (!ctx.ask || ctx.consent.yes || ctx.consent.typed?.trim() === String(run.messages)) return;
  const cost = run.price === null ? "at a price that is not known" : `for ${run.price} won`;
  const question = `Send ${run.messages} messages ${cost}?`;
  const agreed =
    run.messages > mostForYes
      ? (await ctx.ask.text(`${question} Type ${run.messages} to send:`)).trim() ===
        String(run.messages)
      : await ctx.ask.confirm(question);
  if (!agreed)
    throw guard(
      run,
      "Declined",
      "declined",
      `msg send-many --resume ${run.run} sends it after all`,
    );
};

/** What is about to be sent, on standard error of a terminal. */
export const showPanel = async (
  ctx: Context,
  { run, planned, money }: PlannedRun,
): Promise<void> => {
  if (!ctx.err.isTTY) return;
  const { duplicate, excluded } = planned.skipped;
  const left = [
    { count: planned.wrong, word: "wrong" },
    { count: duplicate, word: "duplicates" },
    { count: excluded, word: "excluded" },
  ].filter((it) => it.count > 0);
  const types = [...planned.counts].flatMap(([country, row]) =>
    [...row].map(
      ([type, count]) =>
        `${count} ${type.toUpperCase()}${country === "82" ? "" : ` to +${country}`}`,
    ),
  );
  const lines = [
    `profile   ${run.profile}${money === undefined ? "" : `, ${money} won`}`,
    `source    ${run.source}, ${planned.total} rows`,
    `to send   ${run.messages} (${types.join(", ")})${left.length === 0 ? "" : `; left out: ${left.map((it) => `${it.count} ${it.word}`).join(", ")}`}`,
    `cost      ${run.price === null ? "not known" : `${run.price} won`}${run.maxCost === null ? "" : `, ceiling ${run.maxCost} won`}`,
  ];
  if (run.scheduledDate !== undefined) lines.push(`at        ${run.scheduledDate}`);
  for (const line of lines) await ctx.note(line);
};
