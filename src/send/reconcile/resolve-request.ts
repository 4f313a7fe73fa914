/** One call outside a run, given to the protocol: a send, or one that moves money. */

import { newSalt } from "../../client/layers/authorization.ts";
import { MsgError, runAgain } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import type { Ports } from "../../ports.ts";
import { signingKeyTail } from "../../session/stored-credentials.ts";
import type { Entry, Signature } from "../protocol/entries.ts";
import type { State } from "../protocol/state.ts";
import { type EngineResult, runEngine } from "../run/engine.ts";
import { quietHoursError } from "../run/hours.ts";
import { pacingCallbacks } from "../run/pacing.ts";
import type { SingleCall } from "../run/single-call.ts";
import type { Journal } from "../store/journal.ts";
import { singleRun } from "./single-run.ts";

export interface SingleRequest {
  /** What it was signed with, where it was made already and its outcome is unknown. */
  readonly signature?: Signature | undefined;
  /** Requests carry a signature: the service refuses the same one twice. */
  readonly signed: boolean;
  readonly reconcileMs: number;
  readonly run: string;
  readonly bytes: Uint8Array;
  /** It can be looked for. */
  readonly tagged: boolean;
  /** Night may fall while it is settled: it is not repeated then. */
  readonly isAdvertising?: boolean | undefined;
  readonly single?: SingleCall | undefined;
  /** What the service says of it in the end. */
  readonly onReply: (reply: unknown) => void;
  readonly onState?: ((state: State) => void) | undefined;
  /** Why it is not made anew once it is certain that it was never taken; without it, it is. */
  readonly neverTaken?: MsgError | undefined;
}

/** Works until it is known what became of it, or its time is over. */
export const resolveRequest = async (ctx: Ports, request: SingleRequest): Promise<EngineResult> => {
  const { now, ticks, wait } = ctx.clock;
  const { random } = ctx.environment;
  const key = request.signed ? signingKeyTail(ctx) : undefined;
  const client = await ctx.session.client();
  return runEngine({
    ...{ now, ticks, random, wait, signal: ctx.signal },
    run: singleRun(ctx, request.bytes, {
      ...{ run: request.run, path: "S", call: "send", tagged: request.tagged },
      ...{ source: "", digest: "", isAdvertising: request.isAdvertising },
    }),
    body: () => request.bytes,
    makeRoom: () => undefined,
    journal: inMemory(
      request.signature ? [{ t: "POST_INTENT", chunk: 0, ...request.signature, key }] : [],
    ),
    isOwn: true,
    client,
    single: request.single,
    key,
    goal: "finish",
    reconcileMs: request.reconcileMs,
    rate: undefined,
    fresh: () => ({ date: client.clock.signingDate(), salt: newSalt(random), key }),
    onState: request.onState ?? (() => undefined),
    onRefused: () => undefined,
    onReply: request.onReply,
    mayStart: async () =>
      request.neverTaken ?? (request.isAdvertising ? quietHoursError(ctx) : undefined),
    ...pacingCallbacks(ctx),
    onLostRecord: () => undefined,
  });
};

/** Long after the request no copy of it can be accepted any more, and none was. */
export const neverExecutedError = (
  { code, where, http, cause }: MsgError,
  nothing: string,
): MsgError =>
  new MsgError("unreachable", t`the request never reached the service; ${nothing}`, {
    ...{ code, where, http, cause },
    retryable: true,
    todo: runAgain,
  });

/**
 * Of a call that was not executed, for certain: why. An operator who stops meanwhile
 * did not wait for what would have been made anew. Undefined where it was executed, or may have been.
 */
export const notDoneError = (
  { state, ending, error }: EngineResult,
  nothing: string,
): MsgError | undefined => {
  const [chunk] = state.chunks;
  if (chunk?.status !== "refused" && chunk?.status !== "planned") return undefined;
  if (ending.type === "stopped" || chunk.status === "refused") return error;
  return new MsgError("interrupted", t`interrupted: the service did not take it`, {
    code: "Interrupted",
    todo: t`${nothing}; run it again`,
    outcome: "not_sent",
  });
};

const inMemory = (entries: readonly Entry[]): Journal => ({
  entries,
  append: () => undefined,
  close: () => undefined,
});
