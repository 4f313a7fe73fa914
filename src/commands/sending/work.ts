/** Begins a planned run, goes on with one, and tells how it ended. */
import { endingOf } from "../../bulk/ending.ts";
import { type EngineOptions, type Worked, work } from "../../bulk/engine.ts";
import {
  createJournal,
  type Journal,
  lookAtJournal,
  openJournal,
  replay,
} from "../../bulk/journal.ts";
import { planBodies } from "../../bulk/plan-file.ts";
import type { Entry } from "../../bulk/protocol/entries.ts";
import { revive, type Shape, type State } from "../../bulk/protocol/state.ts";
import { type PlannedChunk, type RunFile, shapeOf } from "../../bulk/run-file.ts";
import {
  alone,
  fileOf,
  isBegun,
  type RunStore,
  removeRun,
  whileNoneBegins,
} from "../../bulk/run-folder.ts";
import { sameRuns, sentAfter } from "../../bulk/same-rows.ts";
import { type Summary, summaryOf } from "../../bulk/summary.ts";
import { newSalt } from "../../client/sign.ts";
import type { Context } from "../../context.ts";
import type { Busy, Lease } from "../../durable/lease.ts";
import { removeQuietly } from "../../durable/whole.ts";
import { MsgError, type Problem, usage } from "../../errors.ts";
import { mostTold } from "../../message/refused.ts";
import type { Result } from "../command.ts";
import { keyOf } from "./account.ts";
import { fenced, takenOver } from "./fenced.ts";
import { aheadOf, hourProblem } from "./hours.ts";
import { summaryColumns } from "./message.ts";
import { pacing } from "./pacing.ts";
import { showLooking, showProgress } from "./progress.ts";
import { stoppedAgain } from "./stopped-again.ts";

export interface WorkOptions {
  readonly settleMs: number;
  readonly rate: number | undefined;
  /** Send although the same rows were sent a short while ago. */
  readonly again: boolean;
  /** The run was made by this command: where its rows turn out to be in another one, it is not kept. */
  readonly isNew?: boolean;
  readonly goal: Shape["goal"];
  /** Written down before the run goes on. */
  readonly first?: readonly Entry[];
  /** Records of the journal by which that was decided: with one more it may not be so any longer. */
  readonly since?: number;
  /** Throws where the run is nothing that this caller may go on with; undefined before it is begun. */
  readonly check?: (state: State | undefined) => void;
  /** Decides where another process works on the run; refused when left out. */
  readonly onWorking?: (busy: Busy) => void;
  /** Told of the answer of a call that sent one message. */
  readonly onReply?: (reply: unknown) => void;
}

export interface Finished extends Worked {
  readonly summary: Summary;
  readonly problems: readonly Problem[];
}

/** Works on a run until it ends; begins it where that has not been done. */
export const workOn = (
  ctx: Context,
  store: RunStore,
  run: RunFile,
  options: WorkOptions,
): Promise<Finished> =>
  alone(
    store,
    run.run,
    (lease) => workAlone(ctx, store, run, options, lease),
    options.onWorking,
  ).catch((error: unknown) => {
    throw notWritten(error, store, run);
  });

const workAlone = async (
  ctx: Context,
  store: RunStore,
  run: RunFile,
  options: WorkOptions,
  lease: Lease,
): Promise<Finished> => {
  const first = options.first ?? [];
  const opened = await journalOf(ctx, store, run, options, first, lease);
  const journal = fenced(opened, lease);
  const problems: Problem[] = [];
  const started = ctx.ticks();
  const isSending = options.goal === "finish" && !first.some((it) => it.t === "CANCEL");
  const progress = isSending ? showProgress(ctx, run) : showLooking(ctx);
  try {
    const worked = await work({
      ...(await engineOf(ctx, store, run, options, lease)),
      journal,
      onState: progress.show,
      onRefused: (problem) => {
        if (problems.length < mostTold) problems.push(problem);
      },
    });
    await progress.end();
    if (journal.isLost()) throw takenOver(run);
    const elapsedMs = worked.state.ended ? worked.state.elapsedMs : ctx.ticks() - started;
    const summary = summaryOf(run, worked.state, elapsedMs);
    return { ...worked, summary, problems };
  } finally {
    journal.close();
  }
};

const journalOf = async (
  ctx: Context,
  store: RunStore,
  run: RunFile,
  options: WorkOptions,
  first: readonly Entry[],
  lease: Lease,
): Promise<Journal> => {
  options.check?.(stateOf(store, run));
  lease.assertOwned();
  const opened = isBegun(store, run.run)
    ? goOn(ctx, store, run, options)
    : await begin(ctx, store, run, options);
  if (opened.entries.length !== (options.since ?? opened.entries.length)) {
    opened.close();
    throw changed(run);
  }
  if (first.length > 0) opened.append(first);
  return { ...opened, entries: [...opened.entries, ...first] };
};

/**
 * What keeps the folder of a run from being written says nothing of what was sent before; and another
 * folder, which the usual advice names, knows nothing of it.
 */
const notWritten = (error: unknown, store: RunStore, run: RunFile): unknown => {
  if (!(error instanceof MsgError) || error.code !== "FileProblem") return error;
  const summary = quietly(() => summaryOf(run, stateOf(store, run)));
  if (!summary || summary.accepted + summary.unknown === 0) return error;
  const { message, code, where } = error;
  const todo = "make its folder one that can be written: no other knows what was sent";
  return stoppedAgain(usage(message, { code, where, todo, cause: error }), run, summary);
};

/** Undefined where the journal cannot be read either. */
const quietly = <T>(look: () => T): T | undefined => {
  try {
    return look();
  } catch {
    return undefined;
  }
};

/** What was settled by another process must not be settled once more, the other way round. */
const changed = ({ run }: RunFile): MsgError =>
  new MsgError("stopped", "another msg has worked on the run meanwhile", {
    code: "RunChanged",
    where: `run ${run}`,
    todo: `nothing was settled; msg run reconcile ${run} looks again`,
  });

const goOn = (ctx: Context, store: RunStore, run: RunFile, { again }: WorkOptions): Journal => {
  if (!again) refuseSentSince(ctx, store, run);
  return openJournal(store.files, fileOf(store, run.run, "journal.log"));
};

/** Marks a run as begun, unless the same rows are being sent or were: what was cancelled was not. */
const begin = (
  ctx: Context,
  store: RunStore,
  run: RunFile,
  { again, isNew }: WorkOptions,
): Promise<Journal> =>
  whileNoneBegins(store, () => {
    if (!again) refuseSame(ctx, store, run, isNew);
    return createJournal(store.files, fileOf(store, run.run, "journal.log"), run.run);
  });

const refuseSame = (ctx: Context, store: RunStore, run: RunFile, isNew = false): void => {
  const same = sentIn(store, sameRuns(store, run, ctx.now()));
  if (!same) return;
  // One that was kept before may be gone on with all the same (--again).
  if (isNew) removeRun(store, run.run);
  throw sentBefore(same);
};

/** Nobody is asked for what is refused after the answer; that it is refused then, too, is what counts. */
export const refuseBeforeAsking = (
  ctx: Context,
  store: RunStore,
  run: RunFile,
  { again, isNew }: Pick<WorkOptions, "again" | "isNew">,
): void => {
  if (!ctx.ask || again) return;
  if (isBegun(store, run.run)) refuseSentSince(ctx, store, run);
  else refuseSame(ctx, store, run, isNew);
};

type SentIn = Summary & { readonly started: string };

/** The first of them that sent rows, or may still. */
const sentIn = (store: RunStore, others: readonly RunFile[]): SentIn | undefined =>
  others
    .map((it) => ({ ...summaryOf(it, stateOf(store, it)), started: it.started }))
    .find((it) => it.state !== "cancelled" || it.accepted > 0);

/** While a run stood still another may have sent its rows: to go on with it sends them twice. */
const refuseSentSince = (ctx: Context, store: RunStore, run: RunFile): void => {
  const state = stateOf(store, run);
  if (state?.ended || state?.cancel) return;
  const same = sentIn(store, sentAfter(store, run, ctx.now()));
  if (same) throw sentBefore(same);
};

const sentBefore = ({ run, state, started }: SentIn): MsgError => {
  const isOver = ["done", "cancelled", "scheduled", "unscheduled"].includes(state);
  const goOn = isOver ? "" : `, --resume ${run} goes on with it`;
  return new MsgError("stopped", `the same rows are in run ${run}, begun ${started}`, {
    code: "SentBefore",
    where: `run ${run}`,
    todo: `nothing was sent now; msg run show ${run} shows what became of it${goOn}; --again sends them once more`,
  });
};

const engineOf = async (
  ctx: Context,
  store: RunStore,
  run: RunFile,
  options: WorkOptions,
  lease: Lease,
): Promise<Omit<EngineOptions, "journal" | "onState" | "onRefused">> => {
  const { now, ticks, random, wait, signal } = ctx;
  const key = keyOf(ctx);
  const client = await ctx.client();
  const bodies = planBodies(store.files, fileOf(store, run.run, "plan.jsonl"), run.chunks);
  return {
    ...{ run, now, ticks, random, wait, signal },
    body: (chunk) => bodies.read(plannedAt(run, chunk)),
    release: bodies.release,
    makeRoom: () => {
      if (lease.isOwned()) removeQuietly(store.files, fileOf(store, run.run, "reserve"));
    },
    assertOwned: lease.assertOwned,
    client,
    key,
    goal: options.goal,
    settleMs: options.settleMs,
    rate: options.rate,
    fresh: () => ({ date: client.clock.signingDate(), salt: newSalt(random), key }),
    mayStart: async () => (options.goal === "settle" ? undefined : hourProblem(ctx, run)),
    aheadMs: run.scheduledDate === undefined ? undefined : await aheadOf(ctx),
    onReply: (reply) => options.onReply?.(reply),
    ...pacing(ctx),
    onLostRecord: (line) => void ctx.err.write(`${line}\n`),
  };
};

const plannedAt = (run: RunFile, chunk: number): PlannedChunk => {
  const planned = run.chunks[chunk];
  if (planned) return planned;
  throw new MsgError("fault", `the run has no chunk ${chunk}`);
};

/** The state of a run as its journal tells it; undefined where it was not begun. */
export const stateOf = (store: RunStore, run: RunFile): State | undefined =>
  isBegun(store, run.run) ? toldBy(store, run).state : undefined;

/** The same of a run that was begun, with the number of records that say so. */
export const toldBy = (
  store: RunStore,
  run: RunFile,
): { readonly state: State; readonly records: number } => {
  const entries = lookAtJournal(store.files, fileOf(store, run.run, "journal.log"));
  const shape = shapeOf(run, { signed: true, goal: "finish" });
  return { state: revive(replay(shape, entries)), records: entries.length };
};

/** The summary as a result, with the error that gives the exit code. */
export const resultOf = (run: RunFile, finished: Finished): Result => ({
  record: finished.summary,
  columns: summaryColumns,
  ending: endingOf(run, finished, finished.summary, finished.problems),
});
