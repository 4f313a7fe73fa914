/** Drives the protocol: writes intents, performs actions, writes what came of them (sending.md 3). */
import type { Client } from "../client/client.ts";
import { MsgError, type Problem } from "../errors.ts";
import { createAges } from "./clocks.ts";
import type { Journal } from "./journal.ts";
import { replay } from "./journal.ts";
import type { Action, Ending, Entry, Facts, Outcome, Signature, Step } from "./protocol/entries.ts";
import { conclude, decide, isEntry } from "./protocol/machine.ts";
import { apply, revive, type Shape, type State } from "./protocol/state.ts";
import { perform, type RequestOptions } from "./requests.ts";
import { type RunFile, shapeOf } from "./run-file.ts";

export interface EngineOptions {
  readonly run: RunFile;
  /** The bytes of a chunk's body, always the same. */
  readonly body: (chunk: number) => Uint8Array;
  /** Frees space on a full disk, for a result that has to be kept. */
  readonly makeRoom: () => void;
  readonly journal: Journal;
  readonly client: Client;
  readonly signed: boolean;
  readonly goal: Shape["goal"];
  readonly settleMs: number;
  /** Rows a second at most. */
  readonly rate: number | undefined;
  readonly fresh: () => Signature;
  readonly now: () => Date;
  readonly ticks: () => number;
  readonly random: (bytes: number) => Uint8Array;
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** The operator asks to stop: what is under way is finished. */
  readonly signal: AbortSignal;
  readonly mayStart: RequestOptions["mayStart"];
  readonly onState: (state: State) => void;
  readonly onRefused: (problem: Problem) => void;
  readonly onReply: (reply: unknown) => void;
  /** A record that could not be kept: shown, so that it is not lost. */
  readonly onLostRecord: (line: string) => void;
}

export interface Worked {
  readonly state: State;
  readonly ending: Ending | { readonly is: "interrupted" };
  /** The error behind the ending, where there is one. */
  readonly error: MsgError | undefined;
}

/** How long a request that is under way may still take when the operator stops. */
const graceMs = 10_000;

interface Work {
  readonly options: EngineOptions;
  readonly requests: RequestOptions;
  readonly world: ReturnType<typeof createAges>;
  readonly flying: Set<Promise<void>>;
  state: State;
  error: MsgError | undefined;
  /** Answers in a row that brought nothing. */
  bad: number;
  limited: number;
  /** Ticks before which nothing is repeated, and no more rows leave. */
  calmUntil: number;
  rowsFrom: number;
}

/** Works until nothing is left to do, or nothing can be done. */
export const work = async (options: EngineOptions): Promise<Worked> => {
  const { run, journal, signed, goal, signal } = options;
  const state = revive(replay(shapeOf(run, { signed, goal }), journal.entries));
  const hard = new AbortController();
  const world = createAges(options, options.fresh, options.settleMs);
  const it: Work = {
    options,
    world,
    requests: requestsOf(options, world, hard.signal, (error) => {
      it.error = error;
    }),
    flying: new Set(),
    state,
    error: undefined,
    bad: 0,
    limited: 0,
    calmUntil: 0,
    rowsFrom: 0,
  };
  const stopGrace = new AbortController();
  const onStop = (): void => {
    options.wait(graceMs, stopGrace.signal).then(
      () => hard.abort(),
      () => undefined,
    );
  };
  signal.addEventListener("abort", onStop, { once: true });
  try {
    return { ...(await loop(it)), error: it.error };
  } finally {
    signal.removeEventListener("abort", onStop);
    stopGrace.abort();
    await Promise.allSettled(it.flying);
  }
};

const requestsOf = (
  options: EngineOptions,
  world: ReturnType<typeof createAges>,
  signal: AbortSignal,
  onError: (error: MsgError) => void,
): RequestOptions => {
  const { client, run, body, fresh, mayStart, onRefused, onReply } = options;
  const told = { onAnswer: world.note, onError, onRefused, onReply };
  return { client, run, body, fresh, mayStart, signal, ...told };
};

const loop = async (it: Work): Promise<Pick<Worked, "state" | "ending">> => {
  for (;;) {
    if (it.options.signal.aborted) {
      await Promise.all(it.flying);
      return { state: it.state, ending: { is: "interrupted" } };
    }
    const step = decide(it.state, it.world);
    if (step.do === "end") {
      if (step.ending.is === "done" || step.ending.is === "cancelled") close(it);
      return { state: it.state, ending: step.ending };
    }
    if (step.do === "wait") await Promise.race(it.flying);
    else await take(it, step);
  }
};

const take = async (it: Work, step: Extract<Step, { do: "act" }>): Promise<void> => {
  const { action, alone, before } = step;
  const early = pauseBefore(it, action, alone);
  // What is next is decided anew behind the pause: a signature does not grow old in it.
  if (early > 0) return pause(it, early);
  if (isRowAction(action)) it.rowsFrom = it.options.ticks() + rowPause(it, action);
  record(it, before, "intent");
  const done = one(it, action);
  if (alone) await done;
  else fly(it, done);
};

const fly = (it: Work, done: Promise<void>): void => {
  const landed = done.finally(() => it.flying.delete(landed));
  // Whoever waits next hears of its failure; nobody may be waiting now.
  landed.catch(() => undefined);
  it.flying.add(landed);
};

/** A run that only looked is not at its end because of that. */
const close = (it: Work): void => {
  if (!it.state.ended && (it.options.goal === "finish" || it.state.cancel))
    record(it, [{ t: "END" }], "result");
};

const one = async (it: Work, action: Action): Promise<void> => {
  const answered = await perform(action, it.requests);
  count(it, answered);
  const isLimit = answered.is === "limited" && it.bad >= mostLimited;
  const outcome: Outcome = isLimit
    ? { is: "refused", status: 429, code: "TooManyRequests" }
    : answered;
  record(it, conclude(it.state, action, outcome), "result");
};

const good: ReadonlySet<Outcome["is"]> = new Set(["ok", "group", "yes"]);

/** Tries of a request that the service asks to slow down for (sending.md 1). */
const mostLimited = 5;

const count = (it: Work, outcome: Outcome): void => {
  const { ticks } = it.options;
  it.bad = good.has(outcome.is) ? 0 : it.bad + 1;
  it.calmUntil = ticks() + badPause(it);
  if (outcome.is !== "limited") return;
  it.limited += 1;
  it.rowsFrom = Math.max(it.rowsFrom, ticks() + limitPause(it));
};

const record = (it: Work, facts: Facts, kind: "intent" | "result"): void => {
  const entries = facts.filter(isEntry);
  if (entries.length > 0) {
    try {
      it.options.journal.append(entries);
    } catch (error) {
      if (kind === "intent") throw error;
      keep(it, entries, error);
    }
  }
  it.state = facts.reduce(apply, it.state);
  it.options.onState(it.state);
};

/** A result that does not fit: room is made for it; else it is shown, and the run stops. */
const keep = (it: Work, entries: readonly Entry[], error: unknown): void => {
  const { makeRoom, run, journal, onLostRecord } = it.options;
  makeRoom();
  try {
    journal.append(entries);
  } catch {
    onLostRecord(JSON.stringify({ run: run.run, entries }));
    it.state = apply(it.state, { t: "stop", why: "unreadable" });
    if (error instanceof MsgError) it.error = error;
  }
};

const pauseBefore = (it: Work, action: Action, alone: boolean): number =>
  Math.max(alone ? it.calmUntil : 0, isRowAction(action) ? it.rowsFrom : 0) - it.options.ticks();

const pause = (it: Work, ms: number): Promise<void> =>
  it.options.wait(ms, it.options.signal).catch(() => undefined);

type RowAction = Extract<Action, { do: "add" | "post" }>;
const isRowAction = (action: Action): action is RowAction =>
  action.do === "add" || action.do === "post";

const longestPauseMs = 5_000;

const badPause = ({ bad, options }: Work): number => {
  if (bad === 0) return 0;
  const fraction = (options.random(1)[0] ?? 0) / 512 + 0.5;
  return Math.min(longestPauseMs, 100 * 2 ** Math.min(bad - 1, 6)) * fraction;
};

/** How long rows wait for the service: longer each time that it asks, for the rest of the run. */
const limitPause = ({ limited }: Work): number =>
  limited === 0 ? 0 : 1_000 * 2 ** Math.min(limited - 1, 3);

/** Between one chunk and the next: what `--rate` asks for, or what the service asked for. */
const rowPause = (it: Work, { chunk }: RowAction): number => {
  const { rate, run } = it.options;
  const rows = run.chunks[chunk]?.rows ?? 0;
  return Math.max(limitPause(it), rate === undefined ? 0 : (rows / rate) * 1_000);
};
