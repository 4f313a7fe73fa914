/** A clock that a test moves: whoever waits moves it too, so that nothing sleeps. */
import { setTimeout as delay } from "node:timers/promises";

export interface TestClock {
  readonly now: () => Date;
  readonly wait: (ms: number) => Promise<void>;
  readonly pass: (ms: number) => void;
}

export const testClock = (start = "2026-01-15T03:00:00.000Z"): TestClock => {
  const time = { ms: new Date(start).getTime() };
  const pass = (ms: number): void => {
    time.ms += ms;
  };
  return { now: () => new Date(time.ms), wait: async (ms) => pass(ms), pass };
};

/** Pauses that are hardly paused: the clock that nobody sets goes forward instead. */
export const hurried = () => {
  const { ticks, wait } = hurriedWorld();
  return { ticks, wait };
};

/** The same for a client and its service together: all clocks go forward when one of them waits. */
export const hurriedWorld = () => {
  const time = { aheadMs: 0 };
  const ticks = (): number => performance.now() + time.aheadMs;
  const now = (): Date => new Date(Date.now() + time.aheadMs);
  const wait = async (ms: number): Promise<void> => {
    const until = ticks() + ms;
    await delay(Math.min(ms, 2));
    time.aheadMs = Math.max(time.aheadMs, until - performance.now());
  };
  const pass = (ms: number): void => {
    time.aheadMs += ms;
  };
  return { now, ticks, wait, pass };
};
