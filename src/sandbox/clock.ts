/** The two times of the sandbox, kept in its store so that all processes agree. */
import type { Store } from "./store/store.ts";

/** In milliseconds since 1970. */
export interface ClockReading {
  /** Records, codes, schedules, quota days. Moves with `clock set` and `clock advance`. */
  readonly business: number;
  /** Skew and replay of signatures and the Date header. Moves with `clock skew` only. */
  readonly signing: number;
}

export type Clock = ReturnType<typeof createClock>;

/** The clock of a store over a source of real time. */
export const createClock = (settings: Store["settings"], now: () => Date) => ({
  read: (): ClockReading => {
    const realMs = now().getTime();
    return {
      business: realMs + settings.get("clockOffsetMs"),
      signing: realMs + settings.get("signingSkewMs"),
    };
  },
  /** Lets business time continue from an instant. */
  set: (instant: number): void => settings.set("clockOffsetMs", instant - now().getTime()),
  /** Moves business time by milliseconds; backwards when negative. */
  advance: (ms: number): void => settings.set("clockOffsetMs", settings.get("clockOffsetMs") + ms),
  /** Sets how far signing time is ahead of real time, in milliseconds. */
  skew: (ms: number): void => settings.set("signingSkewMs", ms),
});

/** Milliseconds as answers show a time. */
export const timeOf = (ms: number): string => new Date(ms).toISOString();
