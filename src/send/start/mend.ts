/** Mends the files of a run that are damaged, from each other and from the service. Sends nothing. */

import { MsgError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { formatFigure } from "../../message/price.ts";
import type { Ports } from "../../ports.ts";
import { keepDamaged, rebuild } from "../reconcile/rebuild/rebuild.ts";
import { recoveredFile } from "../reconcile/rebuild/recovered-file.ts";
import { stoppedUnknownError } from "../report/ending.ts";
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
      t`it would be rebuilt from the service: groups that were not sent are deleted there`,
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
    todo: t`it cannot be rebuilt: neither the journal nor the plan holds what run.json said; restore the folder from a copy, or send the rest as a new run: msg group list --all --json shows the groups with msg.run ${id} in their customFields, msg message list --group-id <id> --all what they sent`,
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
  await ctx.note(
    kept === undefined
      ? t`run.json was rewritten from the journal and the plan`
      : t`run.json was rewritten from the journal and the plan; the damaged one is kept as ${kept}`,
  );
};

const rebuildJournal = async (ctx: Ports, store: RunStore, run: RunFile): Promise<void> => {
  const kept = await rebuild(ctx, store, run).catch((error: unknown) => {
    throw stillDamaged(error, run);
  });
  const counts = summarize(run, readState(store, run));
  const accepted = formatFigure(counts.accepted);
  const refused = formatFigure(counts.refused);
  const notSent = formatFigure(counts.notSent);
  await ctx.note(
    kept === undefined
      ? t`the journal was rebuilt from the service: ${accepted} accepted, ${refused} refused, ${notSent} not sent`
      : t`the journal was rebuilt from the service: ${accepted} accepted, ${refused} refused, ${notSent} not sent; the damaged one is kept as ${kept}`,
  );
};

/** That the service could not be asked says nothing of what was sent. */
const stillDamaged = (error: unknown, { run }: RunFile): unknown =>
  error instanceof MsgError && error.outcome !== "unknown"
    ? stoppedUnknownError(error, {
        what: t`the journal of run ${run} is damaged, and could not be rebuilt`,
        where: error.where,
        todo: t`nothing was sent now; try again: msg run reconcile ${run}`,
      })
    : error;
