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

/** When that is, for a request that was signed with this date. */
export const certainFrom = (date: string): string =>
  new Date(Date.parse(date) + expiryMs).toISOString();

/** With a clock that is further off the two limits would not fit together. */
const mostOffsetMs = 5 * minuteMs;

export interface Ages extends World {
  /** Takes the service's time from an answer. */
  readonly note: (headers: Readonly<Record<string, string>>) => void;
}

export const createAges = (clocks: Clocks, fresh: () => Signature, settleMs: number): Ages => {
  const service: { offsetMs: number | undefined } = { offsetMs: undefined };
  const made = new Map<string, number>();
  const asked = new Map<string, number>();
  const since = (map: Map<string, number>, key: string): number => {
    const start = map.get(key) ?? clocks.ticks();
    map.set(key, start);
    return clocks.ticks() - start;
  };
  const served = (signature: Signature): number =>
    clocks.now().getTime() + (service.offsetMs ?? 0) - Date.parse(signature.date);
  return {
    note: (headers) => {
      const date = Date.parse(headers.date ?? "");
      if (!Number.isNaN(date)) service.offsetMs = date - clocks.now().getTime();
    },
    fresh: () => {
      const signature = fresh();
      since(made, signature.salt);
      return signature;
    },
    fenceOpen: (signature) => {
      const age = Math.max(served(signature), since(made, signature.salt));
      return Math.abs(service.offsetMs ?? 0) <= mostOffsetMs && age <= fenceMs;
    },
    // Only the service's own clock can say so.
    expired: (signature) => service.offsetMs !== undefined && served(signature) > expiryMs,
    patient: (doubt) => since(asked, doubt) < settleMs,
    mayTry: (what) => {
      const isFirst = !asked.has(what);
      return since(asked, what) < settleMs || isFirst;
    },
  };
};
