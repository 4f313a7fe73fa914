/** Settles one call that was not answered: behind the fence, then by looking for its mark (sending.md 1). */
import { certainFrom } from "../../bulk/clocks.ts";
import type { Signature } from "../../bulk/protocol/entries.ts";
import type { RunFile } from "../../bulk/run-file.ts";
import { signingDate } from "../../client/sign.ts";
import type { Context } from "../../context.ts";
import type { MsgError } from "../../errors.ts";
import { neverTaken, stillUnknown, whyNotDone, workOnDoubt } from "./one-doubt.ts";

/** The body of either call, marked with a run of its own. */
export interface OneCall {
  readonly run: string;
  readonly bytes: Uint8Array;
  readonly call: RunFile["call"];
  /** Recipients. */
  readonly rows: number;
  readonly tagged: boolean;
  /** When it is to go out; at once when left out. */
  readonly scheduledDate?: string | undefined;
  readonly isAdvertising?: boolean | undefined;
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
  /** Undefined where an access token proves who calls. */
  readonly signature: Signature | undefined;
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
  await ctx.note("no clear answer came: asking the service what became of it …");
  const found: { reply?: unknown } = {};
  const worked = await workOnDoubt(ctx, {
    ...one,
    // Without a signature there is nothing that could be repeated: it stands for the time alone.
    signature: signature ?? { date: signingDate(ctx.now()), salt: "" },
    settleMs,
    signed: signature !== undefined,
    // What is made anew long after may come behind the hour that was meant.
    neverTaken:
      one.scheduledDate === undefined ? undefined : neverTaken(doubt.error, "nothing was sent"),
    onReply: (reply) => {
      found.reply = reply;
    },
  });
  const [chunk] = worked.state.chunks;
  if (chunk?.at === "done" && chunk.accepted + chunk.refused > 0)
    return { ...chunk, reply: found.reply, groupId: chunk.group };
  throw whyNotDone(worked, "nothing was sent") ?? unknown(ctx, one, doubt);
};

const unknown = (ctx: Context, { tagged }: OneCall, { signature, error }: Doubt): MsgError => {
  const todo = "do not run it again before you have looked: msg message list";
  const after = afterwards(tagged, signature);
  return stillUnknown(error, todo, { after, stopped: ctx.signal.aborted });
};

/** What a later look proves. */
const afterwards = (tagged: boolean, signature: Signature | undefined): string => {
  if (!tagged) return "; without the run's mark nothing proves that it was not sent";
  if (!signature) return "; a token carries no signature: nothing proves that it was not sent";
  return `; if it is not there after ${certainFrom(signature.date)}, it was not sent`;
};
