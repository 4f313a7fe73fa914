/** The outcome of a request: one table decides it; how to check an unknown one; the error where no answer came. */

import type { Endpoint } from "../contract/endpoint.ts";
import type { Phase, TransportError, Wire } from "../contract/wire.ts";
import { MsgError, runAgain, type Todo } from "../errors.ts";
import { t, translated } from "../locale/locale.ts";
import { answerTooLarge } from "./layers/retry.ts";

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
      readonly isUsable: boolean;
      /** Both clocks explain that the service refused the date of the signature, and reads confirmed it. */
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
  const { status, serviceCode, isUsable } = evidence;
  if (status >= 200 && status < 300) return isUsable ? "executed" : "unreadable";
  if (serviceCode === "duplicatedsignature") return "seen";
  // A time-out is not a refusal: the service may have the request that a gateway no longer waits for.
  if (status < 300 || status >= 500 || status === 408 || status === 499) return "failed";
  if (serviceCode === "requesttimetooskewed")
    return evidence.isSkewExplained ? "declined" : "foreign";
  return serviceCode === undefined ? "foreign" : "declined";
};

/**
 * The command that shows whether a request of about `started` was executed. `target` is the path that
 * it was sent to: an id in it is named.
 */
export const howToCheck = (endpoint: Endpoint, started: Date, target: string): string => {
  if (endpoint.effect === "settling") return t`run it again: a second time changes nothing more`;
  return t`do not run it again before you have checked: ${checkFor(endpoint, started, target)}`;
};

const lookAtAccount = "look at the account";

/** That command alone. */
export const checkFor = (endpoint: Endpoint, started: Date, target: string): string => {
  const since = `${new Date(started.getTime() - 60_000).toISOString().slice(0, 16)}:00Z`;
  const values: Readonly<Record<string, string>> = { ...idsIn(endpoint, target), since };
  const command = translated(endpoint.checkWith ?? lookAtAccount);
  return command.replace(/<(\w+)>/g, (all, name: string) => values[name] ?? all);
};

/** The path parameters of a request, read off its target. */
const idsIn = ({ path }: Endpoint, target: string): Readonly<Record<string, string>> => {
  const given = (target.split("?")[0] ?? "").split("/");
  return Object.fromEntries(
    path
      .split("/")
      .flatMap((part, at) => (part.startsWith(":") ? [[part.slice(1), given[at] ?? ""]] : [])),
  );
};

export interface UnansweredRequest {
  readonly endpoint: Endpoint;
  readonly wire: Wire;
  readonly broken: TransportError;
  readonly started: Date;
  /** The operator stopped it. */
  readonly interrupted: boolean;
}

/** Exit 9 where nothing was sent or changed, 11 where a write is in doubt. */
export const unansweredError = ({
  endpoint,
  wire,
  broken,
  started,
  interrupted,
}: UnansweredRequest): MsgError => {
  const { phase, code } = broken;
  const outcome = outcomeOf(endpoint.effect, { phase });
  const path = wire.target.split("?")[0] ?? "";
  const place = {
    code: interrupted ? "Interrupted" : code,
    where: `${code}, ${wire.method} ${path}`,
    http: { method: wire.method, path },
    outcome,
    cause: broken,
  };
  if (outcome === "unknown") {
    const kind = interrupted ? "interrupted" : "unknown";
    const retryable = endpoint.effect === "settling";
    const what = t`${broken.message}; the request had left, it may or may not have been executed`;
    return new MsgError(kind, what, {
      ...place,
      retryable,
      todo: howToCheck(endpoint, started, wire.target),
    });
  }
  const nothing = endpoint.effect === "safe" ? t`nothing was changed` : t`nothing was sent`;
  const what = t`${broken.message}; ${nothing}`;
  const facts = { ...place, reason: broken.message };
  if (interrupted) return new MsgError("interrupted", what, { ...facts, todo: runAgain });
  if (code === answerTooLarge)
    return new MsgError("refused", what, {
      ...facts,
      outcome: "refused",
      todo: t`ask for less: --limit, --since, --until`,
    });
  return new MsgError("unreachable", what, { ...facts, retryable: true, todo: todoOf(broken) });
};

/** The operator stopped before the request was made. */
export const notStartedError = (wire: Wire): MsgError => stoppedAt(wire, t`interrupted`);

/** The operator stopped while an attempt was being waited for; the one before did nothing. */
export const stoppedWaitingError = (wire: Wire): MsgError =>
  stoppedAt(wire, t`interrupted between two attempts`);

const stoppedAt = (wire: Wire, what: string): MsgError =>
  new MsgError(
    "interrupted",
    t`${what}; ${wire.method === "GET" ? t`nothing was changed` : t`nothing was sent`}`,
    {
      reason: what,
      where: `${wire.method} ${wire.target.split("?")[0]}`,
      todo: runAgain,
    },
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
