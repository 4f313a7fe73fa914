/** What the files of a run say of it. */

import { t } from "../../locale/locale.ts";
import { restoreState, type State } from "../protocol/state.ts";
import { damagedRunError, isDamage } from "./damage.ts";
import { inspectJournal, replay } from "./journal.ts";
import { type RunFile, shapeOf } from "./run-file.ts";
import { fileOf, isBegun, type RunStore } from "./run-folder.ts";
import { addsUp, damagedSummary, type Summary, summarize } from "./summary.ts";

/** The state of a run as its journal tells it; undefined where it was not begun. Throws MsgError for damage. */
export const readState = (store: RunStore, run: RunFile): State | undefined =>
  isBegun(store, run.run) ? readJournalState(store, run).state : undefined;

/** The same of a run that was begun, with the number of records that say so. */
export const readJournalState = (
  store: RunStore,
  run: RunFile,
): { readonly state: State; readonly records: number } => {
  const where = fileOf(store, run.run, "journal.log");
  const entries = inspectJournal(store.files, where);
  const shape = shapeOf(run, { signed: true, goal: "finish" });
  const state = restoreState(replay(shape, entries));
  const [first] = entries;
  const isOwn = first?.t === "RUN" && first.run === run.run;
  if (isOwn && addsUp(run, state)) return { state, records: entries.length };
  const what = isOwn
    ? t`the journal has other rows than the plan`
    : t`the journal belongs to another run`;
  throw damagedRunError(run.run, { what, where, code: "JournalDamaged" });
};

/** What a run amounts to, whatever became of its journal. */
export const shownSummary = (store: RunStore, run: RunFile): Summary => {
  try {
    return summarize(run, readState(store, run));
  } catch (error) {
    if (isDamage(error)) return damagedSummary(run);
    throw error;
  }
};
