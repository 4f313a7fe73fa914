/** Settles a call behind a second factor that got no answer: behind the fence, then by what it left. */

import type { Attempt, CallOptions, Client } from "../client/client.ts";
import { getBalance } from "../contract/cash.ts";
import type { Endpoint } from "../contract/endpoint.ts";
import type { MsgError } from "../errors.ts";
import type { Ports } from "../ports.ts";
import { certainFrom } from "../send/run/clocks.ts";
import { newRunId } from "../send/store/run-folder.ts";
import { confirm } from "./evidence/confirm-by-account.ts";
import { look, type Sought } from "./evidence/payment-evidence.ts";
import { neverTaken, stillUnknown, whyNotDone, workOnRequest } from "./resolve-request.ts";

/** A call whose last attempt got no answer. */
export interface Unanswered {
  readonly endpoint: Endpoint;
  readonly attempt: Attempt;
  readonly evidence: Sought | undefined;
  readonly error: MsgError;
  readonly settleMs: number;
  /** The very request of the attempt. */
  readonly repeat: (options: CallOptions) => Promise<unknown>;
}

/** The reply. Throws MsgError: unknown where it stays so, what the service says where it refused. */
export const settleCall = async (
  ctx: Ports,
  client: Client,
  unanswered: Unanswered,
): Promise<unknown> => {
  const { endpoint, attempt, evidence, error, settleMs, repeat } = unanswered;
  await ctx.note("no clear answer came: asking the service what became of it …");
  const found: { reply?: unknown } = {};
  const signed = attempt.signature !== undefined;
  // Without a signature there is nothing that could be repeated: it stands for the time alone.
  const signature = attempt.signature ?? { date: client.clock.signingDate(), salt: "" };
  const worked = await workOnRequest(ctx, {
    ...{ signature, signed, settleMs },
    run: newRunId(ctx.now(), ctx.random),
    bytes: attempt.wire.body ?? Buffer.alloc(0),
    tagged: evidence !== undefined,
    single: {
      read: (call) => client.call(getBalance, {}, call),
      repeat: (call) =>
        confirmed(repeat({ ...call, repeat: attempt }), () => confirm(client, endpoint, evidence)),
      look: async (call) => evidence && (await look(client, evidence, call))?.reply,
    },
    onReply: (reply) => {
      found.reply = reply;
    },
    neverTaken: neverTaken(error, "nothing was changed"),
  });
  const [chunk] = worked.state.chunks;
  if (chunk?.at === "done") return found.reply;
  const whyNot = whyNotDone(worked, "nothing was changed");
  if (whyNot) throw whyNot;
  const looks = evidence !== undefined && signed;
  const after = looks
    ? `; if it is not there after ${certainFrom(signature.date)}, it was not done`
    : "; nothing proves that it was not done";
  throw stillUnknown(error, endpoint.look ?? "look at the account", {
    after,
    stopped: ctx.signal.aborted,
  });
};

const confirmed = async (reply: Promise<unknown>, confirming: () => Promise<void>) => {
  const said = await reply;
  await confirming();
  return said;
};
