/** Deliberate failures: the effect of faults on a request, and the recipient that breaks the connection. */
import { isSandboxRoute, type UntypedRequest } from "../contract/endpoint.ts";
import { memberOf } from "../json/read-json.ts";
import { type Exchange, refusalAnswer } from "./answer.ts";
import { dropsConnection } from "./rules/recipients.ts";
import { Refusal } from "./service.ts";
import type { FaultRow } from "./store/faults.ts";
import { mix } from "./store/ids.ts";
import type { Store } from "./store/store.ts";

/** The fault that is injected into a request, counted; the first that was added and fits. */
export const nextFault = (store: Store, method: string, target: string): FaultRow | undefined => {
  const path = target.split("?", 1)[0] ?? "";
  if (isSandboxRoute({ path })) return undefined;
  const fault = store.faults
    .all()
    .filter((it) => matches(it.method, method) && matches(it.path, path))
    .find((it) => it.probability === null || happens(store, it.probability));
  if (fault !== undefined) store.faults.recordInjection(fault.seq);
  return fault;
};

/** True with this probability; the same seed gives the same sequence, so that a test can repeat it. */
const happens = (store: Store, probability: number): boolean => {
  const number = store.nextNumber("chance");
  return mix(mix(store.settings.get("idSeed")) ^ number) / 2 ** 32 < probability;
};

/** `*` matches any characters, slashes included. */
const matches = (pattern: string, text: string): boolean => {
  const parts = pattern.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`).test(text);
};

/**
 * The effect of a fault on a request. `perform` is called if the service still does its work; with
 * drop-before, status and rate-limit nothing happens to the request.
 */
export const injectFault = (
  { kind, amount }: FaultRow,
  date: number,
  perform: () => Exchange,
): Exchange => {
  const refused = (refusal: Refusal): Exchange => ({ answer: refusalAnswer(refusal, { date }) });
  switch (kind) {
    case "drop-before":
      return { answer: { status: 0, headers: {}, body: new Uint8Array() }, cut: "whole" };
    case "drop-after":
      return { ...perform(), cut: "whole" };
    case "truncate":
      return { ...perform(), cut: "middle" };
    case "garbage":
      perform();
      return { answer: garbage(date) };
    case "delay":
      return { ...perform(), delayMs: amount };
    case "rate-limit":
      return refused(
        new Refusal(429, "TooManyRequests", "A fault says: too many requests.", {
          headers: { "retry-after": "1" },
        }),
      );
    case "status":
      return refused(new Refusal(amount, codeOf(amount), `A fault says: ${amount}.`));
  }
};

/** A proxy between client and service answers such pages. */
const garbage = (date: number): Exchange["answer"] => ({
  status: 200,
  headers: { "content-type": "text/html", date: new Date(date).toUTCString() },
  body: Buffer.from("<html><body><h1>It works!</h1></body></html>\n"),
});

const codeOf = (status: number): string => {
  if (status >= 500) return "InternalServerError";
  return status === 429 ? "TooManyRequests" : "InjectedFault";
};

/** True if one of the recipients of an accepted send breaks the connection. */
export const breaksConnection = ({ body }: UntypedRequest): boolean => {
  const many = memberOf(body, "messages");
  const messages: unknown[] = Array.isArray(many) ? many : [memberOf(body, "message")];
  const recipients = messages.flatMap((message) => memberOf(message, "to"));
  return recipients.some((to) => typeof to === "string" && dropsConnection(to));
};
