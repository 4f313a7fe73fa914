/** All runs of this user as they are listed. One that cannot be read hides none of the others. */

import { fileError } from "../../durable/failure.ts";
import { type MsgError, type Problem, usageError } from "../../errors.ts";
import type { RunFile } from "../store/run-file.ts";
import { allRuns, isBegun, isPlanned, type RunStore, readRun } from "../store/run-folder.ts";
import { listedDamaged, type RunRecord, runRecord } from "./run-record.ts";

interface Readable {
  /** The oldest first. */
  readonly runs: readonly { readonly run: RunFile; readonly row: RunRecord }[];
  /** Names those that cannot be read: they may hold what was sent, and nobody but an operator removes them. */
  readonly ending: MsgError | undefined;
}

export const listReadableRuns = (store: RunStore): Readable => {
  const runs: { readonly run: RunFile; readonly row: RunRecord }[] = [];
  const damaged: Problem[] = [];
  for (const id of allRuns(store))
    try {
      // Its planning is under way, or never came to its end: nothing was sent of it.
      if (!isPlanned(store, id) && !isBegun(store, id)) continue;
      const run = readRun(store, id);
      runs.push({ run, row: runRecord(store, run) });
    } catch (error) {
      const row = listedDamaged(store, id, error);
      if (row) runs.push(row);
      // Somebody has removed it just now: it was purged, or only to be estimated.
      else if (allRuns(store).includes(id)) damaged.push(problemOf(store, id, error));
    }
  runs.sort((one, other) => one.run.started.localeCompare(other.run.started, "en"));
  return { runs, ending: damaged.length === 0 ? undefined : unreadable(store, damaged) };
};

const problemOf = (store: RunStore, id: string, thrown: unknown): Problem => {
  const { code, message, where } = fileError(thrown, "read it", `${store.folder}/${id}`);
  const isNamed = where === undefined || message.includes(where);
  return { code, field: `run ${id}`, text: isNamed ? message : `${message} (${where})` };
};

const unreadable = (store: RunStore, details: readonly Problem[]): MsgError => {
  const isOne = details.length === 1;
  const which = isOne ? "one run" : `${details.length} runs`;
  return usageError(`${which} cannot be read; all others can`, {
    code: "RunNotReadable",
    where: store.folder,
    // Whatever cannot be read may have been sent.
    outcome: "unknown",
    todo: `do not send its rows again before you know what was sent: msg run reconcile ${isOne ? "" : "of each "}says how; msg never removes such a folder`,
    details,
  });
};
