/**
 * Calls with a second factor: each is recorded before it leaves, and one without an answer is reconciled, by its
 * signature and then by its evidence, never made again with another signature.
 */

import {
  type Attempt,
  type CallOptions,
  type Client,
  clientWith,
  detached,
} from "../client/client.ts";
import { asReply } from "../client/codec.ts";
import type { Conversation } from "../client/layers/second-factor.ts";
import { checkFor } from "../client/outcome.ts";
import { earlierTime } from "../client/service-clock.ts";
import { getBalance } from "../contract/cash.ts";
import type { Endpoint, Input, Reply } from "../contract/endpoint.ts";
import { MsgError, runAgain } from "../errors.ts";
import { memberOf } from "../json/read-json.ts";
import { t } from "../locale/locale.ts";
import type { Ports, ProtectedCall } from "../ports.ts";
import { forgetSame, rejectDouble } from "../reconcile/earlier-payments.ts";
import {
  captureEvidence,
  confirmByAccount,
  type Evidence,
  findEvidence,
  isFindable,
  movesMoney,
  paymentOf,
  reportCopies,
} from "../reconcile/payment-evidence.ts";
import { type RecordedCall, recordCall, withPaymentLock } from "../reconcile/payment-records.ts";
import { okOutcome } from "../send/protocol/outcomes.ts";
import {
  notExecutedError,
  resolveRequest,
  unknownOutcomeError,
} from "../send/reconcile/resolve-request.ts";
import { isRateLimit, probeReplay } from "../send/run/probe-replay.ts";
import type { SingleCall } from "../send/run/requests.ts";
import { newRunId } from "../send/store/run-folder.ts";

/** The client of a command, which records such a call before it leaves and reconciles it after. */
export const createPaymentClient = async (ctx: Ports, made: ProtectedCall): Promise<Client> => {
  const client = await ctx.session.client();
  const caller = { ...made, ctx, client };
  return {
    ...client,
    call: async (endpoint, input, call) => {
      if (!endpoint.secondFactor || ctx.consent.dryRun) return client.call(endpoint, input, call);
      const payment = paymentOf(endpoint, memberOf(input, "body"));
      return withPaymentLock(ctx, payment, (assertAlone) =>
        callOnce(caller, endpoint, input, { ...call, onAttempt: assertAlone }),
      );
    },
  };
};

interface Caller extends ProtectedCall {
  readonly ctx: Ports;
  readonly client: Client;
}

/** A call while its outcome is open. */
interface OpenCall extends Caller {
  readonly endpoint: Endpoint;
  readonly evidence: Evidence | undefined;
  /** The command that shows whether it was executed. */
  readonly check: string;
  readonly stored: RecordedCall;
  /** The very request of an attempt. */
  readonly repeat: (options: CallOptions) => Promise<unknown>;
}

const callOnce = async <E extends Endpoint>(
  caller: Caller,
  endpoint: E,
  input: Input<E>,
  call: CallOptions,
): Promise<Reply<E>> => {
  const { ctx, client, command, again } = caller;
  const evidence = await readEvidence(client, endpoint, input);
  const transaction = caller.conversation.proof?.transactionId;
  rejectDouble(ctx, again, evidence, transaction);
  const check = checkFor(endpoint, earlierTime(client.clock), endpoint.path);
  const stored = recordCall(ctx, command, check, evidence, transaction);
  const progress = followConversation(caller.conversation, stored, call.onAttempt);
  const { conversation, onAttempt } = progress;
  const repeat = (same: CallOptions) => client.call(endpoint, input, { ...call, ...same });
  const open = { ...caller, endpoint, evidence, check, stored, repeat };
  try {
    const reply = await client.call(endpoint, input, { ...call, conversation, onAttempt });
    await reportCopies(ctx, await confirmByAccount(client, endpoint, evidence, check), check);
    stored.end();
    forgetSame(ctx, transaction);
    return reply;
  } catch (error) {
    if (!(error instanceof MsgError) || error.outcome !== "unknown") {
      const found = await findBehindLimit(open, error);
      stored.end();
      if (found) return asReply<E>(found.reply);
      throw error;
    }
    if (progress.isHarmless()) throw harmlessError(error);
    const attempt = progress.last();
    if (error.kind !== "unknown" || !attempt) throw leaveOpen(stored, error);
    const outcome = await reconcileCall(open, attempt, error);
    if (!("demand" in outcome)) return asReply<E>(outcome.reply);
    if (progress.hasSentCode()) throw outcome.demand;
    return callOnce(caller, endpoint, input, call);
  }
};

/**
 * A gateway may ask to slow down after the execution: the account shows whether it did. Throws MsgError
 * (unknown) where the account cannot be read.
 */
const findBehindLimit = async (
  { client, evidence, check, stored }: OpenCall,
  error: unknown,
): ReturnType<typeof findEvidence> => {
  if (!(error instanceof MsgError && isRateLimit(error) && movesMoney(evidence))) return undefined;
  try {
    return await findEvidence(client, evidence);
  } catch (unread) {
    if (!(unread instanceof MsgError)) throw unread;
    const what = t`${error.reason}; the account could not be read: it may or may not have been done`;
    const options = { outcome: "unknown", todo: check, cause: unread } as const;
    const kind = unread.kind === "interrupted" ? unread.kind : "unknown";
    throw leaveOpen(stored, error.reworded(kind, what, options));
  }
};

/** Throws MsgError: unknown if it stays so, the service's error if it refused; `demand` asks for a code. */
const reconcileCall = async (
  open: OpenCall,
  attempt: Attempt,
  error: MsgError,
): Promise<{ readonly reply: unknown } | { readonly demand: MsgError }> => {
  const { stored } = open;
  try {
    const reply = await resolveCall(open, attempt, error);
    stored.end();
    return { reply };
  } catch (failed) {
    if (!(failed instanceof MsgError)) throw failed;
    if (failed.outcome === "unknown") throw leaveOpen(stored, failed);
    stored.end();
    // The request reached the service after all, and did nothing without a code: ask for the code now.
    if (failed.code === "MFARequired") return { demand: failed };
    throw failed;
  }
};

const leaveOpen = (stored: RecordedCall, error: MsgError): MsgError => {
  stored.leave();
  return error;
};

const resolveCall = async (open: OpenCall, attempt: Attempt, error: MsgError): Promise<unknown> => {
  const { ctx, client, evidence, check, reconcileMs } = open;
  await ctx.note(t`no clear answer came: asking the service what became of it …`);
  // Without a signature nothing can be repeated: this one only carries the time.
  const signature = attempt.signature ?? { date: client.clock.signingDate(), salt: "" };
  const worked = await resolveRequest(ctx, {
    signature,
    reconcileMs,
    run: newRunId(ctx.clock.now(), ctx.environment.random),
    bytes: attempt.wire.body ?? Buffer.alloc(0),
    tagged: isFindable(evidence),
    single: requestsOf(open, attempt),
    neverTaken: neverExecutedError(error),
  });
  if (worked.state.chunks[0]?.status === "done") return worked.reply;
  const signed = isFindable(evidence) ? attempt.signature?.date : undefined;
  throw (
    notExecutedError(worked, t`nothing was changed`) ??
    unknownOutcomeError(error, { deed: "done", check, signed }, ctx.signal.aborted)
  );
};

const requestsOf = (
  { ctx, client, endpoint, evidence, check, repeat }: OpenCall,
  attempt: Attempt,
): SingleCall => ({
  probe: ({ fresh }) => probeReplay((call) => client.call(getBalance, {}, call), fresh()),
  post: async ({ onReply }) => {
    const reply = await repeat({ ...detached, repeat: attempt });
    await confirmByAccount(client, endpoint, evidence, check);
    onReply(reply);
    return executed;
  },
  findEvidence: async ({ onReply }) => {
    if (!isFindable(evidence)) return { type: "absent" };
    const found = await findEvidence(clientWith(client, detached), evidence);
    await reportCopies(ctx, found, check);
    if (found) onReply(found.reply);
    return found ? executed : { type: "absent" };
  },
});

const executed = okOutcome("", { accepted: 1, refused: 0 });

/** Long after the request no copy of it can be accepted any longer, and none was. */
const neverExecutedError = ({ code, where, http, cause }: MsgError): MsgError => {
  const what = t`the request never reached the service; nothing was changed`;
  const options = { code, where, http, cause, retryable: true, todo: runAgain };
  return new MsgError("unreachable", what, options);
};

/**
 * A caller that may not read may still write; then an unknown outcome cannot be looked up. Asks twice, since a
 * single "no" may come from something else.
 */
const readEvidence = async (
  client: Client,
  endpoint: Endpoint,
  input: unknown,
): Promise<Evidence | undefined> => {
  const body = memberOf(input, "body");
  const isForbidden = (error: unknown) => error instanceof MsgError && error.kind === "forbidden";
  const look = () => captureEvidence(client, endpoint, body);
  try {
    return await look().catch((error: unknown) => {
      if (isForbidden(error)) return look();
      throw error;
    });
  } catch (error) {
    if (isForbidden(error)) return paymentOf(endpoint, body);
    throw error;
  }
};

/**
 * Follows a conversation. While a code is being asked for, there is nothing to record: the service has
 * refused the earlier attempt, and a request without a code does nothing.
 */
const followConversation = (
  conversation: Conversation,
  stored: RecordedCall,
  assertAlone: CallOptions["onAttempt"],
) => {
  const state: { isAsked: boolean; hasCode: boolean; last?: Attempt } = {
    isAsked: false,
    hasCode: conversation.proof !== undefined,
  };
  // The service asked for a code and none was sent: nothing can have been done.
  const isHarmless = (): boolean => state.isAsked && !state.hasCode;
  return {
    isHarmless,
    hasSentCode: () => state.hasCode,
    last: () => state.last,
    onAttempt: (attempt: Attempt): void => {
      assertAlone?.(attempt);
      state.last = attempt;
      if (!isHarmless()) stored.begin(attempt);
    },
    conversation: {
      ...conversation,
      means: (offered) => {
        state.isAsked = true;
        stored.end();
        return conversation.means(offered);
      },
      code: async (delivered, complaint) => {
        stored.end();
        state.hasCode = false;
        const code = await conversation.code(delivered, complaint);
        state.hasCode = code !== undefined && code !== "again";
        return code;
      },
    } satisfies Conversation,
  };
};

const harmlessError = ({ kind, code, where, http, message, cause }: MsgError): MsgError =>
  new MsgError(
    kind === "interrupted" ? kind : "unreachable",
    t`${message}; it only asked for a code: nothing was changed`,
    { code, where, http, cause, retryable: true, todo: runAgain },
  );
