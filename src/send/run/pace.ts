/** How fast a run goes: what `--rate` asks for, what a bad connection needs, and what the service asks for (429). */

import { type Action, isConcurrent, type Outcome } from "../protocol/actions.ts";
import type { RunFile } from "../store/run-file.ts";
import type { EngineEnvironment } from "./engine-environment.ts";

export interface PaceOptions
  extends Pick<EngineEnvironment, "ticks" | "random" | "limitDelay" | "onLimit"> {
  readonly run: RunFile;
  /** At most this many rows a second. */
  readonly rate?: number | undefined;
}

export type Pace = ReturnType<typeof createPace>;

type RowAction = Extract<Action, { type: "add" | "post" }>;

const initialState = () => ({
  /** Answers in a row that brought nothing, per type of action: a read that succeeds proves nothing for a list. */
  bad: new Map<Action["type"], number>(),
  /** How often the service asked to slow down. */
  limited: 0,
  /** Attempts of each action that is being limited. */
  attempts: new Map<string, number>(),
  /** Ticks before which nothing is repeated, nothing at all starts, and no more rows leave. */
  calmUntil: 0,
  quietUntil: 0,
  rowsFrom: 0,
});

type PaceState = ReturnType<typeof initialState>;

export const createPace = (options: PaceOptions) => {
  const { ticks } = options;
  const state = initialState();
  return {
    /** Milliseconds until the action may start; 0 or less: at once. */
    before: (action: Action): number =>
      Math.max(
        state.quietUntil,
        isConcurrent(action) ? 0 : state.calmUntil,
        waitsForRows(action, options.run) ? state.rowsFrom : 0,
      ) - ticks(),
    /** The action starts: the next rows wait their time. */
    begins: (action: Action): void => {
      if (isRowAction(action)) state.rowsFrom = ticks() + rowPause(state, action, options);
    },
    /** Records the outcome; a limit that has been met too often, or is too long, is a refusal. */
    ended: (action: Action, outcome: Outcome): Outcome => {
      if (outcome.type === "limited") return limited(state, action, outcome, options);
      state.attempts.delete(nameOf(action));
      const bad = good.has(outcome.type) ? 0 : (state.bad.get(action.type) ?? 0) + 1;
      state.bad.set(action.type, bad);
      state.calmUntil = ticks() + badPause(bad, options);
      return outcome;
    },
  };
};

const good: ReadonlySet<Outcome["type"]> = new Set(["ok", "group", "list", "yes"]);

const limited = (
  state: PaceState,
  action: Action,
  outcome: Extract<Outcome, { type: "limited" }>,
  { ticks, limitDelay, onLimit }: PaceOptions,
): Outcome => {
  const name = nameOf(action);
  const attempt = (state.attempts.get(name) ?? 0) + 1;
  state.attempts.set(name, attempt);
  state.limited += 1;
  const delayMs = limitDelay(attempt, outcome.waitMs);
  if (delayMs === undefined) return { type: "refused", status: 429, code: "TooManyRequests" };
  state.quietUntil = Math.max(state.quietUntil, ticks() + delayMs);
  onLimit(delayMs);
  return outcome;
};

const nameOf = (action: Action): string =>
  "chunk" in action ? `${action.type} ${action.chunk}` : action.type;

const isRowAction = (action: Action): action is RowAction =>
  action.type === "add" || action.type === "post";

/** Whether a call may send is checked after its pause: night may fall in it. */
const waitsForRows = (action: Action, { path }: RunFile): boolean =>
  isRowAction(action) || (action.type === "clear" && path !== "G");

const longestPauseMs = 5_000;

const badPause = (bad: number, { random }: PaceOptions): number => {
  if (bad === 0) return 0;
  const fraction = (random(1)[0] ?? 0) / 512 + 0.5;
  return Math.min(longestPauseMs, 100 * 2 ** Math.min(bad - 1, 6)) * fraction;
};

/** Between one chunk and the next: what `--rate` asks for, or the service, which slows down the rest of the run. */
const rowPause = (
  { limited }: PaceState,
  { chunk }: RowAction,
  { rate, run }: PaceOptions,
): number => {
  const rows = run.chunks[chunk]?.rows ?? 0;
  const limitMs = limited === 0 ? 0 : 1_000 * 2 ** Math.min(limited - 1, 3);
  return Math.max(limitMs, rate === undefined ? 0 : (rows / rate) * 1_000);
};
