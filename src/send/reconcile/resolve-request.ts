/** One call outside a plan, resolved by the protocol: a send, or one that moves money; and its errors. */

import { hash } from "node:crypto";
import type { Client } from "../../client/client.ts";
import { tokenAccount } from "../../client/token.ts";
import { MsgError } from "../../errors.ts";
import { shownTime, t } from "../../locale/locale.ts";
import type { Ports } from "../../ports.ts";
import { signingKeyTail } from "../../session/stored-credentials.ts";
import { ownerOf } from "../guards/own-run.ts";
import type { Entry, Signature } from "../protocol/entries.ts";
import type { State } from "../protocol/state.ts";
import { decidableFrom } from "../run/clocks.ts";
import { type EngineResult, runEngine } from "../run/engine.ts";
import { engineEnvironment } from "../run/engine-environment.ts";
import { quietHoursError } from "../run/hours.ts";
import type { SingleCall } from "../run/requests.ts";
import { confirmSigningTime } from "../run/signing-time.ts";
import { type RunFile, runFileVersion } from "../store/run-file.ts";

interface SingleRequest {
  /** What it was signed with, if it has already left and its outcome is unknown. */
  readonly signature?: Signature | undefined;
  readonly reconcileMs: number;
  readonly run: string;
  readonly bytes: Uint8Array;
  /** It can be found at the service. */
  readonly tagged: boolean;
  /** Quiet hours may begin while it is reconciled: then it is not repeated. */
  readonly isAdvertising?: boolean | undefined;
  readonly single?: SingleCall | undefined;
  readonly onState?: ((state: State) => void) | undefined;
  /** The error once it is certain that it was never executed; without one it is then sent again. */
  readonly neverTaken?: MsgError | undefined;
}

/** Works until its outcome is known, or `reconcileMs` is over; `reply` is the service's answer to it. */
export const resolveRequest = async (ctx: Ports, request: SingleRequest) => {
  const key = signingKeyTail(ctx);
  const client = await ctx.session.client();
  const { run, bytes, tagged, isAdvertising, signature, single, reconcileMs } = request;
  if (key !== undefined && !signature) await confirmTime(ctx, client);
  const own = { path: "S", call: "send", source: "", digest: "", run, tagged } as const;
  const sent = signature && ({ t: "POST_INTENT", chunk: 0, ...signature, key } as const);
  const entries: readonly Entry[] = sent ? [sent, { t: "DOUBT", chunk: 0 }] : [];
  let reply: unknown;
  const worked = await runEngine({
    ...engineEnvironment(ctx, client, key),
    run: singleRun(ctx, bytes, { ...own, isAdvertising }),
    body: () => bytes,
    makeRoom: () => undefined,
    // Only in memory: no other process resumes such a call.
    journal: { entries, append: () => undefined, close: () => undefined },
    isOwn: true,
    single,
    goal: "finish",
    reconcileMs,
    onState: request.onState ?? (() => undefined),
    onRefused: () => undefined,
    onReply: (found) => {
      reply = found;
    },
    mayStart: async () => request.neverTaken ?? (isAdvertising ? quietHoursError(ctx) : undefined),
    onLostRecord: () => undefined,
  });
  return { ...worked, reply };
};

const confirmTime = async (ctx: Ports, client: Client): Promise<void> => {
  try {
    await confirmSigningTime(ctx, client);
  } catch (error) {
    if (!(error instanceof MsgError) || error.http?.status !== undefined) throw error;
    const { kind, reason, retryable, todo } = error;
    throw error.reworded(kind, t`${reason}; ${t`nothing was sent`}`, { reason, retryable, todo });
  }
};

/**
 * The error of a call that was certainly not executed: the service's refusal, or the operator's stop
 * before it was sent again. Undefined if it was executed, or may have been.
 */
export const notExecutedError = (
  { state, ending, error }: EngineResult,
  nothing: string,
): MsgError | undefined => {
  const [chunk] = state.chunks;
  if (chunk?.status !== "refused" && chunk?.status !== "planned") return undefined;
  if (ending.type === "stopped" || chunk.status === "refused") return error;
  return new MsgError("interrupted", t`interrupted: the service did not take it`, {
    todo: t`${nothing}; run it again`,
    outcome: "not_sent",
  });
};

interface UnknownOutcome {
  readonly deed: "sent" | "done";
  /** What shows whether it was executed: "look before you run it again: msg message list". */
  readonly check: string;
  /** The date that it was signed with, if its absence proves something once that has expired. */
  readonly signed: string | undefined;
  /** Why its absence proves nothing, if that is known. */
  readonly because?: string | undefined;
}

/** How an operator finds out its outcome, and from when its absence is a proof. */
export const howToVerify = ({ deed, check, signed, because }: UnknownOutcome): string => {
  if (signed !== undefined)
    return deed === "sent"
      ? t`${check}; if it is not there after ${shownTime(decidableFrom(signed))}, it was not sent`
      : t`${check}; if it is not shown as done after ${shownTime(decidableFrom(signed))}, it was not done`;
  const reason = because === undefined ? "" : t`${because}: `;
  return deed === "sent"
    ? t`${check}; ${reason}nothing proves that it was not sent`
    : t`${check}; ${reason}nothing proves that it was not done`;
};

/** A send: its absence proves something if it carries a correlation id, and a signature that expires. */
export const unknownSend = (
  check: string,
  tagged: boolean,
  signature: Signature | undefined,
): UnknownOutcome => ({
  deed: "sent",
  check,
  signed: tagged && signature?.key !== undefined ? signature.date : undefined,
  because: tagged ? t`a token carries no signature` : t`without a correlation id`,
});

/** The error of a request that stays unknown; `isStopped`: the operator did not wait for the end. */
export const unknownOutcomeError = (
  error: MsgError,
  outcome: UnknownOutcome,
  isStopped: boolean,
): MsgError =>
  error.reworded(isStopped ? "interrupted" : "unknown", error.message, {
    code: isStopped ? "Interrupted" : error.code,
    todo: howToVerify({ ...outcome, check: error.todo ?? outcome.check }),
    outcome: "unknown",
  });

/** What a run of one request does not say by itself. */
type RunOfOne = Pick<RunFile, "run" | "path" | "call" | "tagged" | "source" | "digest"> &
  Partial<RunFile>;

/** A run of one request; of one message if `messages` is left out. */
export const singleRun = (
  ctx: Ports,
  body: Uint8Array,
  { messages = 1, ...own }: RunOfOne,
): RunFile => ({
  version: runFileVersion,
  started: ctx.clock.now().toISOString(),
  ...ownerOf(ctx, tokenAccount(ctx.settings.credentials.value)),
  price: null,
  maxCost: null,
  width: 1,
  concurrency: 1,
  strict: false,
  allowDuplicates: false,
  total: messages,
  skipped: 0,
  messages,
  chunks: [
    { offset: 0, length: body.length, rows: messages, first: 1, sha256: hash("sha256", body) },
  ],
  ...own,
});
