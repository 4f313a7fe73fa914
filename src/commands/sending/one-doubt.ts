/** One call that was not answered, given to the protocol's machine: a send's, or one of money (sending.md 1). */
import { type Worked, work } from "../../bulk/engine.ts";
import type { Journal } from "../../bulk/journal.ts";
import type { Entry, Signature } from "../../bulk/protocol/entries.ts";
import type { RunFile } from "../../bulk/run-file.ts";
import type { SingleCall } from "../../bulk/single-call.ts";
import { newSalt, signingDate } from "../../client/sign.ts";
import type { Context } from "../../context.ts";
import { MsgError } from "../../errors.ts";
import { keyOf } from "./account.ts";
import { aheadOf, quietNow } from "./hours.ts";
import { pacing } from "./pacing.ts";

/** What is in doubt. */
export interface OneDoubt {
  readonly signature: Signature;
  /** Requests carry a signature: there may be a fence. */
  readonly signed: boolean;
  readonly settleMs: number;
  readonly run: string;
  readonly bytes: Uint8Array;
  readonly call: RunFile["call"];
  readonly rows: number;
  /** It can be looked for. */
  readonly tagged: boolean;
  readonly scheduledDate?: string | undefined;
  /** Night may fall while it is settled: it is not repeated then. */
  readonly isAdvertising?: boolean | undefined;
  readonly single?: SingleCall | undefined;
  /** What the service says of it in the end. */
  readonly onReply: (reply: unknown) => void;
  /** Why it is not made anew once it is certain that it was never taken; without it, it is. */
  readonly neverTaken?: MsgError | undefined;
}

/** Works until it is settled, or patience is at its end. */
export const workOnDoubt = async (ctx: Context, doubt: OneDoubt): Promise<Worked> => {
  const { now, ticks, random, wait, signal } = ctx;
  const key = doubt.signed ? keyOf(ctx) : undefined;
  return work({
    ...{ now, ticks, random, wait, signal },
    run: runOf(ctx, doubt),
    body: () => doubt.bytes,
    makeRoom: () => undefined,
    journal: inMemory([{ t: "POST_INTENT", chunk: 0, ...doubt.signature, key }]),
    isOwn: true,
    client: await ctx.client(),
    single: doubt.single,
    key,
    goal: "finish",
    settleMs: doubt.settleMs,
    rate: undefined,
    fresh: () => ({ date: signingDate(now()), salt: newSalt(random), key }),
    onState: () => undefined,
    onRefused: () => undefined,
    onReply: doubt.onReply,
    mayStart: async () => doubt.neverTaken ?? (doubt.isAdvertising ? quietNow(ctx) : undefined),
    aheadMs: doubt.scheduledDate === undefined ? undefined : await aheadOf(ctx),
    ...pacing(ctx),
    onLostRecord: () => undefined,
  });
};

/** Long after the request no copy of it can be accepted any more, and none was. */
export const neverTaken = ({ code, where, http, cause }: MsgError, nothing: string): MsgError =>
  new MsgError("unreachable", `the request never reached the service; ${nothing}`, {
    ...{ code, where, http, cause },
    retryable: true,
    todo: "run it again",
  });

/**
 * Of a call that was not executed, for certain: why. Whoever stops meanwhile did not wait for what would
 * have been made anew. Undefined where it was executed, or nobody knows.
 */
export const whyNotDone = (
  { state, ending, error }: Worked,
  nothing: string,
): MsgError | undefined => {
  const [chunk] = state.chunks;
  if (chunk?.at !== "refused" && chunk?.at !== "planned") return undefined;
  if (ending.is === "stopped" || chunk.at === "refused") return error;
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
export const stillUnknown = (error: MsgError, todo: string, { after, stopped }: Told): MsgError =>
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

const runOf = (
  ctx: Context,
  { run, call, tagged, scheduledDate, isAdvertising, rows, bytes }: OneDoubt,
): RunFile => ({
  ...{ version: 1, run, path: "S", call, tagged, scheduledDate, isAdvertising },
  started: ctx.now().toISOString(),
  profile: ctx.settings.profile.value,
  ...{ account: null, key: null, baseUrl: null, source: "", digest: "" },
  ...{ width: 1, concurrency: 1, strict: false, allowDuplicates: false },
  ...{ total: rows, skipped: 0, messages: rows, price: null, maxCost: null },
  chunks: [{ offset: 0, length: bytes.length, rows, first: 1, sha256: "" }],
});
