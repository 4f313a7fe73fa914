/** Drives the protocol: writes intents, performs actions, writes their outcomes. */
import { quietly } from "../../durable/files.ts";
import { asMsgError, type MsgError } from "../../errors.ts";
import { type ClaimSettings, createClaim, takenOverRuns } from "../claims/claim.ts";
import {
  type Action,
  type Clock,
  type Ending,
  isConcurrent,
  type Outcome,
  type Step,
} from "../protocol/actions.ts";
import { apply } from "../protocol/apply.ts";
import { type Entry, type Facts, isEntry } from "../protocol/entries.ts";
import { conclude, decide } from "../protocol/machine.ts";
import { type RunShape, restoreState, type State } from "../protocol/state.ts";
import { type Journal, replay } from "../store/journal.ts";
import { shapeOf } from "../store/run-file.ts";
import { serviceTimes, startClock } from "./clocks.ts";
import type { EngineEnvironment } from "./engine-environment.ts";
import { createPace, type Pace, type PaceOptions } from "./pace.ts";
import { performAction, type RequestOptions } from "./requests.ts";

export interface EngineOptions
  extends EngineEnvironment,
    PaceOptions,
    Omit<RequestOptions, "claim" | "time" | "earliest" | "onError"> {
  /** Throws MsgError if another process has taken the run over. */
  readonly assertOwned?: () => void;
  /** Frees space on a full disk, for a result that has to be kept. */
  readonly makeRoom: () => void;
  readonly journal: Journal;
  /** This process itself wrote all that the journal holds. */
  readonly isOwn?: boolean;
  readonly goal: RunShape["goal"];
  readonly reconcileMs: number;
  /** What this run's rows are among those of others; undefined if no one else sends them. */
  readonly claim?: ClaimSettings | undefined;
  /** How far ahead of this machine a service is whose answers do not show its time: a sandbox. */
  readonly aheadMs?: number | undefined;
  readonly onState: (state: State) => void;
  /** Shows a record that did not fit on the disk, so that it is not lost. */
  readonly onLostRecord: (line: string) => void;
}

type Act = Extract<Step, { type: "act" }>;

export interface EngineResult {
  readonly state: State;
  readonly ending: Ending | { readonly type: "interrupted" };
  readonly error: MsgError | undefined;
}

interface Work {
  readonly options: EngineOptions;
  readonly requests: RequestOptions;
  readonly clock: Clock;
  readonly pace: Pace;
  readonly inFlight: Set<Promise<void>>;
  /** Ticks at which this process took the run up. */
  readonly started: number;
  state: State;
  /** Results to write to the disk before anything is asked for or waited for again. */
  results: Entry[];
  error?: MsgError | undefined;
  /** Why the service refused to send a group: a read that confirms it may fail for other reasons. */
  refusal?: MsgError | undefined;
  diskFull?: MsgError;
  /** How many of the results did not fit, and were shown. */
  lost: number;
}

/** Works until nothing is left to do, or nothing can be done. */
export const runEngine = async (options: EngineOptions): Promise<EngineResult> => {
  const { run, journal, isOwn, key, goal } = options;
  const signed = key !== undefined;
  const replayed = replay(shapeOf(run, { signed, goal }), journal.entries);
  const clock = startClock({ ...options, service: options.client.clock });
  const work: Work = {
    options,
    clock,
    pace: createPace(options),
    requests: requestsOf(options, (error) => {
      work.error = error;
    }),
    inFlight: new Set(),
    started: options.ticks(),
    state: isOwn ? replayed : restoreState(replayed),
    results: [],
    lost: 0,
  };
  try {
    const ending = await loop(work);
    return { state: work.state, ending, error: work.error };
  } finally {
    await Promise.allSettled(work.inFlight);
    flush(work);
  }
};

const requestsOf = (options: EngineOptions, onError: (error: MsgError) => void): RequestOptions => {
  const { latest: time, earliest } = serviceTimes({ ...options, service: options.client.clock });
  const claim = options.claim && createClaim({ ...options, ...options.claim, time });
  return { ...options, time, earliest, claim, onError };
};

const loop = async (work: Work): Promise<EngineResult["ending"]> => {
  for (;;) {
    await yieldToEventLoop();
    // Nothing is waited for from here to the next intent.
    if (work.options.signal.aborted) {
      await Promise.all(work.inFlight);
      // What was under way may have been the last of it.
      close(work, decide(work.state, work.clock));
      return { type: "interrupted" };
    }
    const step = decide(work.state, work.clock);
    if (step.type === "act") {
      if (!(await startNext(work, step))) return stopForDisk(work);
      continue;
    }
    close(work, step);
    if (step.type === "end") return step.ending;
    await Promise.race(work.inFlight);
  }
};

/**
 * Lets signals arrive: a sandbox in this process answers without the event loop once polling for input. It
 * polls between two of these turns.
 */
const yieldToEventLoop = async (): Promise<void> => {
  for (let turn = 0; turn < 2; turn += 1) await new Promise<void>((done) => setImmediate(done));
};

/** Begins nothing that cannot be written down, and waits for what is under way. */
const stopForDisk = async (work: Work): Promise<Ending> => {
  await Promise.all(work.inFlight);
  flush(work);
  work.error = work.diskFull;
  return { type: "stopped" };
};

/** False if the disk does not take what has to be on it before the actions. */
const startNext = async (work: Work, step: Act): Promise<boolean> => {
  const delayMs = work.pace.before(step.action);
  // What is next is decided again after the pause, so no signature grows old in it.
  if (delayMs > 0) {
    flush(work);
    await work.options.wait(delayMs, work.options.signal).catch(() => undefined);
    return true;
  }
  const steps = batchReady(work, step);
  const intents = steps.flatMap(({ before }) => before);
  if (!writeIntents(work, intents)) return false;
  for (const { action } of steps) {
    const done = runAction(work, action);
    if (isConcurrent(action)) trackInFlight(work, done);
    else await done;
  }
  return true;
};

/** What may start in the same batch: one sync puts all intents on the disk before any of them starts. */
const batchReady = ({ state, clock, pace }: Work, first: Act): readonly Act[] => {
  const steps = [first];
  pace.begins(first.action);
  let intended = first.before.reduce(apply, state);
  while (isConcurrent(first.action)) {
    const next = decide(intended, clock);
    if (next.type !== "act" || !isConcurrent(next.action) || pace.before(next.action) > 0) break;
    steps.push(next);
    pace.begins(next.action);
    intended = next.before.reduce(apply, intended);
  }
  return steps;
};

const trackInFlight = (work: Work, done: Promise<void>): void => {
  // A failed one stays: the next wait throws its error, and there may be no wait now.
  const completed = done.then(() => void work.inFlight.delete(completed));
  completed.catch(() => undefined);
  work.inFlight.add(completed);
};

/** Writes results, and the end if this is one. A run that only looked is not at its end because of that. */
const close = (work: Work, step: Step): void => {
  const isEnd = step.type === "end" && ["done", "cancelled"].includes(step.ending.type);
  const isOver = work.options.goal === "finish" || work.state.cancel;
  // A missing record has to be found out again: such a run is not at its end.
  if (isEnd && isOver && work.lost === 0 && !work.state.ended) {
    const elapsedMs = Math.round(work.options.ticks() - work.started);
    addResults(work, [{ t: "END", elapsedMs }]);
  }
  flush(work);
};

const runAction = async (work: Work, action: Action): Promise<void> => {
  const outcome = work.pace.ended(action, await performAction(action, work.requests));
  const facts = conclude(work.state, withCurrentExpiry(work, action), outcome);
  if (facts.some((it) => it.t === "replayWindow" && !it.holds)) work.options.onReplayUnsafe();
  if (action.type === "send" && hasCopies(facts, outcome)) work.options.onCopies(action.id);
  if (action.type === "listRivals") work.requests.claim?.takeOver(takenOverRuns(work.state, facts));
  if (facts.some((it) => it.t === "sendRefused")) work.refusal = work.error;
  if (facts.some((it) => it.t === "SEND_REFUSED")) work.error = work.refusal ?? work.error;
  addResults(work, facts);
};

/** Copies of an add, or what someone else added, go out with a group that was verified before. */
const hasCopies = (facts: Facts, outcome: Outcome): boolean =>
  "counts" in outcome &&
  facts.some((it) => it.t === "SENT" && it.accepted < outcome.counts.accepted);

/**
 * The time before a look may have come from a proxy in the service's place, with a clock of its own: the
 * answers that say "not there" must prove, too, that no copy can arrive any longer.
 */
const withCurrentExpiry = ({ clock }: Work, action: Action): Action =>
  action.type === "findEvidence" && action.final
    ? { ...action, final: clock.expired(action.signature) }
    : action;

/**
 * Writes results together with the intent that follows: one sync, not two. The reserved room is for
 * results: once it is used, nothing is begun that needs a record.
 */
const writeIntents = (work: Work, facts: Facts): boolean => {
  const entries = facts.filter(isEntry).map((entry) => withDate(work, entry));
  if (entries.length === 0 || work.diskFull) flush(work);
  if (entries.length > 0 && work.diskFull) return false;
  try {
    work.options.assertOwned?.();
    if (entries.length > 0) appendResults(work, entries);
  } catch (error) {
    work.diskFull = asMsgError(error);
    // Without the intent they may still fit.
    flush(work);
    return false;
  }
  applyFacts(work, facts);
  return true;
};

/** The time of a send shows which of two runs with the same rows was the later one. */
const withDate = ({ options }: Work, entry: Entry): Entry =>
  entry.t === "SEND_INTENT" ? { ...entry, date: options.fresh().date } : entry;

/** A result counts at once; it is written before anything else is asked for. */
const addResults = (work: Work, facts: Facts): void => {
  work.results.push(...facts.filter(isEntry));
  applyFacts(work, facts);
};

const flush = (work: Work): void => {
  if (work.results.length === 0) return;
  try {
    appendResults(work);
  } catch (error) {
    work.diskFull = asMsgError(error);
    salvageResults(work);
  }
};

const appendResults = (work: Work, intents: readonly Entry[] = []): void => {
  work.options.journal.append([...work.results, ...intents]);
  work.results = [];
  work.lost = 0;
};

const applyFacts = (work: Work, facts: Facts): void => {
  work.state = facts.reduce(apply, work.state);
  work.options.onState(work.state);
};

/** Makes room for results that do not fit, and shows them in any case. None is written before an earlier one. */
const salvageResults = (work: Work): void => {
  const { makeRoom, run, onLostRecord } = work.options;
  makeRoom();
  const entries = work.results.slice(work.lost);
  if (entries.length > 0) onLostRecord(JSON.stringify({ run: run.run, entries }));
  work.lost = work.results.length;
  quietly(() => appendResults(work));
};
