/** The second factor: one step for every endpoint that declares it. */
import type { Endpoint } from "../../contract/endpoint.ts";
import { membersOf } from "../../contract/fields.ts";
import { type AuthType, authTypes } from "../../contract/needs.ts";
import type { Answer, Layer, Wire } from "../../contract/wire.ts";
import type { MfaState } from "../../errors.ts";
import { asRecord, asText, readJson } from "../../json/read-json.ts";
import { errorBody, requestedWaitMs } from "../codec.ts";

/** A code that was sent, as far as the service shows it. */
export interface CodeDelivery {
  readonly transactionId: string;
  readonly authType: AuthType;
  /** Masked. */
  readonly destination: string;
  readonly codeLength: number;
}

/** What the service says about the last code. */
export type CodeRejection =
  | { readonly kind: "wrong"; readonly attemptsLeft: number | undefined }
  | { readonly kind: "expired" };

/** The person or the command line that provides the code. */
export interface Conversation {
  /** A code from an earlier command: the first request carries it, and nothing is asked. */
  readonly proof: Mfa | undefined;
  /** How the code should come; undefined if no one chooses. */
  readonly means: (offered: readonly AuthType[]) => Promise<AuthType | undefined>;
  /** The code, `again` for another one, undefined if there is no one to type it. */
  readonly code: (
    delivered: CodeDelivery,
    complaint: CodeRejection | undefined,
  ) => Promise<string | "again" | undefined>;
  /** Waits until the service sends another code; false if no one waits for it. */
  readonly countdown: (ms: number) => Promise<boolean>;
  /** What finishes the operation later; undefined while no code was sent. */
  readonly todo: (sent: MfaState) => string;
}

export interface SecondFactorOptions {
  readonly endpoint: Endpoint;
  readonly conversation: Conversation;
  readonly now: () => Date;
}

/** Codes that a person may type for one operation; the service locks after five. */
const tries = 3;

/** What `x-mfa-data` carries. */
interface Mfa {
  /** Absent if the means of a transaction is no longer known. */
  readonly authType?: AuthType | undefined;
  readonly transactionId?: string;
  readonly token?: string;
}

/**
 * Sends the request. If the service asks for a second factor, has a code sent, asks the person for it and sends
 * again, each time with a new signature. Returns the last answer as it is. A request that never left is tried again
 * by the layer above with the same code: the person is not asked twice.
 */
export const secondFactor =
  ({ endpoint, conversation, now }: SecondFactorOptions): Layer =>
  (next) => {
    const { proof } = conversation;
    if (proof !== undefined) return (wire, signal) => next(withMfa(endpoint, wire, proof), signal);
    const memory: Memory = {};
    return async (wire, signal) => {
      const send = (mfa: Mfa): Promise<Answer> => {
        if (mfa.token !== undefined) memory.proof = mfa;
        return next(withMfa(endpoint, wire, mfa), signal);
      };
      const answer = await (memory.proof ? send(memory.proof) : next(wire, signal));
      if (!asksForFactor(answer)) return answer;
      return converse({ conversation, memory, now, send }, answer);
    };
  };

/** What the person has said so far. */
interface Memory {
  authType?: AuthType;
  proof?: Mfa;
}

interface Exchange extends Omit<SecondFactorOptions, "endpoint"> {
  readonly memory: Memory;
  /** The request once more, with this. */
  readonly send: (mfa: Mfa) => Promise<Answer>;
}

/** Asks for the means and the code, and sends with the code, until it is accepted or the person gives up. */
const converse = async (exchange: Exchange, demand: Answer): Promise<Answer> => {
  const { conversation, memory, send } = exchange;
  const authType = memory.authType ?? (await conversation.means(offered(demand)));
  if (authType === undefined) return demand;
  memory.authType = authType;
  let answer = await deliver(exchange, authType);
  let delivered = deliveredBy(answer, authType);
  let complaint: CodeRejection | undefined;
  let wrong = 0;
  while (delivered) {
    const typed = await conversation.code(delivered, complaint);
    if (typed === undefined) return answer;
    if (typed === "again") {
      answer = await deliver(exchange, authType);
      delivered = deliveredBy(answer, authType);
      complaint = undefined;
      continue;
    }
    answer = await send({ authType, transactionId: delivered.transactionId, token: typed });
    complaint = complaintOf(answer);
    if (complaint?.kind === "wrong") wrong += 1;
    if (complaint === undefined || wrong >= tries) return answer;
  }
  return answer;
};

/** Has a code sent. If it is too soon after the one before, a person may wait; nothing else does. */
const deliver = async (
  { conversation, now, send }: Exchange,
  authType: AuthType,
): Promise<Answer> => {
  const answer = await send({ authType });
  if (answer.status !== 429) return answer;
  const waitMs = requestedWaitMs(answer.headers, now());
  if (waitMs === undefined || !(await conversation.countdown(waitMs))) return answer;
  return send({ authType });
};

const asksForFactor = (answer: Answer): boolean =>
  answer.status === 403 && errorBody(answer).errorCode === "MFARequired";

const mfaOf = (answer: Answer): Readonly<Record<string, unknown>> =>
  asRecord(asRecord(readJson(answer.body)).mfa);

/** The means that the service names; both if it names no known one. */
const offered = (answer: Answer): readonly AuthType[] => {
  const { authTypes: named } = mfaOf(answer);
  const known = authTypes.filter((it) => Array.isArray(named) && named.includes(it));
  return known.length > 0 ? known : authTypes;
};

const deliveredBy = (answer: Answer, authType: AuthType): CodeDelivery | undefined => {
  if (!asksForFactor(answer)) return undefined;
  const { transactionId, destination, codeLength } = mfaOf(answer);
  if (typeof transactionId !== "string") return undefined;
  return {
    transactionId,
    authType,
    destination: asText(destination) ?? "",
    codeLength: typeof codeLength === "number" ? codeLength : 6,
  };
};

const complaintOf = (answer: Answer): CodeRejection | undefined => {
  if (answer.status !== 403) return undefined;
  const { errorCode } = errorBody(answer);
  if (errorCode === "MFAExpired") return { kind: "expired" };
  if (errorCode !== "InvalidMFAToken") return undefined;
  const { attemptsLeft: left } = mfaOf(answer);
  return { kind: "wrong", attemptsLeft: typeof left === "number" ? left : undefined };
};

/** The request with its header; the body carries the code too if the endpoint declares it. */
const withMfa = (endpoint: Endpoint, wire: Wire, mfa: Mfa): Wire => {
  const headers = { ...wire.headers, "x-mfa-data": JSON.stringify(mfa) };
  const declared = endpoint.body ? membersOf(endpoint.body) : {};
  const { transactionId, token: authenticationCode } = mfa;
  if (!declared.authenticationCode || !wire.body || authenticationCode === undefined)
    return { ...wire, headers };
  const given = asRecord(readJson(wire.body));
  const body = Buffer.from(JSON.stringify({ ...given, transactionId, authenticationCode }));
  return { ...wire, headers: { ...headers, "content-length": String(body.length) }, body };
};
