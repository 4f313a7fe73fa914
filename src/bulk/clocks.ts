/** How old a signature is: by the service's clock, and by one that nobody sets (sending.md 1). */
import type { Signature, World } from "./protocol/entries.ts";

export interface Clocks {
  readonly now: () => Date;
  readonly ticks: () => number;
}

const minuteMs = 60_000;
/** A repeat is allowed this long: the service remembers a signature for 15 minutes from its arrival. */
const fenceMs = 9 * minuteMs;
/** Behind this no copy is accepted any more; a minute for what is on its way through the service. */
export const expiryMs = 16 * minuteMs;

/** When that is by the service's clock, for a request that was signed with this date. */
export const certainFrom = (date: string): string =>
  new Date(Date.parse(date) + expiryMs).toISOString();

/** With a clock that is further off the two limits would not fit together. */
const mostOffsetMs = 5 * minuteMs;
/** The service keeps messages for six months: of older ones it says nothing, whether they were sent or not. */
const keptMs = 170 * 24 * 60 * minuteMs;

export interface Ages extends World {
  /** Takes the service's time from an answer. */
  readonly note: (headers: Readonly<Record<string, string>>) => void;
  /** The latest that the service's time may be, in milliseconds. */
  readonly time: () => number;
}

export interface AgesOptions extends Clocks {
  /** The last four characters of the key that signs now; none with an access token. */
  readonly key: string | undefined;
  readonly fresh: () => Signature;
  readonly settleMs: number;
}

export const createAges = ({ fresh, settleMs, key, ...clocks }: AgesOptions): Ages => {
  const service = serviceClock(clocks);
  const made = new Map<string, number>();
  const asked = new Map<string, number>();
  const since = (map: Map<string, number>, key: string): number => {
    const start = map.get(key) ?? clocks.ticks();
    map.set(key, start);
    return clocks.ticks() - start;
  };
  return {
    note: service.note,
    time: () => service.now().latest,
    fresh: () => {
      const signature = fresh();
      since(made, signature.salt);
      return signature;
    },
    fenceOpen: (signature) => {
      const { latest, offsetMs } = service.now();
      const age = Math.max(latest - Date.parse(signature.date), since(made, signature.salt));
      const isOwn = key !== undefined && signature.key === key;
      return isOwn && Math.abs(offsetMs) <= mostOffsetMs && age <= fenceMs;
    },
    expired: (signature) => {
      const { earliest } = service.now();
      // Only the service's own clock can say so, and only a signature has an end.
      if (earliest === undefined || signature.key === undefined) return false;
      const age = earliest - Date.parse(signature.date);
      return age > expiryMs && age < keptMs;
    },
    patient: (doubt) => since(asked, doubt) < settleMs,
    mayTry: (what) => {
      const isFirst = !asked.has(what);
      return since(asked, what) < settleMs || isFirst;
    },
  };
};

/** The service's time since its last answer: by this machine's clock, which may jump, and by one that nobody sets. */
export const serviceClock = ({ now, ticks }: Clocks) => {
  const last: { told?: { date: number; at: number; ticks: number } } = {};
  return {
    note: (headers: Readonly<Record<string, string>>): void => {
      const date = Date.parse(headers.date ?? "");
      if (!Number.isNaN(date)) last.told = { date, at: now().getTime(), ticks: ticks() };
    },
    /** `earliest` is undefined until the service has told its time. */
    now: () => {
      const { told } = last;
      const here = now().getTime();
      if (!told) return { earliest: undefined, latest: here, offsetMs: 0 };
      const both = [here - told.at, ticks() - told.ticks];
      return {
        earliest: told.date + Math.min(...both),
        latest: told.date + Math.max(...both),
        offsetMs: told.date - told.at,
      };
    },
  };
};
