/** One call that sends, and what is done when no answer comes: it is settled, never repeated blindly. */

import { newRunId } from "../../bulk/run-folder.ts";
import type { Attempt } from "../../client/client.ts";
import type { Context } from "../../context.ts";
import type { Input, Reply } from "../../contract/endpoint.ts";
import type { MessageInput } from "../../contract/message-records.ts";
import type { sendMany, sendMessage } from "../../contract/messages.ts";
import { MsgError } from "../../errors.ts";
import type { OneCall, Settled } from "./settle.ts";

/** A message with the mark of its run and row. */
export const marked = (message: MessageInput, run: string, row: number): MessageInput => ({
  ...message,
  customFields: { ...message.customFields, "msg.run": run, "msg.row": String(row) },
});

export const newCall = (
  ctx: Context,
  of: Pick<OneCall, "call" | "rows" | "tagged">,
  bodyOf: (run: string) => unknown,
): OneCall => {
  const run = newRunId(ctx.now(), ctx.random);
  return { ...of, run, bytes: Buffer.from(JSON.stringify(bodyOf(run))) };
};

/** Sends; `settle` is what a doubt leads to. The reply is the service's own where it came. */
export const sendOnce = async <E extends typeof sendMessage | typeof sendMany>(
  ctx: Context,
  endpoint: E,
  input: Input<E>,
  one: OneCall,
  settleMs: number,
): Promise<{ readonly reply: Reply<E> } | Settled> => {
  const client = await ctx.client();
  const last: { attempt?: Attempt } = {};
  const onAttempt = (attempt: Attempt): void => {
    last.attempt = attempt;
  };
  try {
    return { reply: await client.call(endpoint, input, { bytes: one.bytes, onAttempt }) };
  } catch (error) {
    const signature = last.attempt?.signature;
    const doubt = error instanceof MsgError && error.kind === "unknown" && signature;
    if (!doubt) throw error;
    // Most sends are answered: what settles a doubt is loaded when there is one.
    const { settle } = await import("./settle.ts");
    return settle(ctx, one, { signature: doubt, error, settleMs });
  }
};
