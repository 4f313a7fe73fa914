/** Settles one call that was not answered: behind the fence, then by looking for its mark (sending.md 1). */
import { certainFrom } from "../../bulk/clocks.ts";
import type { Signature } from "../../bulk/protocol/entries.ts";
import type { RunFile } from "../../bulk/run-file.ts";
import type { Context } from "../../context.ts";
import type { MsgError } from "../../errors.ts";
import { stillUnknown, workOnDoubt } from "./one-doubt.ts";

/** The body of either call, marked with a run of its own. */
export interface OneCall {
  readonly run: string;
  readonly bytes: Uint8Array;
  readonly call: RunFile["call"];
  /** Recipients. */
  readonly rows: number;
  readonly tagged: boolean;
}

/** What became of a call that had to be settled. */
export interface Settled {
  readonly reply: unknown;
  readonly groupId: string;
  readonly accepted: number;
  readonly refused: number;
  readonly cost: number;
}

export interface Doubt {
  readonly signature: Signature;
  readonly error: MsgError;
  readonly settleMs: number;
}

/**
 * Throws MsgError: unknown where it could not be settled, or was not to be (no time for it), and what
 * the service says where it refused.
 */
export const settle = async (ctx: Context, one: OneCall, doubt: Doubt): Promise<Settled> => {
  const { signature, settleMs } = doubt;
  if (settleMs === 0) throw unknown(ctx, one, doubt);
  await ctx.note("no answer came: checking with the service what became of it …");
  const found: { reply?: unknown } = {};
  const { state, error, ending } = await workOnDoubt(ctx, {
    ...one,
    signature,
    settleMs,
    signed: ctx.settings.credentials.value?.kind !== "token",
    onReply: (reply) => {
      found.reply = reply;
    },
  });
  const [chunk] = state.chunks;
  if (chunk?.at === "done" && chunk.accepted + chunk.refused > 0)
    return { ...chunk, reply: found.reply, groupId: chunk.group };
  if (ending.is === "stopped" && chunk?.at === "refused" && error) throw error;
  throw unknown(ctx, one, doubt);
};

const unknown = (ctx: Context, { tagged }: OneCall, { signature, error }: Doubt): MsgError => {
  const after = tagged
    ? `; if it is not there after ${certainFrom(signature.date)}, it was not sent`
    : "; without the run's mark nothing proves that it was not sent";
  const todo = "do not run it again before you have looked: msg message list";
  return stillUnknown(error, todo, { after, stopped: ctx.signal.aborted });
};
