/** Runs as a list shows them, from their folders. */

import { fileError } from "../../durable/files.ts";
import { asMsgError, MsgError, type Problem, passOver, usageError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { formatFigure } from "../../message/price.ts";
import { minor, vital } from "../../output/columns.ts";
import type { Ports } from "../../ports.ts";
import { otherServiceError, runOwnerOf } from "../guards/own-run.ts";
import { recoveredFile } from "../store/recovered-file.ts";
import type { RunFile } from "../store/run-file.ts";
import { isBegun, isRun, listAllRunIds, type RunStore, readRun } from "../store/run-folder.ts";
import { lockHolder } from "../store/run-lock.ts";
import { damagedSummary, type Summary, shownSummary, summarize } from "../store/summary.ts";
import { readDelivered } from "../wait/wait-run.ts";

export type RunRecord = Summary & {
  readonly started: string;
  readonly source: string;
  /** When it goes out or went out; null for one that was sent at once. */
  readonly scheduledDate: string | null;
  readonly profile: string;
  /** Counts among the accepted ones, as the service said at `dateRead`; null if it was not asked. */
  readonly delivered: number | null;
  readonly failed: number | null;
  readonly pending: number | null;
  readonly dateRead: string | null;
};

interface ReadableRun {
  readonly run: RunFile;
  readonly row: RunRecord;
}

export const runColumns = [
  "run",
  minor("started"),
  "source",
  "total",
  minor("accepted"),
  minor("refused"),
  vital("unknown"),
  "delivered",
  vital("failed"),
  minor("pending"),
  minor("cost"),
  vital("state"),
] as const;

export const runFields = Object.keys({
  run: true,
  part: true,
  started: true,
  source: true,
  profile: true,
  scheduledDate: true,
  state: true,
  path: true,
  groups: true,
  total: true,
  accepted: true,
  refused: true,
  skipped: true,
  notSent: true,
  unknown: true,
  cost: true,
  elapsedMs: true,
  delivered: true,
  failed: true,
  pending: true,
  dateRead: true,
} satisfies Record<keyof RunRecord, true>);

export const runRecord = (store: RunStore, run: RunFile): RunRecord => {
  const isHeld = (): boolean => lockHolder(store, run.run) !== undefined;
  // Checked before the journal is read, too: an answered call of a process that ends meanwhile looks open.
  const wasHeld = isHeld();
  const row = listedAs(run, shownSummary(store, run));
  return wasHeld || isHeld() ? { ...row, state: "running" } : row;
};

const listedAs = (run: RunFile, summary: Summary): RunRecord => {
  const { started, source, profile, scheduledDate = null } = run;
  return { ...summary, started, source, scheduledDate, profile, ...unread };
};

const unread = { delivered: null, failed: null, pending: null, dateRead: null };

/** The delivery of at most this many runs is read: each takes a request for each group. */
const maxRead = 20;

/** Adds what arrived to the newest of them; if the service cannot be asked, all that follow stay without it. */
export const withDelivery = async (
  ctx: Ports,
  runs: readonly ReadableRun[],
): Promise<readonly RunRecord[]> => {
  const read: RunRecord[] = [];
  const { owns } = await runOwnerOf(ctx);
  let left = maxRead;
  for (const { run, row } of runs) {
    // This service is not asked about what was made at another one, such as a rehearsal.
    const isReadable = row.state !== "damaged" && owns(run) && !otherServiceError(ctx, run);
    const isAsked =
      isReadable && left > 0 && row.accepted + row.refused > 0 && row.groups.length > 0;
    const found = isAsked ? await readDelivered(ctx, row).catch(asMsgError) : undefined;
    if (isAsked) left -= 1;
    if (found instanceof MsgError) {
      passOver(found);
      read.push(row);
      // Groups of one run may be gone: that says nothing of other runs.
      if (found.kind !== "missing") left = 0;
      continue;
    }
    read.push(found ? { ...row, ...found, dateRead: ctx.clock.now().toISOString() } : row);
  }
  return read;
};

/**
 * A run whose run.json cannot be read, as its journal and its plan still show it. Undefined if they do
 * not, and for any other error.
 */
export const listDamagedRun = (store: RunStore, id: string, error: unknown) => {
  const isDamaged = error instanceof MsgError && error.code === "RunNotReadable";
  const run = isDamaged ? recoveredFile(store, id) : undefined;
  if (run === undefined) return undefined;
  // A run that was never begun was not sent, whatever its files say.
  const { notSent, unknown } = isBegun(store, id) ? damagedSummary(run) : summarize(run, undefined);
  const counts = { ...damagedSummary(run), notSent, unknown };
  const row: RunRecord = { ...listedAs(run, counts), state: "damaged" };
  return { run, row };
};

/**
 * All runs of this user, the oldest first: an unreadable run hides none of the others. `ending` names the
 * unreadable ones: they may hold what was sent, and msg never removes them.
 */
export const listReadableRuns = (store: RunStore) => {
  const runs: ReadableRun[] = [];
  const damaged: Problem[] = [];
  for (const id of listAllRunIds(store))
    try {
      if (!isRun(store, id)) continue;
      const run = readRun(store, id);
      runs.push({ run, row: runRecord(store, run) });
    } catch (error) {
      const row = listDamagedRun(store, id, error);
      if (row) runs.push(row);
      // Else another process has just removed it: it was purged, or only made for an estimate.
      else if (listAllRunIds(store).includes(id)) damaged.push(problemOf(store, id, error));
    }
  runs.sort((one, other) => one.run.started.localeCompare(other.run.started, "en"));
  return { runs, ending: damaged.length === 0 ? undefined : unreadableError(store, damaged) };
};

const problemOf = (store: RunStore, id: string, thrown: unknown): Problem => {
  const { code, reason, where } = fileError(thrown, t`read it`, `${store.folder}/${id}`);
  return { code, field: t`run ${id}`, text: where === undefined ? reason : `${reason} (${where})` };
};

const unreadableError = (store: RunStore, details: readonly Problem[]): MsgError => {
  const isOne = details.length === 1;
  const what = isOne
    ? t`1 run cannot be read; all others can`
    : t`${formatFigure(details.length)} runs cannot be read; all others can`;
  return usageError(what, {
    code: "RunNotReadable",
    where: store.folder,
    // An unreadable run may have been sent.
    outcome: "unknown",
    todo: t`do not send its rows again before you know what was sent; msg run reconcile <runId> says how; msg never removes such a folder`,
    details,
  });
};
