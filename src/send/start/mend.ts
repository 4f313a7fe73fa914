/** Mends the files of a run that are damaged, from each other and from the service. Sends nothing. */

import { MsgError } from "../../errors.ts";
import type { Ports } from "../../ports.ts";
import { keepDamaged, rebuild } from "../reconcile/rebuild/rebuild.ts";
import { recoveredFile } from "../reconcile/rebuild/recovered-file.ts";
import { isDamage } from "../store/damage.ts";
import type { RunFile } from "../store/run-file.ts";
import {
  findRunId,
  type RunStore,
  readRun,
  withRunLock,
  writeRunFile,
} from "../store/run-folder.ts";
import { readState } from "../store/run-state.ts";
import { summarize } from "../store/summary.ts";
import { refuseOthers } from "./own-run.ts";

export interface Mended {
  readonly run: RunFile;
  /** A rehearsal leaves it damaged. */
  readonly isDamaged: boolean;
}

/** The run that is named, whole again. Throws MsgError for what cannot be mended now, or at all. */
export const mended = async (ctx: Ports, store: RunStore, named: string): Promise<Mended> => {
  const id = findRunId(store, named, ctx.settings.profile.value);
  const file = fileOfRun(store, id);
  const { run } = file;
  await refuseOthers(ctx, run);
  const isDamaged = file.isRecovered || isJournalDamaged(store, run);
  if (!isDamaged) return { run, isDamaged };
  if (ctx.consent.dryRun) {
    await ctx.note(
      "it would be rebuilt from the service: what was not sent of it is deleted there",
    );
    return { run, isDamaged };
  }
  await withRunLock(store, id, async () => {
    if (file.isRecovered) await writeAgain(ctx, store, run);
    // Another process may have rebuilt it meanwhile.
    if (isJournalDamaged(store, run)) await rebuildJournal(ctx, store, run);
  });
  return { run, isDamaged: false };
};

const fileOfRun = (store: RunStore, id: string): { run: RunFile; isRecovered: boolean } => {
  try {
    return { run: readRun(store, id), isRecovered: false };
  } catch (error) {
    if (!(error instanceof MsgError) || error.code !== "RunNotReadable") throw error;
    const run = recoveredFile(store, id);
    if (run) return { run, isRecovered: true };
    throw isDamage(error) ? beyondRepair(error, id) : error;
  }
};

/** Neither what it was made with nor its rows are known: only a person can tell who still waits for a message. */
const beyondRepair = ({ message, where, cause }: MsgError, id: string): MsgError =>
  new MsgError("unknown", message, {
    code: "CannotRebuild",
    where,
    todo: `neither its journal nor its plan tells what run.json said, so it cannot be rebuilt; msg group list --all --json shows the groups whose customFields have msg.run ${id}, msg message list --group-id <id> --all what they sent; put the folder back from a copy, or send the rest as a new run`,
    outcome: "unknown",
    cause,
  });

const isJournalDamaged = (store: RunStore, run: RunFile): boolean => {
  try {
    readState(store, run);
    return false;
  } catch (error) {
    if (isDamage(error)) return true;
    throw error;
  }
};

const writeAgain = async (ctx: Ports, store: RunStore, run: RunFile): Promise<void> => {
  const kept = keepDamaged(store, run.run, "run.json");
  writeRunFile(store, run);
  await ctx.note(`run.json is written again from the journal and the plan${keptAs(kept)}`);
};

const rebuildJournal = async (ctx: Ports, store: RunStore, run: RunFile): Promise<void> => {
  const kept = await rebuild(ctx, store, run);
  const { accepted, refused, notSent } = summarize(run, readState(store, run));
  await ctx.note(
    `the journal is rebuilt from the service: ${accepted} accepted, ${refused} refused, ${notSent} not sent${keptAs(kept)}`,
  );
};

const keptAs = (kept: string | undefined): string =>
  kept === undefined ? "" : `; the damaged one is kept as ${kept}`;
