/** What a server has to do: how many requests, how many a second, and how long they take. */

/** `perSecond` is the mean of the last ten seconds; times run from the head of a request to its answer. */
export interface LoadFigures {
  readonly requests: number;
  /** Answered with 4xx, and with 5xx. */
  readonly refused: number;
  readonly failed: number;
  readonly perSecond: number;
  readonly busiestSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly slowestMs: number;
}

export interface LoadMeter {
  /** Milliseconds of a monotonic clock. */
  readonly ticks: () => number;
  /** Counts a request that began at `startedMs`, by `ticks`, and was answered now. */
  record(status: number, startedMs: number): void;
  /** Undefined as long as no server runs. */
  figures(): LoadFigures | undefined;
  /** A server begins to answer. */
  start(): void;
}

const seconds = 10;
/** Times are counted in steps of a tenth: enough to distinguish 2 ms from 2.3 ms, in a list of fixed length. */
const stepsPerDoubling = 8;
const minMs = 0.01;
const steps = 200;

interface Counted {
  running: boolean;
  requests: number;
  refused: number;
  failed: number;
  busiestSecond: number;
  slowestMs: number;
  /** Requests of a second, at the place of that second modulo the length of the list. */
  readonly recent: { second: number; count: number }[];
  readonly times: number[];
}

export const createLoadMeter = (ticks: () => number): LoadMeter => {
  const counted: Counted = {
    ...{ running: false, requests: 0, refused: 0, failed: 0, busiestSecond: 0, slowestMs: 0 },
    recent: Array.from({ length: seconds }, () => ({ second: -1, count: 0 })),
    times: new Array<number>(steps).fill(0),
  };
  return {
    ticks,
    record: (status, startedMs) => count(counted, status, startedMs, ticks()),
    start: () => {
      counted.running = true;
    },
    figures: () => (counted.running ? figuresOf(counted, ticks()) : undefined),
  };
};

const count = (counted: Counted, status: number, startedMs: number, at: number): void => {
  const ms = at - startedMs;
  counted.requests += 1;
  if (status >= 500) counted.failed += 1;
  else if (status >= 400) counted.refused += 1;
  if (ms > counted.slowestMs) counted.slowestMs = ms;
  const step = stepOf(ms);
  counted.times[step] = (counted.times[step] ?? 0) + 1;
  const second = Math.floor(at / 1_000);
  const slot = counted.recent[second % seconds];
  if (slot === undefined) return;
  if (slot.second !== second) Object.assign(slot, { second, count: 0 });
  slot.count += 1;
  if (slot.count > counted.busiestSecond) counted.busiestSecond = slot.count;
};

const stepOf = (ms: number): number => {
  const step = Math.ceil(Math.log2(Math.max(ms, minMs) / minMs) * stepsPerDoubling);
  return Math.min(step, steps - 1);
};

const figuresOf = (counted: Counted, at: number): LoadFigures => {
  const { requests, refused, failed, busiestSecond, slowestMs, recent } = counted;
  const since = Math.floor(at / 1_000) - seconds;
  const lately = recent.filter(({ second }) => second > since);
  const perSecond = lately.reduce((sum, it) => sum + it.count, 0) / seconds;
  return {
    ...{ requests, refused, failed, perSecond, busiestSecond },
    p50Ms: quantile(counted, 0.5),
    p99Ms: quantile(counted, 0.99),
    slowestMs: rounded(slowestMs),
  };
};

/** The time that this part of the requests kept within. */
const quantile = ({ times, requests, slowestMs }: Counted, part: number): number => {
  let passed = 0;
  for (const [step, found] of times.entries()) {
    passed += found;
    if (passed >= part * requests)
      return rounded(Math.min(minMs * 2 ** (step / stepsPerDoubling), slowestMs));
  }
  return rounded(slowestMs);
};

const rounded = (ms: number): number => Number(ms.toPrecision(3));
