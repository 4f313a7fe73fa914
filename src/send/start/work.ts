/** Begins or resumes a run, and reports how it ended. */

import type { Client } from "../../client/client.ts";
import { removeQuietly } from "../../durable/atomic-write.ts";
import { isDiskFull, quietly } from "../../durable/files.ts";
import type { Busy, Lease } from "../../durable/lease.ts";
import { MsgError, type Problem, usageError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { maxReported } from "../../message/status.ts";
import type { Ports } from "../../ports.ts";
import { signingKeyTail } from "../../session/stored-credentials.ts";
import { claimNameOf, otherPartsCode, retriedCode } from "../claims/group-fields.ts";
import { createGroupFields } from "../claims/message-fields.ts";
import { isAllTaken, isSentByOthers } from "../claims/taken-rows.ts";
import type { Entry } from "../protocol/entries.ts";
import type { RunShape, State } from "../protocol/state.ts";
import type { RunResult } from "../report/ending.ts";
import { showProgress, showReconciling } from "../report/progress.ts";
import { type EngineOptions, type EngineResult, runEngine } from "../run/engine.ts";
import { engineEnvironment } from "../run/engine-environment.ts";
import { sandboxAheadMs, sendTimeError } from "../run/hours.ts";
import { confirmSigningTime } from "../run/signing-time.ts";
import type { Journal } from "../store/journal.ts";
import { readBody } from "../store/read-body.ts";
import { ownClaim, type RunFile } from "../store/run-file.ts";
import { fileOf, type RunStore, storeOf } from "../store/run-folder.ts";
import { leasedJournal, takenOverError, withRunLock } from "../store/run-lock.ts";
import { removeRun } from "../store/run-removal.ts";
import { readState, summarize } from "../store/summary.ts";
import { type Beginning, openRun, resumedStopError, sentElsewhereError } from "./begin.ts";
import { hasOwnName } from "./once.ts";
import { catchUp } from "./repair.ts";

export interface WorkOptions extends Beginning {
  readonly reconcileMs: number;
  readonly rate?: number | undefined;
  readonly goal: RunShape["goal"];
  /** Stop (exit 7) instead of waiting if another run is sending the same rows. */
  readonly noWait?: boolean;
  /** Written to the journal before the run continues. */
  readonly first?: readonly Entry[];
  /** Records of the journal when `first` was decided; refused if there are more now. */
  readonly since?: number;
  /** Throws if this caller may not work on the run; `state` is undefined before it is begun. */
  readonly check?: ((state: State | undefined) => void | Promise<void>) | undefined;
  /** Called while another process works on the run; refused when left out. */
  readonly onWorking?: ((busy: Busy) => void) | undefined;
  /** Called with the answer of a call that sent one message. */
  readonly onReply?: (reply: unknown) => void;
}

/** Works on a run until it ends; begins it if it was not begun. */
export const workOnRun = (ctx: Ports, run: RunFile, options: WorkOptions): Promise<RunResult> => {
  const store = storeOf(ctx);
  const work = (lease: Lease) => workAlone({ ctx, store, run, options, lease });
  return withRunLock(store, run.run, work, options.onWorking).catch((error: unknown) => {
    throw notWrittenError(error, store, run);
  });
};

/** A run that this process alone works on. */
interface Work {
  readonly ctx: Ports;
  readonly store: RunStore;
  readonly run: RunFile;
  readonly options: WorkOptions;
  readonly lease: Lease;
}

const workAlone = async (work: Work): Promise<RunResult> => {
  const { ctx, store, run, options, lease } = work;
  if (options.check) await options.check(readState(store, run));
  if (options.goal === "finish" && !options.isNew) await catchUp(ctx, run);
  const journal = leasedJournal(await journalOf(work), lease);
  const problems: Problem[] = [];
  const started = ctx.clock.ticks();
  const progress = isSending(options) ? showProgress(ctx, run) : showReconciling(ctx);
  try {
    const engine = await engineOf(work);
    if (isSending(options) && run.path !== "G" && engine.key !== undefined)
      await confirmSigningTime(ctx, engine.client).catch((error: unknown) => {
        throw resumedStopError(error, run, summarize(run, readState(store, run)));
      });
    const worked = await runEngine({
      ...engine,
      journal,
      onState: progress.show,
      onRefused: (problem) => {
        if (problems.length < maxReported) problems.push(problem);
      },
    });
    await progress.end();
    if (journal.isLost()) throw takenOverError(run);
    const elapsedMs = worked.state.ended ? worked.state.elapsedMs : ctx.clock.ticks() - started;
    const summary = summarize(run, worked.state, elapsedMs);
    if (options.isNew && summary.groups.length === 0) assertSendable(store, run, worked);
    assertNotTaken(work, worked);
    return { ...worked, summary, problems };
  } finally {
    journal.close();
  }
};

const isSending = (options: WorkOptions): boolean =>
  options.goal === "finish" && !isCancelling(options);

const isCancelling = ({ first }: WorkOptions): boolean =>
  first?.some(({ t }) => t === "CANCEL") ?? false;

/** Errors of a run that can never be sent: others have its key, cut its rows otherwise, or send them by a retry. */
const unsendable: ReadonlySet<string | undefined> = new Set([
  "OtherContent",
  otherPartsCode,
  retriedCode,
]);

/** Throws the error of a run that can never be sent, and does not keep the run. */
const assertSendable = (store: RunStore, { run }: RunFile, { error }: EngineResult): void => {
  if (!unsendable.has(error?.code)) return;
  removeRun(store, run);
  throw error;
};

/** Throws MsgError (stopped) if a send finds that other runs have sent all rows; a new run is then not kept. */
const assertNotTaken = ({ store, run, options }: Work, worked: EngineResult): void => {
  const { taken } = worked.state;
  // With a key, or for a resumed run, that is what was asked for.
  if (hasOwnName(run) || options.goal === "reconcile") return;
  if (!isSentByOthers(worked) || !isAllTaken(run, taken)) return;
  if (options.isNew) removeRun(store, run.run);
  throw sentElsewhereError(run, taken);
};

const journalOf = async ({ ctx, store, run, options, lease }: Work): Promise<Journal> => {
  const { first = [], since } = options;
  // Throws for a damaged run: it is neither begun nor resumed.
  const state = readState(store, run);
  lease.assertOwned();
  const again = options.again || options.goal === "reconcile";
  const opened = await openRun(ctx, run, state !== undefined, { ...options, again });
  if (opened.entries.length !== (since ?? opened.entries.length)) {
    opened.close();
    throw runChangedError(run);
  }
  if (first.length > 0) opened.append(first);
  return { ...opened, entries: [...opened.entries, ...first] };
};

/** The usual advice for a folder that cannot be written is to use another: that would not know what was sent. */
const notWrittenError = (error: unknown, store: RunStore, run: RunFile): unknown => {
  if (!(error instanceof MsgError) || error.code !== "FileProblem") return error;
  // The journal's counts are known to be wrong.
  if (error.outcome === "unknown") return error;
  const summary = quietly(() => summarize(run, readState(store, run)));
  if (!summary || summary.accepted + summary.unknown === 0) return error;
  if (isDiskFull(error.cause)) return resumedStopError(error, run, summary);
  const { message, code, where } = error;
  const todo = t`make the folder of the run writable: only it knows what was sent`;
  return resumedStopError(usageError(message, { code, where, todo, cause: error }), run, summary);
};

/** What another process has reconciled must not be reconciled again, the other way round. */
const runChangedError = ({ run }: RunFile): MsgError =>
  new MsgError("stopped", t`another msg has worked on the run in the meantime`, {
    code: "RunChanged",
    where: t`run ${run}`,
    todo: t`nothing was changed; check again: msg run reconcile ${run}`,
  });

const engineOf = async (work: Work) => {
  const { ctx, store, run, options, lease } = work;
  const client = await ctx.session.client();
  return {
    ...engineEnvironment(ctx, client, signingKeyTail(ctx)),
    run,
    body: (chunk: number) => readBody(store, run, chunk),
    makeRoom: () => {
      if (lease.isOwned()) removeQuietly(store.files, fileOf(store, run.run, "reserve"));
    },
    assertOwned: lease.assertOwned,
    goal: options.goal,
    claim: claimOf(work, client),
    reconcileMs: options.reconcileMs,
    rate: options.rate,
    mayStart: async () => (options.goal === "reconcile" ? undefined : sendTimeError(ctx, run)),
    aheadMs:
      run.scheduledDate === undefined && run.claim === undefined
        ? undefined
        : await sandboxAheadMs(ctx),
    onReply: (reply: unknown) => options.onReply?.(reply),
    onLostRecord: (line: string) => void ctx.io.err.write(`${line}\n`),
  };
};

/** With --again the rows are sent whatever other runs have sent of them. */
const claimOf = ({ ctx, run, options }: Work, client: Client): EngineOptions["claim"] => {
  const name = claimNameOf(run);
  if (!name) return undefined;
  const { content } = run;
  const { again, noWait } = options;
  const isAgain = again && !isCancelling(options) && content !== undefined && !hasOwnName(run);
  return {
    ...name,
    ...(isAgain && { id: ownClaim(run.run, content), retriedRuns: undefined }),
    fields: createGroupFields(ctx, client, !isSending(options)),
    mayWait: noWait !== true,
    note: (line) => void ctx.note(line),
  };
};
