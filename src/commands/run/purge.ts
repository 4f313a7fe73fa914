import { tool } from "../../cli/command.ts";
import { readDuration } from "../../config/settings.ts";
import { duration } from "../../contract/fields.ts";
import { dayMs } from "../../contract/time.ts";
import { type MsgError, usageError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { formatFigure } from "../../message/price.ts";
import {
  listReadableRuns,
  type RunRecord,
  runColumns,
  runFields,
} from "../../send/report/run-record.ts";
import type { RunFile } from "../../send/store/run-file.ts";
import { isPlanned, type RunStore, storeOf } from "../../send/store/run-folder.ts";
import { lockHolder } from "../../send/store/run-lock.ts";
import {
  halfPlanned,
  removeGoneRuns,
  removeIdleRun,
  removeRun,
} from "../../send/store/run-removal.ts";
import { readState, summarize } from "../../send/store/summary.ts";

/**
 * Any other run is evidence, or can be resumed. A scheduled run can be cancelled until its time, only by its
 * folder.
 */
const isOver = ({ state, scheduledDate }: RunRecord, now: Date): boolean =>
  over.has(state) || (state === "scheduled" && Date.parse(scheduledDate ?? "") <= now.getTime());

const over: ReadonlySet<string> = new Set(["planned", "done", "cancelled"]);

/** Longer than the reading of any source. */
const planningMs = dayMs;

/** For this long a run's folder keeps its rows from being sent again. */
const knownMs = dayMs;

export default tool({
  writes: "local",
  flags: { older: duration("minimum age of the runs to remove, such as 12h; default: 30d") },
  columns: runColumns,
  fields: runFields,
  examples: ["msg run purge", "msg run purge --older 7d", "msg run purge --older 7d -n"],
  run: async (ctx, { flags }) => {
    const store = storeOf(ctx);
    const { dryRun } = ctx.consent;
    const now = ctx.clock.now();
    const until = now.getTime() - readDuration(flags.older ?? "30d", "--older");
    const { runs, ending } = listReadableRuns(store);
    const old = runs.filter(({ run }) => Date.parse(run.started) < until);
    const gone: Old[] = [];
    const stuck: string[] = [];
    for (const it of old.filter(({ row }) => isOver(row, now)))
      if (dryRun || (await isRemoved(store, it))) gone.push(it);
      else if (isStuck(store, it)) stuck.push(it.run.run);
    if (gone.length > 0) await ctx.note(removedText(gone.length, dryRun));
    const abandoned = halfPlanned(store, Math.min(until, now.getTime() - planningMs));
    const halves = abandoned.filter((id) => dryRun || removeRun(store, id));
    if (!dryRun) removeGoneRuns(store);
    if (halves.length > 0) await ctx.note(leftoverText(halves.length, dryRun));
    const keys = gone.filter(({ run }) => run.once !== undefined).length;
    if (keys > 0)
      await ctx.note(
        t`${formatFigure(keys)} of them used --once: their keys are now looked up at the service, 7 days back unless --once-within says otherwise`,
      );
    const fresh = gone.filter((it) => isStillKnown(it, now)).length;
    if (fresh > 0)
      await ctx.note(
        t`${formatFigure(fresh)} of them began within 24 hours without groups or correlation ids: nothing prevents sending their rows again`,
      );
    const kept = old.length - gone.length - stuck.length;
    if (kept > 0)
      await ctx.note(t`${formatFigure(kept)} unfinished, and kept; their state: msg run list`);
    const rows = gone.map(({ row }) => row);
    return { rows, ending: ending ?? (stuck.length > 0 ? notRemoved(store, stuck) : undefined) };
  },
});

/** Some of it may have been sent recently, and its groups do not show that to a later run. */
const isStillKnown = ({ run, row }: Old, now: Date): boolean =>
  run.once === undefined &&
  (run.path === "direct" || !run.tagged) &&
  row.accepted + row.refused > 0 &&
  now.getTime() - Date.parse(run.started) < knownMs;

interface Old {
  readonly run: RunFile;
  readonly row: RunRecord;
}

/** Removes it unless another process has begun it since it was listed. */
const isRemoved = (store: RunStore, it: Old): Promise<boolean> =>
  removeIdleRun(store, it.run.run, () => isAsBefore(store, it));

const isAsBefore = (store: RunStore, { run, row }: Old): boolean =>
  summarize(run, readState(store, run)).state === row.state;

/** It could not be removed, although no process has begun or removed it, or works on it. */
const isStuck = (store: RunStore, it: Old): boolean =>
  isPlanned(store, it.run.run) &&
  lockHolder(store, it.run.run) === undefined &&
  isAsBefore(store, it);

const removedText = (count: number, isDryRun: boolean): string =>
  isDryRun
    ? t`runs that would be removed: ${formatFigure(count)}`
    : t`runs removed: ${formatFigure(count)}`;

/** How many plans that were never completed were removed. */
const leftoverText = (count: number, isDryRun: boolean): string =>
  isDryRun
    ? t`unfinished plans that would be removed: ${formatFigure(count)}`
    : t`unfinished plans removed: ${formatFigure(count)}`;

const stuckText = (count: number): string =>
  count === 1 ? t`1 run could not be removed` : t`${formatFigure(count)} runs could not be removed`;

const notRemoved = ({ folder }: RunStore, runs: readonly string[]): MsgError =>
  usageError(stuckText(runs.length), {
    code: "FileProblem",
    where: folder,
    todo: t`check that the disk is writable and that you own the folders; then try again`,
    details: runs.map((run) => ({
      code: "NotRemoved",
      field: t`run ${run}`,
      text: t`still exists`,
    })),
  });
