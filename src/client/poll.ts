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

const intervalMs = 1000;

export interface Polled<T> {
  readonly value: T;
  readonly done: boolean;
}

/** Asks at once, then every second; returns the last answer. Ends early when the program is stopped. */
export const pollUntil = async <T>(
  { clock: { ticks, wait }, signal }: Waiting,
  withinMs: number,
  ask: () => Promise<Polled<T>>,
): Promise<Polled<T>> => {
  const end = ticks() + withinMs;
  for (;;) {
    const asked = await ask();
    const left = end - ticks();
    if (asked.done || left <= 0 || signal.aborted) return asked;
    await wait(Math.min(intervalMs, left), signal).catch(() => undefined);
  }
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
  const { message, code, where } = toMsgError(thrown);
  const what = t`it was accepted, but its outcome is unknown: ${message}`;
  const options = { code, where, todo, outcome: "done", cause: thrown } as const;
  return new MsgError(pollEndKind(ctx), what, options);
};
