/** The service's time, the date that a request is signed with, and the distance between two clocks. */

import type { Answer } from "../contract/wire.ts";
import { t } from "../locale/locale.ts";

const minuteMs = 60_000;

/**
 * Requests are signed this far in the past. The service forgets a signature 15 minutes after it arrived
 * and refuses one that is 15 minutes old: a date that lies ahead of its clock would outlive its memory,
 * and a copy that the network holds back could be executed a second time.
 */
export const backdatedMs = 5 * 60_000;

/** The service refuses a date that is further off than this. */
const toleranceMs = 15 * minuteMs;
/** From this difference on the operator is warned that this machine's clock is wrong. */
const noticeableMs = minuteMs;

export interface Clocks {
  /** This machine's clock, which anyone may set. */
  readonly now: () => Date;
  /** Milliseconds of a monotonic clock. */
  readonly ticks: () => number;
}

export interface ServiceTime {
  /** Undefined until the service has shown a credible time. */
  readonly earliest: number | undefined;
  readonly latest: number;
  /** Service minus machine, when it was last seen. */
  readonly offsetMs: number;
}

export interface ServiceClock {
  readonly now: () => ServiceTime;
  /** UTC to the second: the earlier of both clocks, and always five minutes back. */
  readonly signingDate: () => string;
  /** Takes in the `Date` of an answer, which a proxy may have written, to a request signed with `signed`. */
  readonly note: (answer: Answer, signed: string | undefined) => void;
  /**
   * The date to sign with if the `Date` of this answer is right; undefined if that is the current
   * signing date.
   */
  readonly otherDate: (answer: Answer) => string | undefined;
  /**
   * Signs by the `Date` of this answer from now on, which may lie ahead of this machine's clock. Only for a
   * `Date` that the service has confirmed: it refused this machine's date, and accepted the other one and
   * the date that is outlying to it.
   */
  readonly adopt: (answer: Answer) => void;
}

export interface ServiceClockOptions extends Clocks {
  /** Called once when this machine's clock is found to be wrong. */
  readonly onOffset?: ((offsetMs: number) => void) | undefined;
}

interface Seen {
  readonly date: number;
  readonly at: number;
  readonly ticks: number;
}

/** Goes by this machine's clock until an answer shows the service's time. */
export const createServiceClock = ({ now, ticks, onOffset }: ServiceClockOptions): ServiceClock => {
  const state: { seen?: Seen; adopted?: Seen; isReported?: true } = {};
  const seenIn = ({ headers }: Answer): Seen | undefined => {
    const date = Date.parse(headers.date ?? "");
    return isCredible(date) ? { date, at: now().getTime(), ticks: ticks() } : undefined;
  };
  const serviceTime = () => timeBy(state.seen, now(), ticks());
  const signingTime = (): number => {
    const here = timeBy(state.adopted, now(), ticks()).earliest ?? now().getTime();
    return Math.min(here, serviceTime().earliest ?? here) - backdatedMs;
  };
  const reportOffset = (): void => {
    const { offsetMs } = serviceTime();
    if (Math.abs(offsetMs) < noticeableMs || state.isReported) return;
    state.isReported = true;
    onOffset?.(offsetMs);
  };
  return {
    now: serviceTime,
    signingDate: () => toSeconds(new Date(signingTime())),
    note: (answer, signed) => {
      const seen = seenIn(answer);
      if (!seen) return;
      const isContradicted =
        signed !== undefined && Math.abs(seen.date - Date.parse(signed)) > toleranceMs;
      if (!isContradicted) state.seen = seen;
      reportOffset();
    },
    otherDate: (answer) => {
      const seen = seenIn(answer);
      if (!seen || Math.abs(seen.date - backdatedMs - signingTime()) <= minuteMs) return undefined;
      return toSeconds(new Date(seen.date - backdatedMs));
    },
    adopt: (answer) => {
      const seen = seenIn(answer);
      if (seen) Object.assign(state, { seen, adopted: seen });
      reportOffset();
    },
  };
};

/** Whether a service may have this time: from 1970 to 9999. The ends of a Date's range allow no arithmetic. */
const isCredible = (ms: number): boolean => ms >= 0 && ms < Date.UTC(10_000, 0);

/** The present time of a clock that was seen earlier; this machine's if none was. */
const timeBy = (seen: Seen | undefined, now: Date, ticks: number): ServiceTime => {
  if (!seen) return { earliest: undefined, latest: now.getTime(), offsetMs: 0 };
  const { date, at } = seen;
  const passed = [now.getTime() - at, ticks - seen.ticks];
  const [earliest, latest] = [date + Math.min(...passed), date + Math.max(...passed)];
  return { earliest, latest, offsetMs: date - at };
};

/** The earlier of both clocks: nothing that the service records from now on is dated before it. */
export const earlierTime = (clock: ServiceClock): Date =>
  new Date(Date.parse(clock.signingDate()) + backdatedMs);

/** Whether both clocks explain why the service refused a date: then nothing else can have refused it. */
export const isSkewExplained = (answer: Answer, signed: string, now: Date): boolean => {
  const date = Date.parse(answer.headers.date ?? "");
  const isOff = Math.abs(date - Date.parse(signed)) >= toleranceMs - minuteMs;
  return isOff && Math.abs(date - now.getTime()) >= toleranceMs - backdatedMs - minuteMs;
};

/**
 * The service accepts this date only if the other one does not lie ahead of its clock: it refuses what is 15
 * minutes ahead. A `Date` may come from anything on the network; this is the service's own answer.
 */
export const outlying = (date: string): string =>
  toSeconds(new Date(Date.parse(date) + toleranceMs - 1_000));

/** Whether the service refuses this date as too old, by the time that it has shown. */
export const isTooOldFor = (date: string, { earliest }: ServiceTime): boolean =>
  earliest !== undefined && earliest - Date.parse(date) > toleranceMs - minuteMs;

export const toSeconds = (instant: Date): string => `${instant.toISOString().slice(0, 19)}Z`;

/** How far this machine's clock is from the service's, by the answer's Date header; undefined without one. */
export const formatOffset = (date: string | undefined, now: Date): string | undefined => {
  const served = Date.parse(date ?? "");
  return isCredible(served) ? describeOffset(served - now.getTime()) : undefined;
};

/** The same for the service's time minus this machine's. */
export const describeOffset = (offsetMs: number): string => {
  const offset = formatDuration(Math.abs(offsetMs));
  return offsetMs > 0
    ? t`the clock of this machine is ${offset} behind the service's`
    : t`the clock of this machine is ${offset} ahead of the service's`;
};

/** `16 min 3 s`, `2 h 5 min`. */
export const formatDuration = (ms: number): string => {
  const seconds = Math.round(ms / 1_000);
  const parts = [
    { count: Math.floor(seconds / 86_400), format: (count: number) => t`${count} d` },
    { count: Math.floor(seconds / 3_600) % 24, format: (count: number) => t`${count} h` },
    { count: Math.floor(seconds / 60) % 60, format: (count: number) => t`${count} min` },
    { count: seconds % 60, format: (count: number) => t`${count} s` },
  ].filter((it) => it.count > 0);
  const shown = parts.slice(0, 2).map(({ count, format }) => format(count));
  return shown.length === 0 ? t`${0} s` : shown.join(" ");
};
