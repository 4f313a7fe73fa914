/**
 * Calls with a second factor: each is recorded before it leaves, and one without an answer is
 * reconciled, never made again with another signature.
 */

import type { Attempt, CallOptions, Client } from "../client/client.ts";
import { asReply } from "../client/codec.ts";
import type { Conversation } from "../client/layers/second-factor.ts";
import { checkFor } from "../client/outcome.ts";
import { earlierTime } from "../client/service-clock.ts";
import type { Endpoint, Input, Reply } from "../contract/endpoint.ts";
import { MsgError, runAgain } from "../errors.ts";
import { memberOf } from "../json/read-json.ts";
import { joinSentences, shownTime, t } from "../locale/locale.ts";
import type { Ports, ProtectedCall } from "../ports.ts";
import { captureEvidence, paymentOf } from "../reconcile/capture-evidence.ts";
import {
  confirmByAccount,
  type Evidence,
  findEvidence,
  isSamePayment,
  movesMoney,
  reportCopies,
} from "../reconcile/payment-evidence.ts";
import {
  assertReadable,
  forgetPayment,
  isSameCaller,
  listOpenPayments,
  listPaymentRecords,
  type PaymentRecord,
  type RecordedCall,
  recordCall,
  withPaymentLock,
} from "../reconcile/payment-records.ts";
import { reconcilePayment, type UnansweredCall } from "../reconcile/reconcile-payment.ts";
import { decidableFrom } from "../send/run/clocks.ts";
import { isRateLimit } from "../send/run/single-call.ts";

export interface PaymentOptions extends ProtectedCall {
  readonly ctx: Ports;
}

/** The same client, but it reconciles calls that got no answer. */
export const createPaymentClient = (client: Client, options: PaymentOptions): Client => ({
  ...client,
  call: async (endpoint, input, call) => {
    const { ctx } = options;
    if (!endpoint.secondFactor || ctx.consent.dryRun) return client.call(endpoint, input, call);
    const payment = paymentOf(endpoint, memberOf(input, "body"));
    return withPaymentLock(ctx, payment, (assertAlone) =>
      callOnce(client, options, endpoint, input, { ...call, onAttempt: assertAlone }),
    );
  },
});

const callOnce = async <E extends Endpoint>(
  client: Client,
  options: PaymentOptions,
  endpoint: E,
  input: Input<E>,
  call: CallOptions,
): Promise<Reply<E>> => {
  const evidence = await readEvidence(client, endpoint, input);
  const { proof } = options.conversation;
  rejectDouble(options, evidence, proof?.transactionId);
  const { ctx, command, reconcileMs } = options;
  const check = checkFor(endpoint, earlierTime(client.clock), endpoint.path);
  const stored = recordCall(ctx, command, check, evidence, proof?.transactionId);
  const progress = followConversation(options.conversation, stored, call.onAttempt);
  const { conversation, onAttempt } = progress;
  try {
    const reply = await client.call(endpoint, input, { ...call, conversation, onAttempt });
    await reportCopies(ctx, await confirmByAccount(client, endpoint, evidence, check), check);
    stored.end();
    forgetSame(ctx, proof?.transactionId);
    return reply;
  } catch (error) {
    if (!(error instanceof MsgError) || error.outcome !== "unknown") {
      const found = await findBehindLimit(client, check, evidence, stored, error);
      stored.end();
      if (found) return asReply<E>(found.reply);
      throw error;
    }
    if (progress.isHarmless()) throw harmlessError(error);
    const attempt = progress.last();
    if (error.kind !== "unknown" || !attempt) throw leaveOpen(stored, error);
    const repeat = (again: CallOptions) => client.call(endpoint, input, { ...call, ...again });
    const unanswered = { endpoint, attempt, evidence, error, check, repeat, reconcileMs };
    const outcome = await reconcileCall(ctx, client, stored, unanswered);
    if (!("demand" in outcome)) return asReply<E>(outcome.reply);
    if (progress.hasSentCode()) throw outcome.demand;
    return callOnce(client, options, endpoint, input, call);
  }
};

/**
 * A gateway may ask to slow down after the execution: the account shows whether it did. Throws MsgError
 * (unknown) where the account cannot be read.
 */
const findBehindLimit = async (
  client: Client,
  check: string,
  evidence: Evidence | undefined,
  stored: RecordedCall,
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

/**
 * Records exist to prevent the same payment a second time while the outcome of the first is unknown:
 * two could not be distinguished. The same transaction of a second factor may come again: it is used
 * once.
 */
const rejectDouble = (
  { ctx, again }: PaymentOptions,
  evidence: Evidence | undefined,
  transaction: string | undefined,
): void => {
  if (!movesMoney(evidence)) return;
  const same = listPaymentRecords(ctx).filter((it) => isSamePayment(evidence, it.record.evidence));
  if (again) {
    // What another key has left open may be of another account.
    for (const it of same) if (isSameCaller(ctx, it.record)) forgetPayment(ctx, it);
    return;
  }
  assertReadable(ctx);
  const done = same.find(({ record }) => record.done && isSameCaller(ctx, record));
  if (done) throw doneBeforeError(done.record);
  const open = same.find((it) => it.record.transaction !== transaction);
  if (open) throw stillUnknownError(open.record);
};

const doneBeforeError = ({ started }: PaymentRecord): MsgError => {
  const what = t`the same call of ${shownTime(started)} was done, as the account shows: nothing was sent now`;
  return new MsgError("stopped", what, {
    code: "DoneBefore",
    todo: t`if another one is meant: --again; or run msg balance first`,
  });
};

/** An earlier call with the same transaction was this one. */
const forgetSame = (ctx: Ports, transaction: string | undefined): void => {
  if (transaction === undefined) return;
  for (const it of listOpenPayments(ctx))
    if (it.record.transaction === transaction) forgetPayment(ctx, it);
};

const stillUnknownError = ({ started, signed, check }: PaymentRecord): MsgError => {
  const decided =
    signed === null ? [] : [t`its outcome is certain after ${shownTime(decidableFrom(signed))}`];
  return new MsgError(
    "stopped",
    t`the outcome of the same call of ${shownTime(started)} is still unknown: nothing was sent`,
    {
      code: "InDoubt",
      todo: joinSentences([t`see it with ${check}`, ...decided, t`--again makes this call anyway`]),
    },
  );
};

const reconcileCall = async (
  ctx: Ports,
  client: Client,
  stored: RecordedCall,
  unanswered: UnansweredCall,
): Promise<{ readonly reply: unknown } | { readonly demand: MsgError }> => {
  try {
    const reply = await reconcilePayment(ctx, client, unanswered);
    stored.end();
    return { reply };
  } catch (error) {
    if (!(error instanceof MsgError)) throw error;
    if (error.outcome === "unknown") throw leaveOpen(stored, error);
    stored.end();
    // The request reached the service after all, and did nothing without a code: ask for the code now.
    if (error.code === "MFARequired") return { demand: error };
    throw error;
  }
};

const leaveOpen = (stored: RecordedCall, error: MsgError): MsgError => {
  stored.leave();
  return error;
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
