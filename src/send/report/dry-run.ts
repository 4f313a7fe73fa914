/** What `-n` and `--estimate` show: of rows that are not planned yet, of a resumed run, of one message. */

import { addGroupMessages } from "../../contract/groups.ts";
import { sendMany } from "../../contract/messages.ts";
import type { MsgError } from "../../errors.ts";
import { asRecord } from "../../json/read-json.ts";
import { t, translated } from "../../locale/locale.ts";
import { totalTypes } from "../../message/price.ts";
import type { Result } from "../../output/view.ts";
import type { Ports } from "../../ports.ts";
import { findTakenRows } from "../claims/taken-rows.ts";
import { assertOwnRun } from "../guards/own-run.ts";
import { assertResumeAllowed, assertRunAllowed, findLacks, priceOf } from "../guards/run-guard.ts";
import { findStop, type Limits } from "../guards/spending.ts";
import { partName } from "../parts/part.ts";
import type { PlannedRun } from "../plan/plan-run.ts";
import { sendTimeError } from "../run/hours.ts";
import { assertNotSentBefore } from "../start/begin.ts";
import { findKeyed } from "../start/once.ts";
import type { RunFlags } from "../start/run-flags.ts";
import { readBody } from "../store/read-body.ts";
import type { RunFile } from "../store/run-file.ts";
import { type RunStore, storeOf } from "../store/run-folder.ts";
import { readState, summarize } from "../store/summary.ts";
import { summaryColumns } from "./ending.ts";
import { planLines, remainingLines } from "./panel.ts";

/** `-n` for rows that are not planned yet. */
export const previewPlan = async (
  ctx: Ports,
  made: PlannedRun,
  flags: Obstacles,
): Promise<Result> => {
  const { run, planned, money, quota } = made;
  const { messages, skipped, price: cost, maxCost, maxRecipients = null } = run;
  return planResult(ctx, {
    lines: planLines(ctx, made),
    plan: {
      ...(run.part && { part: partName(run.part), wholeMessages: run.part.messages }),
      rows: planned.total,
      skipped,
      messages,
      types: totalTypes(planned.counts),
      cost,
      maxCost,
      maxRecipients,
      balance: money ?? null,
      quotaLeft: quota?.left ?? null,
    },
    request: firstRequest(storeOf(ctx), run),
    stop: await findObstacle(ctx, made, flags),
  });
};

/** What `--estimate` shows: it ends as the run would. */
export const estimateRun = async (
  ctx: Ports,
  made: PlannedRun,
  flags: Obstacles,
): Promise<Result> => {
  const { run } = made;
  // Nothing of it is kept, as in a dry run.
  const looking = { ...ctx, consent: { ...ctx.consent, dryRun: true } };
  const record = { ...summarize(run, undefined), run: null, state: "estimated", cost: run.price };
  return {
    record,
    columns: summaryColumns,
    ending: await findObstacle(looking, made, flags),
  };
};

type Obstacles = Limits & Pick<RunFlags, "again">;

/** What keeps the rows from being sent: their hour, a ceiling, what they lack, or that this machine sent them. */
export const findObstacle = async (
  ctx: Ports,
  made: PlannedRun,
  flags: Obstacles,
): Promise<MsgError | undefined> => {
  const late = await sendTimeError(ctx, made.run);
  if (late) return late;
  // Money and quota are needed only for rows that were not sent before.
  const taken = findLacks(made).length > 0 ? await findTakenRows(ctx, made.run) : [];
  return findStop(async () => {
    const keyed = made.run.once === undefined ? undefined : findKeyed(storeOf(ctx), made.run);
    if (keyed) await assertOwnRun(ctx, keyed);
    if (keyed) await ctx.note(t`the key belongs to run ${keyed.run}: nothing of it is sent twice`);
    assertRunAllowed(ctx, made, flags, taken);
    await assertNotSentBefore(ctx, made.run, { again: flags.again === true });
  });
};

/** `-n` for a resumed run. */
export const previewResume = async (ctx: Ports, run: RunFile, flags: Limits): Promise<Result> => {
  const store = storeOf(ctx);
  const state = readState(store, run);
  const rest = summarize(run, state);
  return planResult(ctx, {
    lines: remainingLines(ctx, run, rest),
    plan: { rows: run.total, messages: rest.notSent, cost: priceOf(run, rest) },
    request: firstRequest(store, run),
    stop: await findStop(() => assertResumeAllowed(ctx, run, flags, state !== undefined)),
  });
};

/** A request that was not made. */
export interface Request {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly scheduledDate?: string | undefined;
}

interface ShownPlan {
  /** As a person reads it. */
  readonly lines: readonly (readonly [label: string, text: string])[];
  /** As a script reads it. */
  readonly plan: Readonly<Record<string, unknown>>;
  readonly request: Request;
  /** What would stop it: it ends the dry run as it would end the run. */
  readonly stop: MsgError | undefined;
}

export const planResult = ({ view }: Ports, shown: ShownPlan): Result => {
  const { lines, plan, request, stop } = shown;
  if (view.format === "json" || view.format === "jsonl")
    return { record: { ...request, plan }, columns: ["method", "path", "body"], ending: stop };
  const said = [...lines, ...(view.debug ? Object.entries(request) : [])];
  if (view.format === "table") {
    const columns = said.map(([label, text]) => ({ name: translated(label), value: () => text }));
    return { record: {}, columns, ending: stop };
  }
  const rows = said.map(([item, text]) => ({ item, text }));
  return { rows, columns: ["item", "text"], ending: stop };
};

/** At most this many messages of a body are shown. */
const maxShown = 100;

/** The first request of a run that would add or send messages, with the first of them. */
const firstRequest = (store: RunStore, run: RunFile): Request => {
  const bytes = run.chunks.length > 0 ? readBody(store, run, 0) : Buffer.from("{}");
  const body: unknown = JSON.parse(Buffer.from(bytes).toString("utf8"));
  const { method, path: target } = run.path === "G" ? addGroupMessages : sendMany;
  return { method, path: target, body: cut(body) };
};

const cut = (body: unknown): unknown => {
  const { messages, ...rest } = asRecord(body);
  return Array.isArray(messages) ? { messages: messages.slice(0, maxShown), ...rest } : body;
};
