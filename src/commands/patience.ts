/** Asking again until something is so, or until the time is over. */
import type { Context } from "../context.ts";

/** How long between two questions. */
const pauseMs = 1000;

export interface Asked<T> {
  readonly value: T;
  readonly done: boolean;
}

/** Asks at once, then every second; answers what it saw last. Ends early when the program is stopped. */
export const askUntil = async <T>(
  { now, wait, signal }: Pick<Context, "now" | "wait" | "signal">,
  withinMs: number,
  ask: () => Promise<Asked<T>>,
): Promise<Asked<T>> => {
  const end = now().getTime() + withinMs;
  for (;;) {
    const asked = await ask();
    const left = end - now().getTime();
    if (asked.done || left <= 0) return asked;
    await wait(Math.min(pauseMs, left), signal);
  }
};
