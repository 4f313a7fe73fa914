/** What was made of a request, and how it goes back through either door. */
import type { Answer } from "../contract/wire.ts";

export interface Exchange {
  /** A document is still being written when its transaction is over. */
  readonly answer: Answer | Promise<Answer>;
  /** The request came in, and then the connection breaks: before the answer, or in its middle. */
  readonly cut?: "whole" | "middle" | undefined;
  /** The answer is held back so long. */
  readonly delayMs?: number | undefined;
  /** The access token that the answer issues: `placeholder` stands in its place until it is signed. */
  readonly issued?: IssuedToken | undefined;
}

export interface IssuedToken {
  readonly claims: Readonly<Record<string, unknown>>;
  readonly placeholder: string;
}

/** The answer as it leaves. Throws what `wait` throws when it is stopped. */
export const delayedAnswer = async (
  { answer, delayMs }: Exchange,
  wait: (ms: number, signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<Answer> => {
  if (delayMs !== undefined) await wait(delayMs, signal);
  return answer;
};
