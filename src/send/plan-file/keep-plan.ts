/** `send-many --plan-out`: plans a run, keeps it in a file, and sends nothing. */
import { t } from "../../locale/locale.ts";
import { totalTypes } from "../../message/price.ts";
import type { Result } from "../../output/view.ts";
import type { Ports } from "../../ports.ts";
import { planRun } from "../plan/plan-run.ts";
import type { Source } from "../plan/read-source.ts";
import { showPanel } from "../report/panel.ts";
import { stopOf } from "../report/preview.ts";
import type { RunFlags } from "../start/run-flags.ts";
import { removeRun } from "../start/run-removal.ts";
import type { RunStore } from "../store/run-folder.ts";
import { readTemplates, templateIds } from "./templates.ts";
import { assertNewPlan, writePlan } from "./write-plan.ts";

/** Throws MsgError as the planning of every run does, and where the file cannot be written: then there is none. */
export const keepPlan = async (
  ctx: Ports,
  store: RunStore,
  source: Source,
  flags: RunFlags & { readonly planOut: string },
): Promise<Result> => {
  const { planOut } = flags;
  assertNewPlan(store, planOut);
  const made = await planRun(ctx, store, source, flags, undefined);
  const { run, planned } = made;
  try {
    await showPanel(ctx, made);
    const stop = await stopOf(ctx, made, flags);
    if (stop) await ctx.note(t`it would be stopped: ${stop.message}`);
    const templates = await readTemplates(ctx, templateIds(store, run.run));
    const digest = writePlan(ctx, store, planOut, made, templates);
    await ctx.note(
      t`nothing was sent: msg run show ${planOut} shows the plan, msg send-many --plan ${planOut} sends it`,
    );
    const record = {
      ...{ plan: planOut, digest, run: run.run, state: "planned" },
      ...{ total: planned.total, messages: run.messages, skipped: run.skipped },
      ...{ types: totalTypes(planned.counts), cost: run.price },
    };
    return { record, columns };
  } finally {
    // Its id was never shown to anyone who could go on with it here.
    removeRun(store, run.run);
  }
};

const columns = ["plan", "digest", "total", "messages", "skipped", "cost"] as const;
