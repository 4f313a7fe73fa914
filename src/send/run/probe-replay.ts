/** Whether the service refuses a repeated request. */
import { type CallOptions, detached } from "../../client/client.ts";
import { MsgError } from "../../errors.ts";
import type { Outcome } from "../protocol/actions.ts";
import type { Signature } from "../protocol/entries.ts";

/** 429 without a body, or with the code of a rate; other limits are not a matter of waiting. */
export const isRateLimit = ({ code, http }: MsgError): boolean =>
  http?.status === 429 && /^(toomanyrequests|http_429)$/i.test(code);

/**
 * Makes two overlapping reads with one signature: a replay is safe if exactly one is refused. If the network
 * loses an answer, the client asks again, and the service refuses that as a copy of its own: that proves
 * nothing, nor does a read that failed. `read` is any that the caller may make.
 */
export const probeReplay = async (
  read: (options: CallOptions) => Promise<unknown>,
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
