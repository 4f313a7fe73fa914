/** The columns of runs, and what a run amounts to as its folder tells it. */
import type { RunFile } from "../../bulk/run-file.ts";
import { type RunStore, workerOf } from "../../bulk/run-folder.ts";
import { type Summary, summaryOf } from "../../bulk/summary.ts";
import { stateOf } from "../sending/work.ts";

export type Listed = Summary & {
  readonly started: string;
  readonly source: string;
  /** When it goes out or went out; null for one that was sent at once. */
  readonly scheduledDate: string | null;
  readonly profile: string;
};

/** What a run is in, by its journal; or that a process works on it. */
export const runStates = [
  ...["planned", "running", "open", "unknown", "scheduled", "unscheduled"],
  ...["done", "cancelled"],
] as const;

export const runColumns = [
  { name: "run", value: (row: Listed) => row.run },
  { name: "started", value: (row: Listed) => row.started },
  { name: "source", value: (row: Listed) => row.source },
  { name: "total", value: (row: Listed) => row.total },
  { name: "accepted", value: (row: Listed) => row.accepted },
  { name: "refused", value: (row: Listed) => row.refused },
  { name: "unknown", value: (row: Listed) => row.unknown },
  { name: "cost", value: (row: Listed) => row.cost },
  { name: "state", value: (row: Listed) => row.state },
] as const;

/** Total, so that a member that is added can be named too. */
const members: Readonly<Record<keyof Listed, true>> = {
  ...{ run: true, started: true, source: true, profile: true, scheduledDate: true },
  ...{ state: true, path: true, groups: true, total: true, accepted: true, refused: true },
  ...{ skipped: true, notSent: true, unknown: true, cost: true, elapsedMs: true },
};

/** What `--fields` may name of a run. */
export const runFields: readonly string[] = Object.keys(members);

export const listed = (store: RunStore, run: RunFile): Listed => {
  const summary = summaryOf(run, stateOf(store, run));
  const { started, source, profile, scheduledDate = null } = run;
  const isRunning = workerOf(store, run.run) !== undefined;
  const state = isRunning ? "running" : summary.state;
  return { ...summary, state, started, source, scheduledDate, profile };
};
