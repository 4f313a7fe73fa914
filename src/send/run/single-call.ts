/** The protocol's actions for a single call outside a run: one that moves money. */
import { type CallOptions, detached } from "../../client/client.ts";
import { MsgError } from "../../errors.ts";
import type { Action, Outcome } from "../protocol/actions.ts";
import type { Signature } from "../protocol/entries.ts";
import { okOutcome } from "../protocol/outcomes.ts";

/** How such a call is made once more, and how the service is asked what became of it. */
export interface SingleCall {
  /** Any read that the caller may make. */
  readonly read: (options: CallOptions) => Promise<unknown>;
  /** Makes the very same request; returns the service's reply. */
  readonly repeat: (options: CallOptions) => Promise<unknown>;
  /** What it left behind, as the service's reply would have shown it; undefined if there is nothing. */
  readonly findEvidence: (options: CallOptions) => Promise<unknown>;
}

export interface SingleOptions {
  readonly fresh: () => Signature;
  /** The answer of the call that sent one message, or moved money. */
  readonly onReply: (reply: unknown) => void;
}

/** Performs an action of the paths without groups; undefined for one that is no request. */
export const performSingle = async (
  action: Action,
  single: SingleCall,
  { fresh, onReply }: SingleOptions,
): Promise<Outcome | undefined> => {
  switch (action.type) {
    case "probe":
      return probeReplay(single.read, fresh());
    case "post":
      onReply(await single.repeat(detached));
      return done;
    case "findEvidence": {
      const found = await single.findEvidence(detached);
      if (found === undefined) return { type: "absent" };
      onReply(found);
      return done;
    }
    default:
      return undefined;
  }
};

const done = okOutcome("", { accepted: 1, refused: 0 });

/** 429 without a body, or with the code of a rate; other limits are not a matter of waiting. */
export const isRateLimit = ({ code, http }: MsgError): boolean =>
  http?.status === 429 && /^(toomanyrequests|http_429)$/i.test(code);

/**
 * Makes two overlapping reads with one signature: a replay is safe if exactly one is refused. If the network
 * loses an answer, the client asks again, and the service refuses that as a copy of its own: that proves
 * nothing, nor does a read that failed.
 */
export const probeReplay = async (
  read: SingleCall["read"],
  signature: Signature,
): Promise<Outcome> => {
  const made = { attempts: 0 };
  const onAttempt = (): void => {
    made.attempts += 1;
  };
  const once = (): Promise<unknown> =>
    read({ ...detached, signature, onAttempt }).then(
      () => "read",
      (error: unknown) => error,
    );
  const both: readonly unknown[] = await Promise.all([once(), once()]);
  const errors = both.filter((it) => it instanceof MsgError);
  const waits = errors.filter(isRateLimit).map(({ waitMs = 0 }) => waitMs);
  if (waits.length > 0) return { type: "limited", waitMs: Math.max(...waits) };
  if (made.attempts > both.length || errors.some(hasFailed)) return { type: "unreadable" };
  const isSeen = errors.some(({ code }) => code === "DuplicatedSignature");
  return { type: both.includes("read") && isSeen ? "yes" : "no" };
};

/** The read neither succeeded nor was refused: the service is in trouble, or something else answered. */
const hasFailed = ({ kind, code, http }: MsgError): boolean =>
  kind === "unreachable" || code === "UnreadableAnswer" || (http?.status ?? 0) >= 500;
