/** The load of a server: how many requests, how many per second, and how long they take. */
import { createHistogram } from "node:perf_hooks";
import type { Reply } from "../../contract/endpoint.ts";
import type { showStatus } from "../../contract/sandbox-state.ts";

/** `perSecond` is the mean of the last ten seconds; times run from the head of a request to its answer. */
export type LoadFigures = NonNullable<Reply<typeof showStatus>["load"]>;

export type LoadMeter = ReturnType<typeof createLoadMeter>;

const seconds = 10;

/** Counts by `ticks`, milliseconds of a monotonic clock. */
export const createLoadMeter = (ticks: () => number) => {
  const counted = { requests: 0, refused: 0, failed: 0, busiestSecond: 0 };
  /** Microseconds: it counts whole numbers from 1. */
  const times = createHistogram();
  /** Requests of each of the last seconds. */
  const recent = new Map<number, number>();
  return {
    ticks,
    /** Counts a request that began at `startedMs` and was answered now. */
    record: (status: number, startedMs: number): void => {
      const at = ticks();
      counted.requests += 1;
      if (status >= 500) counted.failed += 1;
      else if (status >= 400) counted.refused += 1;
      times.record(Math.max(1, Math.round((at - startedMs) * 1_000)));
      const second = Math.floor(at / 1_000);
      const count = (recent.get(second) ?? 0) + 1;
      recent.set(second, count);
      for (const old of recent.keys()) if (old <= second - seconds) recent.delete(old);
      counted.busiestSecond = Math.max(counted.busiestSecond, count);
    },
    figures: (): LoadFigures => {
      const since = Math.floor(ticks() / 1_000) - seconds;
      const lately = [...recent].filter(([second]) => second > since).map(([, count]) => count);
      return {
        ...counted,
        perSecond: lately.reduce((sum, count) => sum + count, 0) / seconds,
        p50Ms: msOf(times.percentile(50)),
        p99Ms: msOf(times.percentile(99)),
        slowestMs: msOf(times.max),
      };
    },
  };
};

const msOf = (micros: number): number => Number((micros / 1_000).toPrecision(3));
