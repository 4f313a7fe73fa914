/** Asking again until something is so, or until the time is over. */
import { asMsgError, MsgError } from "../errors.ts";

/** The clock that it waits by, and the signal that ends it. */
interface Waiting {
  readonly now: () => Date;
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly signal: AbortSignal;
}

/** How long between two questions. */
const pauseMs = 1000;

export interface Asked<T> {
  readonly value: T;
  readonly done: boolean;
}

/** Asks at once, then every second; answers what it saw last. Ends early when the program is stopped. */
export const askUntil = async <T>(
  { now, wait, signal }: Waiting,
  withinMs: number,
  ask: () => Promise<Asked<T>>,
): Promise<Asked<T>> => {
  const end = now().getTime() + withinMs;
  for (;;) {
    const asked = await ask();
    const left = end - now().getTime();
    if (asked.done || left <= 0 || signal.aborted) return asked;
    await wait(Math.min(pauseMs, left), signal).catch(() => undefined);
  }
};

/** How asking ended before it was so: the time was over (exit 8), or the operator stopped (130). */
export const endedAs = ({ signal }: Pick<Waiting, "signal">): "pending" | "interrupted" =>
  signal.aborted ? "interrupted" : "pending";

/**
 * What was sent stays sent where it cannot be seen what became of it: the operator stopped, or the
 * service could not be asked. Exit 130 or 8, never the code of the question.
 */
export const notKnown = (ctx: Pick<Waiting, "signal">, thrown: unknown, todo: string): MsgError => {
  const { message, code, where } = asMsgError(thrown);
  const what = `it was accepted; what became of it is not known: ${message}`;
  return new MsgError(endedAs(ctx), what, { code, where, todo, outcome: "done", cause: thrown });
};
