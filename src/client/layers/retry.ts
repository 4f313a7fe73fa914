/** Tries again if that cannot do anything twice: reads, and writes that were never accepted. */
import type { Endpoint } from "../../contract/endpoint.ts";
import { type Answer, type Layer, TransportError } from "../../contract/wire.ts";
import { t } from "../../locale/locale.ts";
import type { LayerContext } from "../client.ts";
import { errorBody, requestedWaitMs } from "../codec.ts";

/** What went wrong with one attempt, as far as it matters for the next one. */
type Fault =
  | "unreached"
  /** No answer came, or one to a copy of this request that was made on the way (DuplicatedSignature). */
  | "lost"
  /** No answer came in time: such a read costs too much to be made often. */
  | "late"
  /** An answer came, but it exceeds the size limit. */
  | "oversized"
  /** The service asks to slow down. */
  | "limited"
  /** The service answered 5xx. */
  | "failed";

export interface Failure {
  readonly effect: Endpoint["effect"];
  readonly fault: Fault;
  readonly retryAfterMs?: number | undefined;
}

const maxTries = 3;
/** For a read whose answer was lost: a run has to begin even if the network loses three answers of ten. */
const maxTriesWhenLost = 5;
const maxTriesWhenLimited = 5;
/** msg does not wait longer than this, whatever the service asks for. */
export const maxWaitMs = 60_000;

/**
 * Milliseconds until the next attempt, or undefined for none. `attempt` counts from 1, `random`
 * lies in [0, 1). Network and 5xx: 3 tries, half a second doubling, full jitter, a read whose
 * answer was cut off 5; 429: 5 tries, as long as Retry-After says, else 1-2-4 s.
 */
export const retryDelay = (
  attempt: number,
  failure: Failure,
  random: number,
): number | undefined => {
  const { effect, fault, retryAfterMs } = failure;
  // A gateway may have written it after the execution: the caller checks before it makes another call.
  if (fault === "limited")
    return effect === "unsafe" ? undefined : limitDelay(attempt, retryAfterMs, random);
  const mayRepeat = fault === "unreached" || (effect === "safe" && fault !== "oversized");
  if (!mayRepeat || attempt >= (fault === "lost" ? maxTriesWhenLost : maxTries)) return undefined;
  return 500 * 2 ** (attempt - 1) * random;
};

/** The same for a request that the service asked to slow down for. */
export const limitDelay = (
  attempt: number,
  askedMs: number | undefined,
  random: number,
): number | undefined => {
  const asked = askedMs ?? 0;
  if (attempt >= maxTriesWhenLimited || asked > maxWaitMs) return undefined;
  return asked > 0 ? asked : 1_000 * 2 ** (attempt - 1) * (1 + random / 4);
};

/**
 * Repeats by `retryDelay`. Lies above the signature: each attempt gets one of its own. With a signature of the
 * caller only a request that never left is repeated: an answer may have used it up.
 */
export const retry =
  ({ endpoint, now, random, wait, log, stopped, signature }: LayerContext): Layer =>
  (next) =>
  async (wire, signal) => {
    // What answers a write that is tried again may have executed it, or have been written after that.
    let earlier: Answer | undefined;
    for (let attempt = 1; ; attempt += 1) {
      const result = await next(wire, signal).then<Result, Result>(
        (answer) => ({ answer }),
        (error: unknown) => ({ error }),
      );
      const isUsedUp = signature !== undefined && "answer" in result;
      const failure = isUsedUp ? undefined : failureOf(endpoint, result, now);
      const delayMs = failure && retryDelay(attempt, failure, randomFraction(random));
      if (delayMs === undefined || signal.aborted || stopped.aborted) {
        if ("error" in result) throw earlier ? asSent(result.error) : result.error;
        return earlier && isProof(result.answer) && !isProof(earlier) ? earlier : result.answer;
      }
      log?.(`* ${describeResult(result)}; attempt ${attempt + 1} in ${Math.round(delayMs)} ms`);
      if ("answer" in result && endpoint.effect !== "safe" && (!earlier || isProof(earlier)))
        earlier = result.answer;
      await wait(delayMs, AbortSignal.any([signal, stopped])).catch((error: unknown) => {
        throw earlier ? asSent(error) : error;
      });
    }
  };

/** The service's own refusal; behind an answer of something else it may only say what the earlier attempt did. */
const isProof = (answer: Answer): boolean => errorBody(answer).serviceCode !== undefined;

/** That the last attempt never left says nothing about the earlier ones. */
const asSent = (error: unknown): unknown => {
  if (error instanceof TransportError) return new TransportError("sent", error.code, error.message);
  const isAbort = error instanceof Error && error.name === "AbortError";
  return isAbort
    ? new TransportError("sent", "Interrupted", t`interrupted between two attempts`)
    : error;
};

type Result = { readonly answer: Answer } | { readonly error: unknown };

const failureOf = (endpoint: Endpoint, result: Result, now: () => Date): Failure | undefined => {
  const { effect } = endpoint;
  if ("error" in result)
    return result.error instanceof TransportError
      ? { effect, fault: faultOf(result.error) }
      : undefined;
  const { status, headers } = result.answer;
  if (status < 400) return undefined;
  const word = errorBody(result.answer).errorCode?.toLowerCase();
  if (word === "duplicatedsignature") return { effect, fault: "lost" };
  if (status >= 500) return { effect, fault: "failed" };
  // With an error code of its own it counts a person's attempts.
  if (status !== 429 || (word ?? "toomanyrequests") !== "toomanyrequests") return undefined;
  return { effect, fault: "limited", retryAfterMs: requestedWaitMs(headers, now()) };
};

const faultOf = ({ phase, code }: TransportError): Fault => {
  if (phase !== "sent") return "unreached";
  if (code === answerTooLarge) return "oversized";
  return code === "ETIMEDOUT" ? "late" : "lost";
};

/** The code of `TransportError` if an answer exceeds the size limit. */
export const answerTooLarge = "AnswerTooLarge";

const describeResult = (result: Result): string => {
  if ("answer" in result) return `answer ${result.answer.status}`;
  return result.error instanceof TransportError ? result.error.code : "no answer";
};

/** A number in [0, 1) from four random bytes. */
export const randomFraction = (random: (bytes: number) => Uint8Array): number =>
  Buffer.from(random(4)).readUInt32BE() / 2 ** 32;
