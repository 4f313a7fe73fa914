/** Requests without an answer: why, in words, and what that means for the request. Loaded when met. */

import type { Endpoint } from "../../contract/endpoint.ts";
import type { TransportError, Wire } from "../../contract/wire.ts";
import { MsgError, runAgain, type Todo } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { answerTooLarge } from "../layers/retry.ts";
import { howToCheck, outcomeOf } from "./outcome.ts";

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
