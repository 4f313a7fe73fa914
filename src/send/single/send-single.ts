/** `msg send` to one recipient: one call, which is reconciled if it gets no clear answer. */

import type { Input } from "../../contract/endpoint.ts";
import type { sendMessage } from "../../contract/messages.ts";
import { MsgError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import type { Ports } from "../../ports.ts";
import { withCorrelationId } from "../messages/correlation.ts";
import {
  notExecutedError,
  resolveRequest,
  unknownOutcomeError,
  unknownSend,
} from "../reconcile/resolve-request.ts";
import type { EngineResult } from "../run/engine.ts";
import { type RunFlags, reconcileMsOf } from "../start/run-flags.ts";
import { newRunId } from "../store/run-folder.ts";

export interface SingleSend {
  readonly body: SendBody;
  readonly isAdvertising: boolean | undefined;
  readonly tagged: boolean;
  /** How long it is reconciled if it gets no answer. */
  readonly reconcileMs: number;
}

/** A person waits for it. */
const defaultReconcileMs = 30_000;

/** Throws MsgError (usage) for an invalid duration, before anything is sent. */
export const sendOf = (
  body: SendBody,
  { ad, tag, settle }: Pick<RunFlags, "ad" | "tag" | "settle">,
): SingleSend => ({
  body,
  isAdvertising: ad,
  tagged: tag !== false,
  reconcileMs: reconcileMsOf(settle, defaultReconcileMs),
});

export type SendBody = NonNullable<Input<typeof sendMessage>["body"]>;

/** The body as it leaves for one recipient. */
export const bodyOf = ({ body, tagged }: SingleSend, run: string): SendBody =>
  tagged ? { ...body, message: withCorrelationId(body.message, run, 1) } : body;

/** The service's record of the message. Throws MsgError. */
export const sendSingle = async (ctx: Ports, send: SingleSend): Promise<unknown> => {
  const { reconcileMs, isAdvertising } = send;
  const run = newRunId(ctx.clock.now(), ctx.environment.random);
  let note: Promise<void> | undefined;
  const worked = await resolveRequest(ctx, {
    run,
    reconcileMs,
    isAdvertising,
    bytes: Buffer.from(JSON.stringify(bodyOf(send, run))),
    // No time to reconcile means no look either.
    tagged: send.tagged && reconcileMs > 0,
    onState: ({ chunks: [chunk] }) => {
      if (chunk?.status === "unknown" && reconcileMs > 0)
        note ??= ctx.note(t`no clear answer came: asking the service what became of it …`);
    },
  });
  await note;
  const [chunk] = worked.state.chunks;
  if (chunk?.status === "done" && chunk.accepted + chunk.refused > 0) return worked.reply;
  throw notExecutedError(worked, t`nothing was sent`) ?? stillUnknownError(ctx, send, worked);
};

const stillUnknownError = (
  ctx: Ports,
  { tagged }: SingleSend,
  { state, error }: EngineResult,
): MsgError => {
  const [chunk] = state.chunks;
  const signature = chunk && "signature" in chunk ? chunk.signature : undefined;
  // The error of a read says nothing of the message.
  const reason =
    error?.outcome === "unknown"
      ? error
      : new MsgError("unknown", t`the message may or may not have been sent`);
  const check = t`do not run it again before you have looked: msg message list`;
  return unknownOutcomeError(reason, unknownSend(check, tagged, signature), ctx.signal.aborted);
};
