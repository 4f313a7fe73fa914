import { tool } from "../../cli/command.ts";
import { readDuration } from "../../config/values.ts";
import { duration } from "../../contract/fields.ts";
import { type MsgError, usageError } from "../../errors.ts";
import {
  listReadableRuns,
  type RunRecord,
  runColumns,
  runFields,
} from "../../send/report/run-record.ts";
import {
  halfPlanned,
  removeGoneRuns,
  removeIdleRun,
  removeRun,
} from "../../send/start/run-removal.ts";
import type { RunFile } from "../../send/store/run-file.ts";
import { isPlanned, type RunStore, workerOf } from "../../send/store/run-folder.ts";
import { readState } from "../../send/store/run-state.ts";
import { storeOf } from "../../send/store/run-store.ts";
import { summarize } from "../../send/store/summary.ts";

/**
 * Any other run is evidence, or is gone on with. One that waits for its hour can be cancelled until then,
 * and by its folder alone.
 */
const isOver = ({ state, scheduledDate }: RunRecord, now: Date): boolean =>
  over.has(state) || (state === "scheduled" && Date.parse(scheduledDate ?? "") <= now.getTime());

const over: ReadonlySet<string> = new Set(["planned", "done", "cancelled"]);

/** Longer than any source is read. */
const planningMs = 24 * 3_600_000;

/** As long as this a run's folder keeps its rows from being sent again. */
const knownMs = 24 * 3_600_000;

export default tool({
  writes: true,
  flags: { older: duration("age: 30d when left out, 12h") },
  columns: runColumns,
  fields: runFields,
  examples: ["msg run purge", "msg run purge --older 7d", "msg run purge --older 7d -n"],
  run: async (ctx, { flags }) => {
    const store = storeOf(ctx);
    const until = ctx.clock.now().getTime() - readDuration(flags.older ?? "30d", "--older");
    const { runs, ending } = listReadableRuns(store);
    const old = runs.filter(({ run }) => Date.parse(run.started) < until);
    const gone: Old[] = [];
    const stuck: string[] = [];
    for (const it of old.filter(({ row }) => isOver(row, ctx.clock.now())))
      if (ctx.consent.dryRun || (await isRemoved(store, it))) gone.push(it);
      else if (isStuck(store, it)) stuck.push(it.run.run);
    const were = ctx.consent.dryRun ? "would be" : "were";
    if (gone.length > 0) await ctx.note(`these ${were} removed: ${gone.length}`);
    const halves = halfPlanned(
      store,
      Math.min(until, ctx.clock.now().getTime() - planningMs),
    ).filter((id) => ctx.consent.dryRun || removeRun(store, id));
    if (!ctx.consent.dryRun) removeGoneRuns(store);
    if (halves.length > 0)
      await ctx.note(`rests of planning that never ended, which ${were} removed: ${halves.length}`);
    const keys = gone.filter(({ run }) => run.once !== undefined).length;
    if (keys > 0)
      await ctx.note(
        `${keys} of them with a key of --once: it is looked for at the service from now on, 7 days back when --once-within says nothing else`,
      );
    const fresh = gone.filter((it) => isStillKnown(it, ctx.clock.now())).length;
    if (fresh > 0)
      await ctx.note(
        `${fresh} of them began within 24 hours without groups or correlation ids: nothing keeps their rows from being sent again`,
      );
    const kept = old.length - gone.length - stuck.length;
    if (kept > 0)
      await ctx.note(`${kept} kept, which are not over: msg run list shows their state`);
    const rows = gone.map(({ row }) => row);
    return { rows, ending: ending ?? (stuck.length > 0 ? notRemoved(store, stuck) : undefined) };
  },
});

/** Something of it may have been sent, not long ago, and its groups do not say so to a later run. */
const isStillKnown = ({ run, row }: Old, now: Date): boolean =>
  run.once === undefined &&
  (run.path === "direct" || !run.tagged) &&
  row.accepted + row.refused > 0 &&
  now.getTime() - Date.parse(run.started) < knownMs;

interface Old {
  readonly run: RunFile;
  readonly row: RunRecord;
}

/** Another process may have begun it since it was listed. */
const isRemoved = (store: RunStore, it: Old): Promise<boolean> =>
  removeIdleRun(store, it.run.run, () => isAsBefore(store, it));

const isAsBefore = (store: RunStore, { run, row }: Old): boolean =>
  summarize(run, readState(store, run)).state === row.state;

/** Nobody has begun it, removed it or works on it: it could not be removed. */
const isStuck = (store: RunStore, it: Old): boolean =>
  isPlanned(store, it.run.run) &&
  workerOf(store, it.run.run) === undefined &&
  isAsBefore(store, it);

const notRemoved = ({ folder }: RunStore, runs: readonly string[]): MsgError =>
  usageError(`${runs.length === 1 ? "one run" : `${runs.length} runs`} could not be removed`, {
    code: "FileProblem",
    where: folder,
    todo: "see whether its disk is read-only, and whose the folders are; then run it again",
    details: runs.map((run) => ({
      code: "NotRemoved",
      field: `run ${run}`,
      text: "is still there",
    })),
  });
