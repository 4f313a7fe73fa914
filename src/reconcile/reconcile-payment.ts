/** Reconciles a call with a second factor that got no answer: by its signature, then by its evidence. */

import { type Attempt, type CallOptions, type Client, clientWith } from "../client/client.ts";
import { getBalance } from "../contract/cash.ts";
import type { Endpoint } from "../contract/endpoint.ts";
import { MsgError, runAgain } from "../errors.ts";
import { t } from "../locale/locale.ts";
import type { Ports } from "../ports.ts";
import {
  notExecutedError,
  resolveRequest,
  unknownOutcomeError,
} from "../send/reconcile/resolve-request.ts";
import { newRunId } from "../send/store/run-folder.ts";
import {
  confirmByAccount,
  type Evidence,
  findEvidence,
  isFindable,
  reportCopies,
} from "./payment-evidence.ts";

/** A call whose last attempt got no answer. */
export interface UnansweredCall {
  readonly endpoint: Endpoint;
  readonly attempt: Attempt;
  readonly evidence: Evidence | undefined;
  readonly error: MsgError;
  readonly reconcileMs: number;
  /** The command that shows whether it was executed. */
  readonly check: string;
  /** The very request of the attempt. */
  readonly repeat: (options: CallOptions) => Promise<unknown>;
}

/** Returns the reply. Throws MsgError: unknown if it stays so, the service's error if it refused. */
export const reconcilePayment = async (
  ctx: Ports,
  client: Client,
  unanswered: UnansweredCall,
): Promise<unknown> => {
  const { endpoint, attempt, evidence, error, reconcileMs, check, repeat } = unanswered;
  await ctx.note(t`no clear answer came: asking the service what became of it …`);
  // Without a signature nothing can be repeated: this one only carries the time.
  const signature = attempt.signature ?? { date: client.clock.signingDate(), salt: "" };
  const worked = await resolveRequest(ctx, {
    signature,
    reconcileMs,
    run: newRunId(ctx.clock.now(), ctx.environment.random),
    bytes: attempt.wire.body ?? Buffer.alloc(0),
    tagged: isFindable(evidence),
    single: {
      read: (call) => client.call(getBalance, {}, call),
      repeat: async (call) => {
        const found = await repeat({ ...call, repeat: attempt });
        await confirmByAccount(client, endpoint, evidence, check);
        return found;
      },
      findEvidence: (call) => findReply(ctx, clientWith(client, call), unanswered),
    },
    neverTaken: neverExecutedError(error),
  });
  if (worked.state.chunks[0]?.status === "done") return worked.reply;
  const signed = isFindable(evidence) ? attempt.signature?.date : undefined;
  throw (
    notExecutedError(worked, t`nothing was changed`) ??
    unknownOutcomeError(error, { deed: "done", check, signed }, ctx.signal.aborted)
  );
};

const findReply = async (
  ctx: Ports,
  client: Client,
  { evidence, check }: UnansweredCall,
): Promise<unknown> => {
  if (!isFindable(evidence)) return undefined;
  const found = await findEvidence(client, evidence);
  await reportCopies(ctx, found, check);
  return found?.reply;
};

/** Long after the request no copy of it can be accepted any longer, and none was. */
const neverExecutedError = ({ code, where, http, cause }: MsgError): MsgError => {
  const what = t`the request never reached the service; nothing was changed`;
  const options = { code, where, http, cause, retryable: true, todo: runAgain };
  return new MsgError("unreachable", what, options);
};
