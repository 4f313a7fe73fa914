/** One call that sends, and what is done when no answer comes: it is settled, never repeated blindly. */

import { assertOnTime } from "../../bulk/on-time.ts";
import { newRunId } from "../../bulk/run-folder.ts";
import type { Attempt } from "../../client/client.ts";
import type { Context } from "../../context.ts";
import type { Endpoint, Input, Reply } from "../../contract/endpoint.ts";
import type { MessageInput } from "../../contract/message-records.ts";
import type { sendMany, sendManyDetail, sendMessage } from "../../contract/messages.ts";
import { MsgError } from "../../errors.ts";
import { readDuration } from "../line/durations.ts";
import { aheadOf } from "./hours.ts";
import type { OneCall, Settled } from "./settle.ts";

/** A message with the mark of its run and row. */
export const marked = (message: MessageInput, run: string, row: number): MessageInput => ({
  ...message,
  customFields: { ...message.customFields, "msg.run": run, "msg.row": String(row) },
});

export const newCall = (
  ctx: Context,
  of: Omit<OneCall, "run" | "bytes">,
  bodyOf: (run: string) => unknown,
): OneCall => {
  const run = newRunId(ctx.now(), ctx.random);
  return { ...of, run, bytes: Buffer.from(JSON.stringify(bodyOf(run))) };
};

/** How a send is settled that gets no answer. */
export interface Settling {
  readonly settleMs: number;
  /** Messages carry the run's mark. */
  readonly tagged: boolean;
}

/** A person waits for it. */
const usualSettleMs = 30_000;

/** Throws MsgError (usage) for what is no length of time: before anything is sent. */
export const settlingOf = (flags: {
  readonly settle?: string | undefined;
  readonly tag?: boolean | undefined;
}): Settling => ({
  tagged: flags.tag !== false,
  settleMs: flags.settle === undefined ? usualSettleMs : readDuration(flags.settle, "--settle"),
});

export interface Once<E extends Endpoint, T> {
  readonly one: OneCall;
  readonly settleMs: number;
  /** What an answer says of the call; undefined where it proves nothing. */
  readonly read: (reply: Reply<E>) => T | undefined;
}

/** Sends, and settles what gets no answer, or none that proves anything. Throws MsgError. */
export const sendOnce = async <
  E extends typeof sendMessage | typeof sendMany | typeof sendManyDetail,
  T,
>(
  ctx: Context,
  endpoint: E,
  input: Input<E>,
  { one, settleMs, read }: Once<E, T>,
): Promise<{ readonly answer: T } | Settled> => {
  const client = await ctx.client();
  const last: { attempt?: Attempt } = {};
  const aheadMs = one.scheduledDate === undefined ? 0 : ((await aheadOf(ctx)) ?? 0);
  const onAttempt = (attempt: Attempt): void => {
    assertOnTime(one.scheduledDate, () => ctx.now().getTime() + aheadMs);
    last.attempt = attempt;
  };
  try {
    const answer = read(await client.call(endpoint, input, { bytes: one.bytes, onAttempt }));
    if (answer !== undefined) return { answer };
    throw unproven(endpoint);
  } catch (error) {
    const { attempt } = last;
    if (!(error instanceof MsgError) || error.kind !== "unknown" || !attempt) throw error;
    // Most sends are answered: what settles a doubt is loaded when there is one.
    const { settle } = await import("./settle.ts");
    return settle(ctx, one, { signature: attempt.signature, error, settleMs });
  }
};

const unproven = ({ method, path }: Endpoint): MsgError =>
  new MsgError("unknown", "the service's answer does not say what became of the call's messages", {
    code: "UnreadableAnswer",
    where: `${method} ${path}`,
    outcome: "unknown",
  });
