/** The time of a simulated world: it passes only when all that runs in it waits. */
import zlib from "node:zlib";

export interface Schedule {
  /** Milliseconds since the world began. */
  readonly now: () => number;
  /** Calls `action` so much later; answers how to call it off. */
  readonly after: (ms: number, action: () => unknown) => () => void;
  readonly sleep: (ms: number) => Promise<void>;
  /** Lets time pass until all that was asked for has come. Answers what is wrong where that does not happen. */
  readonly run: (untilMs: number) => Promise<string | undefined>;
}

const maxEvents = 100_000;

interface Due {
  readonly at: number;
  readonly order: number;
  readonly action: () => unknown;
  isOff: boolean;
}

export const createSchedule = (turns: Turns): Schedule => {
  const state = { now: 0, order: 0 };
  const queue: Due[] = [];
  const after: Schedule["after"] = (ms, action) => {
    state.order += 1;
    const due = { at: state.now + Math.max(ms, 0), order: state.order, action, isOff: false };
    insert(queue, due);
    return () => {
      due.isOff = true;
    };
  };
  return {
    now: () => state.now,
    after,
    sleep: (ms) => new Promise((done) => after(ms, done)),
    run: async (untilMs) => {
      for (let events = 0; events < maxEvents; events += 1) {
        await turns.settle();
        while (queue[0]?.isOff) queue.shift();
        const due = queue.shift();
        if (!due) return undefined;
        if (due.at > untilMs) return "time goes on for ever";
        state.now = due.at;
        due.action();
      }
      return "no end of events";
    },
  };
};

/** In the order of their times; of one time, in the order in which they were asked for. */
const insert = (queue: Due[], due: Due): void => {
  let [from, to] = [0, queue.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((queue[middle]?.at ?? 0) <= due.at) from = middle + 1;
    else to = middle;
  }
  queue.splice(from, 0, due);
};

/** The turns of the event loop that the code under test takes by itself. */
export interface Turns {
  /** Resolves when no one has anything left to do but to wait for the schedule. */
  readonly settle: () => Promise<void>;
  readonly stop: () => void;
}

/**
 * Counts the immediates under way, and what is unpacked on another thread. Promises and the ticks of streams are
 * over before each of them.
 */
export const watchTurns = (): Turns => {
  const real = globalThis.setImmediate;
  const pending = { count: 0 };
  const counted = (action: (...args: unknown[]) => void, ...args: unknown[]): NodeJS.Immediate => {
    pending.count += 1;
    return real(() => {
      pending.count -= 1;
      action(...args);
    });
  };
  Object.assign(globalThis, { setImmediate: counted });
  const { createGunzip } = zlib;
  replaceGunzip((options) => {
    pending.count += 1;
    return createGunzip(options).once("close", () => {
      pending.count -= 1;
    });
  });
  const turn = (): Promise<void> => new Promise((done) => real(done));
  return {
    settle: async () => {
      await turn();
      while (pending.count > 0) await turn();
      await turn();
    },
    stop: () => {
      Object.assign(globalThis, { setImmediate: real });
      replaceGunzip(createGunzip);
    },
  };
};

const replaceGunzip = (value: typeof zlib.createGunzip): void => {
  Object.defineProperty(zlib, "createGunzip", { configurable: true, enumerable: true, value });
};
