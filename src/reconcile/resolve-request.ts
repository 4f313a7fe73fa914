/** One call outside a run, given to the protocol's machine: a send's, or one of money. */

import { newSalt } from "../client/layers/sign.ts";
import { MsgError } from "../errors.ts";
import type { Ports } from "../ports.ts";
import type { Entry, Signature } from "../send/protocol/entries.ts";
import type { State } from "../send/protocol/state.ts";
import { type EngineResult, runEngine } from "../send/run/engine.ts";
import { quietHoursError } from "../send/run/hours.ts";
import { pacingCallbacks } from "../send/run/pacing.ts";
import type { SingleCall } from "../send/run/single-call.ts";
import type { Journal } from "../send/store/journal.ts";
import type { RunFile } from "../send/store/run-file.ts";
import { signingKeyTail } from "../session/account.ts";

export interface SingleRequest {
  /** What it was signed with, where it was made already and its outcome is unknown. */
  readonly signature?: Signature | undefined;
  /** Requests carry a signature: there may be a fence. */
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

/** Works until it is known what became of it, or patience is at its end. */
export const resolveRequest = async (ctx: Ports, doubt: SingleRequest): Promise<EngineResult> => {
  const {
    clock: { now, ticks, wait },
    environment: { random },
    signal,
  } = ctx;
  const key = doubt.signed ? signingKeyTail(ctx) : undefined;
  const client = await ctx.session.client();
  return runEngine({
    ...{ now, ticks, random, wait, signal },
    run: runOf(ctx, doubt),
    body: () => doubt.bytes,
    makeRoom: () => undefined,
    journal: inMemory(
      doubt.signature ? [{ t: "POST_INTENT", chunk: 0, ...doubt.signature, key }] : [],
    ),
    isOwn: true,
    client,
    single: doubt.single,
    key,
    goal: "finish",
    reconcileMs: doubt.reconcileMs,
    rate: undefined,
    fresh: () => ({ date: client.clock.signingDate(), salt: newSalt(random), key }),
    onState: doubt.onState ?? (() => undefined),
    onRefused: () => undefined,
    onReply: doubt.onReply,
    mayStart: async () =>
      doubt.neverTaken ?? (doubt.isAdvertising ? quietHoursError(ctx) : undefined),
    ...pacingCallbacks(ctx),
    onLostRecord: () => undefined,
  });
};

/** Long after the request no copy of it can be accepted any more, and none was. */
export const neverExecutedError = (
  { code, where, http, cause }: MsgError,
  nothing: string,
): MsgError =>
  new MsgError("unreachable", `the request never reached the service; ${nothing}`, {
    ...{ code, where, http, cause },
    retryable: true,
    todo: "run it again",
  });

/**
 * Of a call that was not executed, for certain: why. Whoever stops meanwhile did not wait for what would
 * have been made anew. Undefined where it was executed, or nobody knows.
 */
export const notDoneError = (
  { state, ending, error }: EngineResult,
  nothing: string,
): MsgError | undefined => {
  const [chunk] = state.chunks;
  if (chunk?.status !== "refused" && chunk?.status !== "planned") return undefined;
  if (ending.type === "stopped" || chunk.status === "refused") return error;
  return new MsgError("interrupted", "interrupted: the service did not take it", {
    code: "Interrupted",
    todo: `${nothing}; run it again`,
    outcome: "not_sent",
  });
};

interface Told {
  /** From when on looking decides it. */
  readonly after: string;
  /** The operator did not wait for the end. */
  readonly stopped: boolean;
}

/** The doubt as it is told. */
export const unknownOutcomeError = (
  error: MsgError,
  todo: string,
  { after, stopped }: Told,
): MsgError =>
  new MsgError(stopped ? "interrupted" : "unknown", error.message, {
    code: stopped ? "Interrupted" : error.code,
    where: error.where,
    todo: `${error.todo ?? todo}${after}`,
    outcome: "unknown",
    http: error.http,
    api: error.api,
    cause: error,
  });

const inMemory = (entries: readonly Entry[]): Journal => ({
  entries,
  append: () => undefined,
  close: () => undefined,
});

const runOf = (ctx: Ports, { run, tagged, isAdvertising, bytes }: SingleRequest): RunFile => ({
  ...{ version: 1, run, path: "S", call: "send", tagged, isAdvertising },
  started: ctx.clock.now().toISOString(),
  profile: ctx.settings.profile.value,
  ...{ account: null, key: null, baseUrl: null, source: "", digest: "" },
  ...{ width: 1, concurrency: 1, strict: false, allowDuplicates: false },
  ...{ total: 1, skipped: 0, messages: 1, price: null, maxCost: null },
  chunks: [{ offset: 0, length: bytes.length, rows: 1, first: 1, sha256: "" }],
});
