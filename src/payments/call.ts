/**
 * Calls behind a second factor: each is recorded before it leaves, and one without an answer is
 * reconciled, never made again under another signature.
 */
import * as v from "valibot";
import { asReply } from "../client/answers/decode.ts";
import type { Attempt, CallOptions, Client } from "../client/client.ts";
import type { Conversation } from "../client/layers/second-factor.ts";
import type { Endpoint, Input, Reply } from "../contract/endpoint.ts";
import { MsgError } from "../errors.ts";
import type { Ports } from "../ports.ts";
import { captureEvidence, paymentOf } from "../reconcile/evidence/capture-evidence.ts";
import { confirmByAccount } from "../reconcile/evidence/confirm-by-account.ts";
import {
  type Evidence,
  findEvidence,
  isSamePayment,
  movesMoney,
} from "../reconcile/evidence/payment-evidence.ts";
import {
  forgetPayment,
  listOpenPayments,
  listPaymentRecords,
  type PaymentRecord,
  type RecordedCall,
  recordCall,
} from "../reconcile/payment-records.ts";
import { decidableFrom } from "../send/run/clocks.ts";
import { isLimit } from "../send/run/single-call.ts";
import { withPaymentLock } from "./lock-payment.ts";

/** What the calls of one command share. */
export interface PaymentOptions {
  readonly ctx: Ports;
  /** `balance charge` */
  readonly command: string;
  readonly conversation: Conversation;
  readonly reconcileMs: number;
  /** Made although the same call is in doubt. */
  readonly again: boolean;
}

/** The same client, for which a doubt is no end. */
export const createPaymentClient = (client: Client, options: PaymentOptions): Client => ({
  clock: client.clock,
  pages: (endpoint, input, call) => client.pages(endpoint, input, call),
  close: () => client.close(),
  call: (endpoint, input, call) =>
    endpoint.secondFactor
      ? callAlone(client, options, endpoint, input, call)
      : client.call(endpoint, input, call),
});

const callAlone = async <E extends Endpoint>(
  client: Client,
  options: PaymentOptions,
  endpoint: E,
  input: Input<E>,
  call: CallOptions = {},
): Promise<Reply<E>> => {
  if (options.ctx.consent.dryRun) return client.call(endpoint, input, call);
  return withPaymentLock(options.ctx, paymentOf(endpoint, bodyOf(input)), (assertAlone) =>
    callOnce(client, options, endpoint, input, { ...call, onAttempt: assertAlone }),
  );
};

const callOnce = async <E extends Endpoint>(
  client: Client,
  options: PaymentOptions,
  endpoint: E,
  input: Input<E>,
  call: CallOptions,
): Promise<Reply<E>> => {
  const evidence = await evidenceOf(client, endpoint, input);
  const { proof } = options.conversation;
  refuseDouble(options, evidence, proof?.transactionId);
  const { ctx, command } = options;
  const memory = recordCall(ctx, command, endpoint, evidence, proof?.transactionId);
  const course = courseOf(options.conversation, memory);
  const made = { ...call, conversation: course.conversation, onAttempt: bothOf(call, course) };
  try {
    const reply = await client.call(endpoint, input, made);
    await confirmByAccount(client, endpoint, evidence);
    memory.end();
    forgetSame(ctx, proof?.transactionId);
    return reply;
  } catch (error) {
    if (!(error instanceof MsgError) || error.outcome !== "unknown") {
      const found = await foundBehindLimit(client, evidence, error);
      memory.end();
      if (found) return asReply<E>(found.reply);
      throw error;
    }
    if (course.isHarmless()) throw harmless(error);
    const attempt = course.last();
    if (error.kind !== "unknown" || !attempt) throw left(memory, error);
    const repeat = (again: CallOptions) => client.call(endpoint, input, { ...call, ...again });
    const unanswered = { endpoint, attempt, evidence, error, repeat };
    const outcome = await settled(client, options, memory, unanswered);
    if (!("demand" in outcome)) return asReply<E>(outcome.reply);
    if (course.hasCode()) throw outcome.demand;
    return callOnce(client, options, endpoint, input, call);
  }
};

const bothOf =
  (call: CallOptions, course: Course) =>
  (attempt: Attempt): void => {
    call.onAttempt?.(attempt);
    course.onAttempt(attempt);
  };

/** A gateway may ask to slow down behind the execution: the account shows whether it did. */
const foundBehindLimit = async (
  client: Client,
  evidence: Evidence | undefined,
  error: unknown,
): ReturnType<typeof findEvidence> =>
  error instanceof MsgError && isLimit(error) && movesMoney(evidence)
    ? findEvidence(client, evidence, {})
    : undefined;

/**
 * The same payment a second time, while nobody knows whether the first was made, is what doubts are
 * kept against; and should both be made, one could not be told from the other. The same transaction of
 * a second factor may come again: it is used once.
 */
const refuseDouble = (
  { ctx, again }: PaymentOptions,
  evidence: Evidence | undefined,
  transaction: string | undefined,
): void => {
  if (!movesMoney(evidence)) return;
  const same = listPaymentRecords(ctx).filter((it) => isSamePayment(evidence, it.doubt.sought));
  if (again) for (const it of same) forgetPayment(ctx, it);
  if (again) return;
  const open = same.find(
    (it) => it.doubt.transaction === null || it.doubt.transaction !== transaction,
  );
  if (open) throw inDoubt(open.doubt);
};

/** An earlier call under the same transaction was this one. */
const forgetSame = (ctx: Ports, transaction: string | undefined): void => {
  if (transaction === undefined) return;
  for (const it of listOpenPayments(ctx))
    if (it.doubt.transaction === transaction) forgetPayment(ctx, it);
};

const inDoubt = ({ started, signed, todo }: PaymentRecord): MsgError =>
  new MsgError("stopped", `the same call of ${started} is still in doubt: nothing was sent`, {
    code: "InDoubt",
    todo: `${todo.replace(/^.*: /, "")} shows it${
      signed === null ? "" : `; it is decided after ${decidableFrom(signed)}`
    }; --again makes this one all the same`,
  });

type InDoubt = Omit<
  Parameters<typeof import("../reconcile/reconcile-payment.ts").reconcilePayment>[2],
  "reconcileMs"
>;

/** Most calls are answered: what settles a doubt is loaded when there is one. */
const settled = async (
  client: Client,
  { ctx, reconcileMs }: PaymentOptions,
  memory: RecordedCall,
  unanswered: InDoubt,
): Promise<{ readonly reply: unknown } | { readonly demand: MsgError }> => {
  const { reconcilePayment: settleCall } = await import("../reconcile/reconcile-payment.ts");
  try {
    const reply = await settleCall(ctx, client, { ...unanswered, reconcileMs });
    memory.end();
    return { reply };
  } catch (error) {
    if (!(error instanceof MsgError)) throw error;
    if (error.outcome === "unknown") throw left(memory, error);
    memory.end();
    // The request came to the service at last, and did nothing without a code: it is asked for now.
    if (error.code === "MFARequired") return { demand: error };
    throw error;
  }
};

const left = (memory: RecordedCall, error: MsgError): MsgError => {
  memory.leave();
  return error;
};

const withBody = v.object({ body: v.optional(v.unknown()) });

const bodyOf = (input: unknown): unknown => v.parse(withBody, input).body;

/** A caller that may not read is not kept from writing: then a doubt stays one. */
const evidenceOf = async (
  client: Client,
  endpoint: Endpoint,
  input: unknown,
): Promise<Evidence | undefined> => {
  try {
    return await captureEvidence(client, endpoint, bodyOf(input));
  } catch (error) {
    if (error instanceof MsgError && error.kind === "forbidden") return undefined;
    throw error;
  }
};

interface Course {
  readonly conversation: Conversation;
  readonly onAttempt: (attempt: Attempt) => void;
  readonly last: () => Attempt | undefined;
  /** The service asks for a code, and none has left: nothing can have been done. */
  readonly isHarmless: () => boolean;
  readonly hasCode: () => boolean;
}

/**
 * Follows a conversation. While a code is being asked for, the service has refused what went before,
 * and a request without a code does nothing: there is nothing to remember.
 */
const courseOf = (conversation: Conversation, memory: RecordedCall): Course => {
  const state: { demanded: boolean; coded: boolean; last?: Attempt } = {
    demanded: false,
    coded: conversation.proof !== undefined,
  };
  const isHarmless = (): boolean => state.demanded && !state.coded;
  return {
    isHarmless,
    hasCode: () => state.coded,
    last: () => state.last,
    onAttempt: (attempt) => {
      state.last = attempt;
      if (!isHarmless()) memory.begin(attempt);
    },
    conversation: {
      ...conversation,
      means: (offered) => {
        state.demanded = true;
        memory.end();
        return conversation.means(offered);
      },
      code: async (delivered, complaint) => {
        memory.end();
        state.coded = false;
        const typed = await conversation.code(delivered, complaint);
        state.coded = typed !== undefined && typed !== "again";
        return typed;
      },
    },
  };
};

const harmless = ({ kind, code, where, http, message, cause }: MsgError): MsgError =>
  new MsgError(
    kind === "interrupted" ? kind : "unreachable",
    `${message}; it only asked for a code: nothing was changed`,
    {
      ...{ code, where, http, cause },
      retryable: true,
      todo: "run it again",
    },
  );
