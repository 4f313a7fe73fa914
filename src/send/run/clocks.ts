/** How old a signature is: by the service's clock, and by clocks of our own. */
import type { Attempt } from "../../client/client.ts";
import { backdatedMs, type ServiceClock } from "../../client/service-clock.ts";
import { MsgError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import type { Clock } from "../protocol/actions.ts";
import type { Signature } from "../protocol/entries.ts";
import type { EngineEnvironment } from "./engine-environment.ts";

const minuteMs = 60_000;
/** A repeat is allowed this long: the service remembers a signature for 15 minutes from its arrival. */
const replayMs = 9 * minuteMs;
/** No repeat leaves with a date that is older: the service refuses it at 15 minutes. */
const replayAgeMs = replayMs + backdatedMs;
/** After this no copy is accepted any longer; one minute is for what is on its way through the service. */
export const expiryMs = 16 * minuteMs;
/** With a clock that is further off, the two limits would not fit together. */
const maxOffsetMs = 5 * minuteMs;
/** The service keeps messages for six months: it does not say whether older ones were sent. */
const keptMs = 170 * 24 * 60 * minuteMs;

/** How far back groups count, whether they were sent or only made. */
export const listedMs = 25 * 60 * minuteMs;
/** Far below that: a request to send one may be on its way for a quarter of an hour. */
export const maxGroupAgeMs = 23 * 60 * minuteMs;

/** Whether a group that was made then is too old for a request that is signed now. */
const isGroupTooOld = (made: string, signed: number): boolean =>
  !(signed - Date.parse(made) <= maxGroupAgeMs);

/** The code of the error that keeps the send of a group from leaving. */
export const groupTooOldCode = "GroupTooOld";

/** Throws MsgError if others that send the same rows may no longer see the group when the request arrives. */
export const assertNotTooOld = (
  made: string | undefined,
  attempt: Attempt,
  time: () => number,
): void => {
  if (made === undefined || !isGroupTooOld(made, requestTimeMs(attempt, time))) return;
  throw new MsgError("stopped", t`the group was made too long ago to be sent`, {
    code: groupTooOldCode,
    outcome: "not_sent",
  });
};

/** The date of a request, in milliseconds: an access token signs none. */
export const requestTimeMs = ({ signature }: Attempt, time: () => number): number =>
  signature ? Date.parse(signature.date) : time();

/** When it is certain what became of a request with this date, if all clocks are right. */
export const decidableFrom = (date: string): string =>
  new Date(Date.parse(date) + backdatedMs + expiryMs).toISOString();

/**
 * Whether a copy of a request can no longer be accepted. A `Date` may be a proxy's, so the service's clock
 * alone proves nothing: as much time has to have passed by a clock of our own, `passedMs` since signing.
 */
export const isExpired = (
  signature: Signature,
  service: ServiceClock,
  passedMs: number,
): boolean => {
  const { earliest } = service.now();
  // An access token signs nothing: what it sent never expires.
  if (earliest === undefined || signature.key === undefined) return false;
  const age = earliest - Date.parse(signature.date);
  return age > expiryMs && age < keptMs && passedMs > expiryMs;
};

/** How long ago another process signed the request, by this machine's clock. */
export const elapsedSinceSigned = ({ date, signedAt }: Signature, now: Date): number =>
  now.getTime() - Date.parse(signedAt ?? date);

interface ClockInput extends Pick<EngineEnvironment, "now" | "ticks" | "key" | "fresh"> {
  readonly service: ServiceClock;
  readonly reconcileMs: number;
}

export const startClock = ({ fresh, reconcileMs, key, service, now, ticks }: ClockInput): Clock => {
  const made = new Map<string, number>();
  const tried = new Map<string, number>();
  /** Milliseconds since this was called first with the same name. */
  const since = (starts: Map<string, number>, name: string): number => {
    const start = starts.get(name) ?? ticks();
    starts.set(name, start);
    return ticks() - start;
  };
  return {
    fresh: () => {
      const signature = { ...fresh(), signedAt: now().toISOString() };
      since(made, signature.salt);
      return signature;
    },
    canReplay: (signature) => {
      const { latest, offsetMs } = service.now();
      const age = latest - Date.parse(signature.date);
      const isOwn = key !== undefined && signature.key === key;
      const isYoung = age <= replayAgeMs && since(made, signature.salt) <= replayMs;
      return isOwn && Math.abs(offsetMs) <= maxOffsetMs && age >= 0 && isYoung;
    },
    expired: (signature) => {
      const isOwn = made.has(signature.salt);
      const passedMs = isOwn ? since(made, signature.salt) : elapsedSinceSigned(signature, now());
      return isExpired(signature, service, passedMs);
    },
    isTooOld: (signed) =>
      isGroupTooOld(signed, key === undefined ? service.now().latest : Date.parse(fresh().date)),
    withinTimeout: (doubt) => since(tried, doubt) < reconcileMs,
    mayTry: (what) => {
      const isFirst = !tried.has(what);
      return since(tried, what) < reconcileMs || isFirst;
    },
  };
};

/**
 * The bounds of the service's time, in milliseconds. `aheadMs`: how far ahead of this machine a service is
 * whose answers do not show its time.
 */
export const serviceTimes = ({
  now,
  service,
  aheadMs,
}: Pick<ClockInput, "now" | "service"> & { readonly aheadMs?: number | undefined }) => {
  const here = (): number => now().getTime() + (aheadMs ?? 0);
  return {
    latest: () => (aheadMs === undefined ? Math.max(here(), service.now().latest) : here()),
    earliest: () => Math.min(here(), service.now().earliest ?? here()),
  };
};
