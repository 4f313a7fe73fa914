/** A clock that a test moves: whoever waits moves it too, so that nothing sleeps. */
import { setTimeout as delay } from "node:timers/promises";

export interface TestClock {
  readonly now: () => Date;
  readonly ticks: () => number;
  readonly wait: (ms: number) => Promise<void>;
  readonly pass: (ms: number) => void;
}

export const testClock = (start = "2026-01-15T03:00:00.000Z"): TestClock => {
  const time = { ms: new Date(start).getTime() };
  const pass = (ms: number): void => {
    time.ms += ms;
  };
  const now = (): Date => new Date(time.ms);
  return { now, ticks: () => time.ms, wait: async (ms) => pass(ms), pass };
};

/** Timers as a process has them: for real, and they keep nothing alive. */
export const every = (ms: number, action: () => void): (() => void) => {
  const timer = setInterval(action, ms).unref();
  return () => clearInterval(timer);
};

/** A time that passes only where somebody waits: then timers run that are due. */
export const simulated = () => {
  const time = { ms: 0 };
  const timers = new Set<{ readonly ms: number; readonly action: () => void; due: number }>();
  const wait = async (ms: number): Promise<void> => {
    await new Promise<void>((done) => setImmediate(done));
    time.ms += ms;
    for (const it of timers) for (; it.due <= time.ms; it.due += it.ms) it.action();
  };
  const repeat = (ms: number, action: () => void): (() => void) => {
    const timer = { ms, action, due: time.ms + ms };
    timers.add(timer);
    return () => void timers.delete(timer);
  };
  return { ticks: (): number => time.ms, wait, every: repeat };
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
