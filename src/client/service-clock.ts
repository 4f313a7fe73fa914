/** What time it is at the service, which date a request is signed with, and how far two clocks are apart. */
import type { Answer } from "../contract/wire.ts";

const minuteMs = 60_000;

/**
 * Requests are signed this far in the past. The service forgets a signature 15 minutes after it arrived
 * and refuses one that is 15 minutes old: a date that lies ahead of its clock would outlive its memory,
 * and a copy that the network holds back could be executed a second time.
 */
export const backdatedMs = 5 * 60_000;

/** The service refuses a date that is further off than this. */
const toleranceMs = 15 * minuteMs;
/** From this difference on the operator learns that the clock of this machine is wrong. */
export const noticeableMs = minuteMs;

export interface Clocks {
  /** This machine's clock, which anyone may set. */
  readonly now: () => Date;
  /** Milliseconds of a monotonic clock. */
  readonly ticks: () => number;
}

export interface ServiceTime {
  /** Undefined until the service has shown a time that can be believed. */
  readonly earliest: number | undefined;
  readonly latest: number;
  /** Service minus machine, when it was last seen. */
  readonly offsetMs: number;
}

export interface ServiceClock {
  readonly now: () => ServiceTime;
  /** UTC to the second: the earlier of both clocks, and always five minutes back. */
  readonly signingDate: () => string;
  /**
   * Takes in the `Date` of an answer, which a proxy may have written, to a request signed with `signed`.
   * `isSkewed`: the service refused that date. Answers whether the next date will be another one.
   */
  readonly note: (answer: Answer, signed: string | undefined, isSkewed: boolean) => boolean;
}

interface Seen {
  readonly date: number;
  readonly at: number;
  readonly ticks: number;
}

export const createServiceClock = ({ now, ticks }: Clocks): ServiceClock => {
  const state: { seen?: Seen; isMovedForward: boolean } = { isMovedForward: false };
  const serviceTime = (): ServiceTime => {
    const { seen } = state;
    const here = now().getTime();
    if (!seen) return { earliest: undefined, latest: here, offsetMs: 0 };
    const passed = [here - seen.at, ticks() - seen.ticks];
    return {
      earliest: seen.date + Math.min(...passed),
      latest: seen.date + Math.max(...passed),
      offsetMs: seen.date - seen.at,
    };
  };
  const signingTime = (): number => {
    const here = now().getTime();
    const { earliest = here } = serviceTime();
    const time = state.isMovedForward ? Math.max(here, earliest) : Math.min(here, earliest);
    return time - backdatedMs;
  };
  return {
    now: serviceTime,
    signingDate: () => toSeconds(new Date(signingTime())),
    note: ({ headers }, signed, isSkewed) => {
      const date = Date.parse(headers.date ?? "");
      const isContradicted =
        !isSkewed && signed !== undefined && Math.abs(date - Date.parse(signed)) > toleranceMs;
      const before = signingTime();
      if (!Number.isNaN(date) && !isContradicted)
        state.seen = { date, at: now().getTime(), ticks: ticks() };
      state.isMovedForward ||= isSkewed;
      return signingTime() - before > minuteMs;
    },
  };
};

/** Whether both clocks explain that the service refused a date: then nothing else can have. */
export const isSkewExplained = (answer: Answer, signed: string, now: Date): boolean => {
  const date = Date.parse(answer.headers.date ?? "");
  const isOff = Math.abs(date - Date.parse(signed)) >= toleranceMs - minuteMs;
  return isOff && Math.abs(date - now.getTime()) >= toleranceMs - backdatedMs - minuteMs;
};

export const toSeconds = (instant: Date): string => `${instant.toISOString().slice(0, 19)}Z`;

/** How far this machine's clock is from the service's, by the answer's Date header; undefined without one. */
export const formatOffset = (date: string | undefined, now: Date): string | undefined => {
  const served = Date.parse(date ?? "");
  return Number.isNaN(served) ? undefined : describeOffset(served - now.getTime());
};

/** The same for the service's time minus this machine's. */
export const describeOffset = (offsetMs: number): string => {
  const direction = offsetMs > 0 ? "behind" : "ahead of";
  return `the clock of this machine is ${formatDuration(Math.abs(offsetMs))} ${direction} the service's`;
};

/** `16 min 3 s`, `2 h 5 min`. */
export const formatDuration = (ms: number): string => {
  const seconds = Math.round(ms / 1_000);
  const parts = [
    { count: Math.floor(seconds / 86_400), unit: "d" },
    { count: Math.floor(seconds / 3_600) % 24, unit: "h" },
    { count: Math.floor(seconds / 60) % 60, unit: "min" },
    { count: seconds % 60, unit: "s" },
  ].filter((it) => it.count > 0);
  const shown = parts.slice(0, 2).map((it) => `${it.count} ${it.unit}`);
  return shown.length === 0 ? "0 s" : shown.join(" ");
};
