/** The two times of the sandbox, kept in its store so that all processes agree. */
import type { Store } from "./store/store.ts";

export interface Times {
  /** Records, codes, schedules, quota days. Moves with `clock set` and `clock advance`. */
  readonly business: Date;
  /** Skew and replay of signatures and the Date header. Moves with `clock skew` only. */
  readonly signing: Date;
}

export interface Clock {
  /** Both times now. */
  read(): Times;
  /** Lets business time go on from an instant. */
  set(instant: Date): void;
  /** Moves business time by milliseconds; backwards when negative. */
  advance(ms: number): void;
  /** Sets how far signing time is ahead of real time, in milliseconds. */
  skew(ms: number): void;
}

/** The clock of a store over a source of real time. */
export const createClock = (settings: Store["settings"], now: () => Date): Clock => ({
  read: () => {
    const realMs = now().getTime();
    return {
      business: new Date(realMs + settings.get("clockOffsetMs")),
      signing: new Date(realMs + settings.get("signingSkewMs")),
    };
  },
  set: (instant) => settings.set("clockOffsetMs", instant.getTime() - now().getTime()),
  advance: (ms) => settings.set("clockOffsetMs", settings.get("clockOffsetMs") + ms),
  skew: (ms) => settings.set("signingSkewMs", ms),
});
