/** The columns of runs, and what a run amounts to as its folder tells it. */

import { MsgError } from "../../errors.ts";
import { recoveredFile } from "../../reconcile/rebuild/recovered-file.ts";
import type { RunFile } from "../store/run-file.ts";
import { isBegun, type RunStore, workerOf } from "../store/run-folder.ts";
import { shownSummary } from "../store/run-state.ts";
import { damagedSummary, type Summary, summarize } from "../store/summary.ts";

export type RunRecord = Summary & {
  readonly started: string;
  readonly source: string;
  /** When it goes out or went out; null for one that was sent at once. */
  readonly scheduledDate: string | null;
  readonly profile: string;
};

/** What a run is in, by its journal; or that a process works on it. */
export const runStates = [
  ...["planned", "running", "open", "unknown", "scheduled", "unscheduled"],
  ...["done", "cancelled", "damaged"],
] as const;

export const runColumns = [
  { name: "run", value: (row: RunRecord) => row.run },
  { name: "started", value: (row: RunRecord) => row.started },
  { name: "source", value: (row: RunRecord) => row.source },
  { name: "total", value: (row: RunRecord) => row.total },
  { name: "accepted", value: (row: RunRecord) => row.accepted },
  { name: "refused", value: (row: RunRecord) => row.refused },
  { name: "unknown", value: (row: RunRecord) => row.unknown },
  { name: "cost", value: (row: RunRecord) => row.cost },
  { name: "state", value: (row: RunRecord) => row.state },
] as const;

/** Total, so that a member that is added can be named too. */
const members: Readonly<Record<keyof RunRecord, true>> = {
  ...{ run: true, started: true, source: true, profile: true, scheduledDate: true },
  ...{ state: true, path: true, groups: true, total: true, accepted: true, refused: true },
  ...{ skipped: true, notSent: true, unknown: true, cost: true, elapsedMs: true },
};

/** What `--fields` may name of a run. */
export const runFields: readonly string[] = Object.keys(members);

export const runRecord = (store: RunStore, run: RunFile): RunRecord => {
  const row = listedAs(run, shownSummary(store, run));
  return workerOf(store, run.run) === undefined ? row : { ...row, state: "running" };
};

const listedAs = (run: RunFile, summary: Summary): RunRecord => {
  const { started, source, profile, scheduledDate = null } = run;
  return { ...summary, started, source, scheduledDate, profile };
};

/**
 * A run whose run.json cannot be read, as its journal and its plan still tell it. Undefined where they do
 * not, and for any other error.
 */
export const listedDamaged = (
  store: RunStore,
  id: string,
  error: unknown,
): { readonly run: RunFile; readonly row: RunRecord } | undefined => {
  const isDamaged = error instanceof MsgError && error.code === "RunNotReadable";
  const run = isDamaged ? recoveredFile(store, id) : undefined;
  if (run === undefined) return undefined;
  // What was never begun was not sent, whatever became of its files.
  const { notSent, unknown } = isBegun(store, id) ? damagedSummary(run) : summarize(run, undefined);
  const books = { ...damagedSummary(run), notSent, unknown };
  return { run, row: { ...listedAs(run, books), state: "damaged" } };
};
