/** `msg send` to one recipient: one call, and what is done where its outcome is unknown. */

import { readDuration } from "../config/read-duration.ts";
import type { MessageInput } from "../contract/message-records.ts";
import { MsgError } from "../errors.ts";
import type { Ports } from "../ports.ts";
import type { Signature } from "../send/protocol/entries.ts";
import { certainFrom } from "../send/run/clocks.ts";
import type { Worked } from "../send/run/engine.ts";
import { newRunId } from "../send/store/run-folder.ts";
import { keyOf } from "../session/account.ts";
import { stillUnknown, whyNotDone, workOnRequest } from "./resolve-request.ts";

/** A message with the correlation ids of its run and row. */
export const marked = (message: MessageInput, run: string, row: number): MessageInput => ({
  ...message,
  customFields: { ...message.customFields, "msg.run": run, "msg.row": String(row) },
});

/** How a send is reconciled that gets no answer. */
export interface Settling {
  readonly settleMs: number;
  /** Messages carry correlation ids. */
  readonly tagged: boolean;
}

/** A person waits for it. */
const defaultSettleMs = 30_000;

/** Throws MsgError (usage) for what is no length of time: before anything is sent. */
export const settlingOf = (flags: {
  readonly settle?: string | undefined;
  readonly tag?: boolean | undefined;
}): Settling => ({
  tagged: flags.tag !== false,
  settleMs: flags.settle === undefined ? defaultSettleMs : readDuration(flags.settle, "--settle"),
});

export interface SingleSend extends Settling {
  readonly isAdvertising: boolean | undefined;
  readonly bodyOf: (run: string) => unknown;
}

/** The service's record of the message. Throws MsgError. */
export const sendSingle = async (ctx: Ports, send: SingleSend): Promise<unknown> => {
  const { settleMs, isAdvertising } = send;
  const run = newRunId(ctx.now(), ctx.random);
  const found: { reply?: unknown; note?: Promise<void> } = {};
  const worked = await workOnRequest(ctx, {
    ...{ run, settleMs, isAdvertising },
    bytes: Buffer.from(JSON.stringify(send.bodyOf(run))),
    signed: keyOf(ctx) !== undefined,
    // Who gives it no time wants no look either.
    tagged: send.tagged && settleMs > 0,
    onReply: (reply) => {
      found.reply = reply;
    },
    onState: ({ chunks: [chunk] }) => {
      if (chunk?.at === "doubt" && settleMs > 0)
        found.note ??= ctx.note("no clear answer came: asking the service what became of it …");
    },
  });
  await found.note;
  const [chunk] = worked.state.chunks;
  if (chunk?.at === "done" && chunk.accepted + chunk.refused > 0) return found.reply;
  throw whyNotDone(worked, "nothing was sent") ?? unknownOutcome(ctx, send, worked);
};

const unknownOutcome = (ctx: Ports, { tagged }: SingleSend, { state, error }: Worked): MsgError => {
  const [chunk] = state.chunks;
  const signature = chunk && "signature" in chunk ? chunk.signature : undefined;
  const todo = "do not run it again before you have looked: msg message list";
  const after = laterLook(tagged, signature);
  // What a read ended with says nothing of the message.
  const isOfSend = error?.outcome === "unknown";
  const why = isOfSend
    ? error
    : new MsgError("unknown", "the message may or may not have been sent");
  return stillUnknown(why, todo, { after, stopped: ctx.signal.aborted });
};

/** What a later look proves. */
const laterLook = (tagged: boolean, signature: Signature | undefined): string => {
  if (!tagged) return "; without a correlation id nothing proves that it was not sent";
  if (signature?.key === undefined)
    return "; a token carries no signature: nothing proves that it was not sent";
  return `; if it is not there after ${certainFrom(signature.date)}, it was not sent`;
};
