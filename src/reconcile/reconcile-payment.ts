/** Settles a call behind a second factor that got no answer: behind the fence, then by what it left. */

import type { Attempt, CallOptions, Client } from "../client/client.ts";
import { getBalance } from "../contract/cash.ts";
import type { Endpoint } from "../contract/endpoint.ts";
import type { MsgError } from "../errors.ts";
import type { Ports } from "../ports.ts";
import { decidableFrom } from "../send/run/clocks.ts";
import { newRunId } from "../send/store/run-folder.ts";
import { confirmByAccount } from "./evidence/confirm-by-account.ts";
import { type Evidence, findEvidence } from "./evidence/payment-evidence.ts";
import {
  neverExecutedError,
  notDoneError,
  resolveRequest,
  unknownOutcomeError,
} from "./resolve-request.ts";

/** A call whose last attempt got no answer. */
export interface UnansweredCall {
  readonly endpoint: Endpoint;
  readonly attempt: Attempt;
  readonly evidence: Evidence | undefined;
  readonly error: MsgError;
  readonly reconcileMs: number;
  /** The very request of the attempt. */
  readonly repeat: (options: CallOptions) => Promise<unknown>;
}

/** The reply. Throws MsgError: unknown where it stays so, what the service says where it refused. */
export const reconcilePayment = async (
  ctx: Ports,
  client: Client,
  unanswered: UnansweredCall,
): Promise<unknown> => {
  const { endpoint, attempt, evidence, error, reconcileMs, repeat } = unanswered;
  await ctx.note("no clear answer came: asking the service what became of it …");
  const found: { reply?: unknown } = {};
  const signed = attempt.signature !== undefined;
  // Without a signature there is nothing that could be repeated: it stands for the time alone.
  const signature = attempt.signature ?? { date: client.clock.signingDate(), salt: "" };
  const worked = await resolveRequest(ctx, {
    ...{ signature, signed, reconcileMs },
    run: newRunId(ctx.clock.now(), ctx.environment.random),
    bytes: attempt.wire.body ?? Buffer.alloc(0),
    tagged: evidence !== undefined,
    single: {
      read: (call) => client.call(getBalance, {}, call),
      repeat: (call) =>
        confirmed(repeat({ ...call, repeat: attempt }), () =>
          confirmByAccount(client, endpoint, evidence),
        ),
      findEvidence: async (call) => evidence && (await findEvidence(client, evidence, call))?.reply,
    },
    onReply: (reply) => {
      found.reply = reply;
    },
    neverTaken: neverExecutedError(error, "nothing was changed"),
  });
  if (worked.state.chunks[0]?.status === "done") return found.reply;
  throw (
    notDoneError(worked, "nothing was changed") ??
    stillUnknown(unanswered, signed && evidence !== undefined, signature.date, ctx.signal.aborted)
  );
};

const stillUnknown = (
  { error, endpoint }: UnansweredCall,
  looks: boolean,
  date: string,
  stopped: boolean,
): MsgError => {
  const after = looks
    ? `; if it is not there after ${decidableFrom(date)}, it was not done`
    : "; nothing proves that it was not done";
  return unknownOutcomeError(error, endpoint.checkWith ?? "look at the account", {
    after,
    stopped,
  });
};

const confirmed = async (reply: Promise<unknown>, confirming: () => Promise<void>) => {
  const said = await reply;
  await confirming();
  return said;
};
