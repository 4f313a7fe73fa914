/** The outcome of a request: one table decides it; and how to check an unknown one. */

import type { Endpoint } from "../contract/endpoint.ts";
import type { Phase } from "../contract/wire.ts";
import type { Outcome } from "../errors.ts";
import { t, translated } from "../locale/locale.ts";

/** What is known of one request when it is over. */
export type OutcomeEvidence =
  /** No complete answer came. */
  | { readonly phase: Phase }
  /** A complete answer. */
  | {
      readonly status: number;
      /** The service's own word for its refusal, in lower case; undefined if anything may have answered. */
      readonly serviceCode?: string | undefined;
      /** A success has the members that prove execution. */
      readonly isUsable: boolean;
      /** Both clocks explain that the service refused the date of the signature, and reads confirmed it. */
      readonly isSkewExplained?: boolean | undefined;
    };

/** Only a command of several requests is done in part. */
type RequestOutcome = Exclude<Outcome, "partial">;

/**
 * The outcome of one request. A read changes nothing: without an answer it counts as not sent. A
 * write is unknown after anything between a full connection and a full, usable answer: an answer that
 * was cut short, any 5xx (503 included), a time-out (408, 499), a signature that the service has seen
 * before, and every 3xx or 4xx that something between here and the service may have written after the
 * execution. Only the service's own error object is a refusal.
 */
export const outcomeOf = (effect: Endpoint["effect"], evidence: OutcomeEvidence): RequestOutcome =>
  outcomes[signOf(evidence)][effect === "safe" ? "read" : "write"];

type Sign = "unreached" | "unanswered" | "executed" | "declined" | "unproven";

const outcomes: Readonly<Record<Sign, Readonly<Record<"read" | "write", RequestOutcome>>>> = {
  unreached: { read: "not_sent", write: "not_sent" },
  unanswered: { read: "not_sent", write: "unknown" },
  executed: { read: "done", write: "done" },
  declined: { read: "refused", write: "refused" },
  unproven: { read: "refused", write: "unknown" },
};

const signOf = (evidence: OutcomeEvidence): Sign => {
  if ("phase" in evidence) return evidence.phase === "sent" ? "unanswered" : "unreached";
  const { status, serviceCode, isUsable } = evidence;
  if (status >= 200 && status < 300) return isUsable ? "executed" : "unproven";
  // A time-out is not a refusal: the service may still have the request when a gateway no longer waits.
  if (status < 300 || status >= 500 || status === 408 || status === 499) return "unproven";
  if (serviceCode === "duplicatedsignature") return "unproven";
  if (serviceCode === "requesttimetooskewed" && !evidence.isSkewExplained) return "unproven";
  return serviceCode === undefined ? "unproven" : "declined";
};

/** What to do about a request with an unknown outcome: run it again if that is safe, else check. */
export const howToCheck = (endpoint: Endpoint, started: Date, target: string): string => {
  if (endpoint.effect === "settling")
    return endpoint.method === "DELETE"
      ? t`run it again: nothing is done twice; if that fails, it may have been done the first time`
      : t`run it again: nothing is sent or paid twice`;
  return t`do not run it again before you have checked: ${checkFor(endpoint, started, target)}`;
};

const lookAtAccount = "look at the account";

/**
 * The command that shows whether a request made at about `started` was executed. It names the ids in `target`,
 * the path of the request.
 */
export const checkFor = (endpoint: Endpoint, started: Date, target: string): string => {
  const values: Record<string, string> = {};
  const given = (target.split("?")[0] ?? "").split("/");
  for (const [at, part] of endpoint.path.split("/").entries())
    if (part.startsWith(":")) values[part.slice(1)] = given[at] ?? "";
  values.since = `${new Date(started.getTime() - 60_000).toISOString().slice(0, 16)}:00Z`;
  const command = translated(endpoint.checkWith ?? lookAtAccount);
  return command.replace(/<(\w+)>/g, (all, name: string) => values[name] ?? all);
};
