/** `msg run show <file>.msgplan`: a plan, some of its messages, or what changed since another. */

import { usageError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import type { Result } from "../../output/view.ts";
import type { Ports } from "../../ports.ts";
import { readApproval } from "../approval/approval.ts";
import type { PlanHeader } from "../plan-file/format.ts";
import { readPlan } from "../plan-file/read-plan.ts";
import { storeOf } from "../store/run-store.ts";
import { differencesOf } from "./diff.ts";
import { differenceColumns, planColumns, sampleColumns } from "./plan-names.ts";
import { planRecord } from "./plan-record.ts";
import { bubblesOf, createSpread } from "./sample.ts";

export interface ShowFlags {
  readonly sample?: number | undefined;
  readonly diff?: string | undefined;
}

/** Reads the file alone: neither an account nor a network is needed. */
export const showPlan = async (
  ctx: Ports,
  file: string,
  { sample, diff }: ShowFlags,
): Promise<Result> => {
  if (sample !== undefined && diff !== undefined)
    throw usageError(t`--sample and --diff exclude each other`, {
      code: "InvalidUsage",
      todo: t`use one of them`,
    });
  if (diff !== undefined) return showDifferences(ctx, file, diff);
  if (sample !== undefined) return showSample(ctx, file, sample);
  const plan = await readPlan(ctx.io.read(file), file);
  const approval = readApproval(storeOf(ctx), file);
  // That of another plan, which was here before, says nothing of this one.
  const own = approval?.digest === plan.digest ? approval : undefined;
  return { record: planRecord(file, plan, own), columns: planColumns };
};

const showDifferences = async (ctx: Ports, file: string, other: string): Promise<Result> => {
  const rows = await differencesOf(ctx, other, file);
  if (rows.length === 0) await ctx.note(t`the same as ${other}: same rows, sent the same way`);
  return { rows, columns: differenceColumns };
};

const showSample = async (ctx: Ports, file: string, count: number): Promise<Result> => {
  const spread = createSpread(count);
  const open: { header?: PlanHeader } = {};
  await readPlan(ctx.io.read(file), file, {
    onHeader: (header) => {
      open.header = header;
    },
    onMessage: (row, message) => {
      if (open.header) spread.add(open.header, row, message);
    },
  });
  if (ctx.view.format === "table" && ctx.view.fields === undefined)
    return { text: bubblesOf(spread.shown, ctx.io.out.columns) };
  return { rows: spread.shown, columns: sampleColumns };
};
