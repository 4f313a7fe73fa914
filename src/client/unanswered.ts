/** The errors of requests without an answer: how far they came, what that means and what to do. */

import type { Endpoint } from "../contract/endpoint.ts";
import type { TransportError, Wire } from "../contract/wire.ts";
import { MsgError, runAgain, type Todo } from "../errors.ts";
import { t } from "../locale/locale.ts";
import { answerTooLarge } from "./layers/retry.ts";
import { howToCheck, outcomeOf } from "./outcome.ts";

export interface UnansweredRequest {
  readonly endpoint: Endpoint;
  readonly wire: Wire;
  readonly broken: TransportError;
  readonly started: Date;
  /** The operator stopped it. */
  readonly interrupted: boolean;
}

/** Exit 9 if nothing was sent or changed, 11 if the outcome of a write is unknown. */
export const unansweredError = (request: UnansweredRequest): MsgError => {
  const { endpoint, wire, broken, started, interrupted } = request;
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
