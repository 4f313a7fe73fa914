/** The outcome of a request: one table decides it; how to check an unknown one; the error if no answer came. */

import type { Endpoint } from "../contract/endpoint.ts";
import type { Phase, TransportError, Wire } from "../contract/wire.ts";
import { MsgError, runAgain, type Todo } from "../errors.ts";
import { t, translated } from "../locale/locale.ts";
import { answerTooLarge } from "./layers/retry.ts";

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

export type Verdict = "not_sent" | "refused" | "done" | "unknown";

/**
 * The verdict on one request. A read changes nothing: without an answer it counts as not sent. A
 * write is unknown after anything between a full connection and a full, usable answer: an answer that
 * was cut short, any 5xx (503 included), a time-out (408, 499), a signature that the service has seen
 * before, and every 3xx or 4xx that something between here and the service may have written after the
 * execution. Only the service's own error object is a refusal.
 */
export const outcomeOf = (effect: Endpoint["effect"], evidence: OutcomeEvidence): Verdict =>
  verdicts[signOf(evidence)][effect === "safe" ? "read" : "write"];

type Sign = "unreached" | "unanswered" | "executed" | "declined" | "unproven";

const verdicts: Readonly<Record<Sign, Readonly<Record<"read" | "write", Verdict>>>> = {
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

/**
 * The command that shows whether a request made at about `started` was executed; it names an id in
 * `target`, the path of the request.
 */
export const howToCheck = (endpoint: Endpoint, started: Date, target: string): string => {
  if (endpoint.effect === "settling") return t`run it again: nothing is sent or paid twice`;
  return t`do not run it again before you have checked: ${checkFor(endpoint, started, target)}`;
};

const lookAtAccount = "look at the account";

/** That command alone. */
export const checkFor = (endpoint: Endpoint, started: Date, target: string): string => {
  const values: Record<string, string> = {};
  const given = (target.split("?")[0] ?? "").split("/");
  for (const [at, part] of endpoint.path.split("/").entries())
    if (part.startsWith(":")) values[part.slice(1)] = given[at] ?? "";
  values.since = `${new Date(started.getTime() - 60_000).toISOString().slice(0, 16)}:00Z`;
  const command = translated(endpoint.checkWith ?? lookAtAccount);
  return command.replace(/<(\w+)>/g, (all, name: string) => values[name] ?? all);
};

export interface UnansweredRequest {
  readonly endpoint: Endpoint;
  readonly wire: Wire;
  readonly broken: TransportError;
  readonly started: Date;
  /** The operator stopped it. */
  readonly interrupted: boolean;
}

/** Exit 9 if nothing was sent or changed, 11 if the outcome of a write is unknown. */
export const unansweredError = ({
  endpoint,
  wire,
  broken,
  started,
  interrupted,
}: UnansweredRequest): MsgError => {
  const { phase, code, message } = broken;
  const outcome = outcomeOf(endpoint.effect, { phase });
  const path = wire.target.split("?")[0] ?? "";
  const common = {
    code: interrupted ? "Interrupted" : code,
    where: `${code}, ${wire.method} ${path}`,
    http: { method: wire.method, path },
    outcome,
    cause: broken,
  };
  if (outcome === "unknown") {
    const what = t`${message}; the request had left, it may or may not have been executed`;
    return new MsgError(interrupted ? "interrupted" : "unknown", what, {
      ...common,
      retryable: endpoint.effect === "settling",
      todo: howToCheck(endpoint, started, wire.target),
    });
  }
  const nothing = endpoint.effect === "safe" ? t`nothing was changed` : t`nothing was sent`;
  const what = t`${message}; ${nothing}`;
  const options = { ...common, reason: message };
  if (interrupted) return new MsgError("interrupted", what, { ...options, todo: runAgain });
  if (code === answerTooLarge)
    return new MsgError("refused", what, {
      ...options,
      outcome: "refused",
      todo: t`ask for less: --limit, --since, --until`,
    });
  return new MsgError("unreachable", what, { ...options, retryable: true, todo: todoOf(broken) });
};

/** The operator stopped before the request was made, or between two attempts that did nothing. */
export const stoppedError = (wire: Wire, reason: string): MsgError =>
  new MsgError(
    "interrupted",
    t`${reason}; ${wire.method === "GET" ? t`nothing was changed` : t`nothing was sent`}`,
    { reason, where: `${wire.method} ${wire.target.split("?")[0]}`, todo: runAgain },
  );

const todoOf = ({ phase, code }: TransportError): Todo => {
  if (code.startsWith("Proxy"))
    return ({ again = t`run it again` }) =>
      t`check HTTPS_PROXY, or name the host in NO_PROXY to bypass the proxy; then ${again}`;
  if (phase === "insecure")
    return t`check the date of this machine and the address of the service; for a private certificate authority, set NODE_EXTRA_CA_CERTS`;
  if (/^(ENOTFOUND|EAI_AGAIN)$/.test(code))
    return ({ again = t`run it again` }) =>
      t`check the network and the address of the service: msg profile show; then ${again}`;
  return ({ again = t`run it again` }) =>
    t`${again}; msg profile show names the address that is called`;
};
