import * as v from "valibot";
import { tool } from "../../cli/command.ts";
import { file, kebab, number, text } from "../../contract/fields.ts";
import { exclusive, usageError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { noteOtherService, runOwnerOf } from "../../send/guards/own-run.ts";
import type { WorkerRecord } from "../../send/parts/show-source.ts";
import {
  differenceColumns,
  isPlanName,
  planFields,
  sampleColumns,
} from "../../send/plan-file/plan-record.ts";
import type { ShowFlags } from "../../send/plan-file/show-plan.ts";
import { nextStep } from "../../send/report/next-step.ts";
import {
  listDamagedRun,
  type RunRecord,
  runColumns,
  runFields,
  runRecord,
  withDelivery,
} from "../../send/report/run-record.ts";
import { serviceTime } from "../../send/run/hours.ts";
import { identityFlags } from "../../send/start/run-flags.ts";
import { findRunId, type RunStore, readRun, storeOf } from "../../send/store/run-folder.ts";

/** Here, since the code that sums the workers is loaded only for a source. */
const workerFields = Object.keys({
  worker: true,
  state: true,
  runs: true,
  groups: true,
  messages: true,
  accepted: true,
  refused: true,
  scheduled: true,
  notSent: true,
  delivered: true,
  failed: true,
  pending: true,
  cost: true,
} satisfies Record<keyof WorkerRecord, true>);

export default tool({
  args: { run: v.optional(text("id of the run, last, or a plan file (.msgplan)")) },
  flags: {
    sample: v.pipe(
      number("of a plan: show this many messages as phones show them, spread over the plan"),
      v.integer("takes a whole number"),
      v.minValue(1),
    ),
    diff: file("of a plan: show what changed since this other plan"),
    source: file("total of what all workers sent of this source; give the flags it was sent with"),
    ...identityFlags,
  },
  columns: [
    ...runColumns,
    "profile",
    { name: "groups", value: (row: RunRecord) => row.groups.join(" ") },
    "skipped",
    "notSent",
    "scheduledDate",
    "dateRead",
  ],
  fields: [...workerFields, ...runFields, ...planFields, ...sampleColumns, ...differenceColumns],
  examples: [
    "msg run show last",
    "msg run show last --json",
    "msg run show last --fields state",
    "msg run show --source july.csv --once july --text @notice.txt",
    "msg run show july.msgplan --sample 20",
    "msg run show july.msgplan --diff june.msgplan",
  ],
  run: async (ctx, { args, flags }) => {
    const { sample, diff, source, ...identity } = flags;
    const store = storeOf(ctx);
    const named = oneOf(args.run, source);
    if (source !== undefined) {
      const { showSource } = await import("../../send/parts/show-source.ts");
      // No picture is uploaded either.
      const inDryRun = { ...ctx, consent: { ...ctx.consent, dryRun: true } };
      return showSource(inDryRun, source, identity);
    }
    assertNotOfSource(identity);
    if (isPlanName(named)) {
      const { showPlan } = await import("../../send/plan-file/show-plan.ts");
      return showPlan(ctx, named, { sample, diff });
    }
    assertOfRun(flags);
    const { run, row } = shown(store, findRunId(store, named, await runOwnerOf(ctx)));
    await noteOtherService(ctx, run);
    const [record = row] = await withDelivery(ctx, [{ run, row }]);
    const next = nextStep(run, record, await serviceTime(ctx));
    if (next !== undefined) await ctx.note(next);
    return { record };
  },
});

/** The run that is named, or the source. Throws MsgError (usage) if both were named, or neither. */
const oneOf = (run: string | undefined, source: string | undefined): string => {
  const todo = t`name a run by its id, or last; --source <file> adds up what all workers sent of a source`;
  if (run !== undefined && source !== undefined) throw exclusive("--source", t`a run`, todo);
  const named = run ?? source;
  if (named !== undefined) return named;
  throw usageError(t`msg run show needs a run, or --source`, { code: "MissingValue", todo });
};

/** The flags of a source's send are only for a source. */
const assertNotOfSource = (flags: object): void => {
  const other = Object.entries(flags).find(([, value]) => value !== undefined);
  if (other === undefined) return;
  throw usageError(t`--${kebab(other[0])} is about a source, not about a run`, {
    todo: t`name the source: msg run show --source <file>`,
  });
};

/** A run no longer has them: its rows are in msg run export. */
const assertOfRun = ({ sample, diff }: ShowFlags): void => {
  if (sample === undefined && diff === undefined) return;
  throw usageError(t`${sample === undefined ? "--diff" : "--sample"} needs a plan, not a run`, {
    todo: t`give a plan file (.msgplan)`,
  });
};

const shown = (store: RunStore, id: string) => {
  try {
    const run = readRun(store, id);
    return { run, row: runRecord(store, run) };
  } catch (error) {
    const found = listDamagedRun(store, id, error);
    if (found) return found;
    throw error;
  }
};
