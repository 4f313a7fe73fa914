/** What became of a request: this one table decides it. */
import type { Endpoint } from "../../contract/endpoint.ts";
import type { Phase } from "../../contract/wire.ts";

export type Effect = Endpoint["effect"];

/** What is known of one request when it is over. */
export type OutcomeEvidence =
  /** No complete answer came. */
  | { readonly phase: Phase }
  /** A complete answer. */
  | {
      readonly status: number;
      /** The service's own word for its refusal, in lower case; undefined where anyone may have answered. */
      readonly serviceCode?: string | undefined;
      /** A success has the members that prove execution. */
      readonly usable: boolean;
      /** Both clocks explain that the service refused the date of the signature. */
      readonly isSkewExplained?: boolean | undefined;
    };

export type Verdict = "not_sent" | "refused" | "done" | "unknown";

/**
 * The verdict on one request. A read changes nothing: without an answer it counts as not sent. For
 * writes everything between a full connection and a full, usable answer is unknown: an answer that
 * was cut short, any 5xx (503 included), a time-out (408, 499), a signature that the service has seen
 * before, and every 3xx or 4xx that something between here and the service may have written once the
 * service had executed the request. Only the service's own error object is a refusal.
 */
export const outcomeOf = (effect: Effect, evidence: OutcomeEvidence): Verdict =>
  verdicts[signOf(evidence)][effect === "safe" ? "read" : "write"];

type Sign =
  | "unreached"
  | "unanswered"
  | "executed"
  | "unreadable"
  | "declined"
  | "foreign"
  | "seen"
  | "failed";

const verdicts: Readonly<Record<Sign, Readonly<Record<"read" | "write", Verdict>>>> = {
  unreached: { read: "not_sent", write: "not_sent" },
  unanswered: { read: "not_sent", write: "unknown" },
  executed: { read: "done", write: "done" },
  unreadable: { read: "refused", write: "unknown" },
  declined: { read: "refused", write: "refused" },
  foreign: { read: "refused", write: "unknown" },
  seen: { read: "refused", write: "unknown" },
  failed: { read: "refused", write: "unknown" },
};

const signOf = (evidence: OutcomeEvidence): Sign => {
  if ("phase" in evidence) return evidence.phase === "sent" ? "unanswered" : "unreached";
  const { status, serviceCode, usable } = evidence;
  if (status >= 200 && status < 300) return usable ? "executed" : "unreadable";
  if (serviceCode === "duplicatedsignature") return "seen";
  // A time-out is no refusal, nor is a gateway's loss of patience: whoever was waited for may have the request.
  if (status < 300 || status >= 500 || status === 408 || status === 499) return "failed";
  if (serviceCode === "requesttimetooskewed")
    return evidence.isSkewExplained ? "declined" : "foreign";
  return serviceCode === undefined ? "foreign" : "declined";
};
