/** Polling: asks again until a condition holds or the time is over. */

import { MsgError, toMsgError } from "../errors.ts";
import { t } from "../locale/locale.ts";

/** The clock that it waits by, and the signal that ends it. */
interface Waiting {
  readonly clock: {
    readonly ticks: () => number;
    readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>;
  };
  readonly signal: AbortSignal;
}

/** Between two reads; longer if the service could not be asked. */
const pauseMs = { usual: 1000, afterProblem: 5000 } as const;

/** A read without an answer, which may come the next time. */
export interface Lost {
  readonly lost: MsgError;
}

/** Reads at once, then every second, until the time is over or the program is stopped; a lost connection comes back. */
export async function* poll<T extends object>(
  { clock: { ticks, wait }, signal }: Waiting,
  withinMs: number,
  read: () => Promise<T>,
): AsyncGenerator<T | Lost> {
  const end = ticks() + withinMs;
  for (;;) {
    const seen = await read().catch(lostOf);
    yield seen;
    const left = end - ticks();
    if (left <= 0 || signal.aborted) return;
    const pause = "lost" in seen ? pauseMs.afterProblem : pauseMs.usual;
    await wait(Math.min(pause, left), signal).catch(() => undefined);
  }
}

/** Any other problem stays. */
const lostOf = (error: unknown): Lost => {
  const lost = toMsgError(error);
  if (lost.kind === "unreachable" || lost.kind === "interrupted" || lost.retryable) return { lost };
  throw error;
};

export interface Polled<T> {
  readonly value: T;
  readonly done: boolean;
}

/** Asks until it is done; returns the last answer. Throws if the last time none came. */
export const pollUntil = async <T>(
  waiting: Waiting,
  withinMs: number,
  ask: () => Promise<Polled<T>>,
  onLost: (problem: string) => Promise<void> = async () => undefined,
): Promise<Polled<T>> => {
  let last: Polled<T> | Lost | undefined;
  for await (const seen of poll(waiting, withinMs, ask)) {
    last = seen;
    if ("done" in seen && seen.done) break;
    if ("lost" in seen && !waiting.signal.aborted) await onLost(seen.lost.reason);
  }
  if (last === undefined || "lost" in last) throw last?.lost;
  return last;
};

/** How polling ended early: the time was over (exit 8), or the operator stopped (130). */
export const pollEndKind = ({ signal }: Pick<Waiting, "signal">): "pending" | "interrupted" =>
  signal.aborted ? "interrupted" : "pending";

/**
 * What was sent stays sent if its outcome cannot be read because the operator stopped or the
 * service could not be asked: exit 130 or 8, never the exit code of the read.
 */
export const resultUnreadError = (
  ctx: Pick<Waiting, "signal">,
  thrown: unknown,
  todo: string,
): MsgError => {
  const { reason, code, where } = toMsgError(thrown);
  const what = t`it was accepted, but its outcome is unknown: ${reason}`;
  const options = { code, where, todo, outcome: "done", cause: thrown } as const;
  return new MsgError(pollEndKind(ctx), what, options);
};
