/** A clock that a test moves: whoever waits moves it too, so that nothing sleeps. */

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
