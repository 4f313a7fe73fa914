/** Whether the caller proved who they are a second time. */
import * as v from "valibot";
import { sameSecret } from "../../contract/credentials.ts";
import { assumed } from "../assumptions.ts";
import { type Caller, Refusal, validationError } from "../service.ts";
import { codeOf, secondFactorIdOf, secondFactorSeqOf } from "../store/ids.ts";
import { type AuthType, authTypes, type SecondFactorRow } from "../store/second-factors.ts";
import type { Store } from "../store/store.ts";

/** How long a code is valid. */
export const codeLifetimeMs = 180_000;
/** How soon a code for the same operation may be asked for again. */
const resendMs = 30_000;
const maxAttempts = 5;

/** One protected request, as far as this step looks at it. */
export interface ProtectedOperation {
  readonly store: Store;
  readonly caller: Caller;
  readonly now: Date;
  /** Method and path: a transaction is good for the operation that it was started for. */
  readonly operation: string;
  /** The header `x-mfa-data`. */
  readonly header: string | undefined;
  /** The checked body, which may carry the proof as well. */
  readonly body: unknown;
}

/**
 * Lets a request pass that carries the right code, and throws Refusal for all others; started
 * transactions and counted attempts stay. What comes back uses the transaction up: it is called when
 * the request was performed, so that a business error leaves the code valid.
 */
export const requireSecondFactor = (request: ProtectedOperation): (() => void) => {
  const { store, header, body } = request;
  if (store.settings.get("secondFactor") === "off") return () => undefined;
  const given = readMfa(header, body);
  if (given === undefined) {
    throw new Refusal(403, "MFARequired", "A second factor is needed: voice call or e-mail.", {
      ...assumed("second-factor"),
      members: { mfa: { authTypes } },
    });
  }
  if (!("token" in given)) throw begin(request, given.authType);
  const transaction = proven(request, given);
  return () => store.secondFactors.change(transaction.seq, "USED", transaction.attemptsLeft);
};

/** Delivers a code; the answer names the transaction. */
const begin = (request: ProtectedOperation, authType: AuthType): Refusal => {
  const { store, caller, now, operation } = request;
  const { accountId, memberId } = caller;
  const contact = store.secondFactors.contact(memberId);
  if (contact === undefined) throw new Error(`The member ${memberId} has no contact.`);
  rejectTooSoon(request);
  const started = store.secondFactors.start({
    accountId,
    memberId,
    operation,
    authType,
    destination: authType === "ARS" ? contact.phoneNumber : contact.email,
    attemptsLeft: maxAttempts,
    created: now.getTime(),
  });
  const means = authType === "ARS" ? "by a voice call" : "by e-mail";
  return refused(403, "MFARequired", `A code of six digits was sent ${means}.`, request, started);
};

const rejectTooSoon = ({ store, caller, now, operation }: ProtectedOperation): void => {
  const latest = store.secondFactors.latest(caller.memberId, operation);
  if (latest?.status !== "PENDING") return;
  const waitMs = latest.created + resendMs - now.getTime();
  // A clock that was set back makes a transaction of the future, which must not block for hours.
  if (waitMs <= 0 || waitMs > resendMs) return;
  const seconds = Math.ceil(waitMs / 1000);
  throw new Refusal(429, "TooManyRequests", `Another code can be sent in ${seconds} seconds.`, {
    headers: { ...assumed("second-factor").headers, "retry-after": String(seconds) },
  });
};

/** The transaction whose code was given. */
const proven = (request: ProtectedOperation, { transactionId, token }: Proof): SecondFactorRow => {
  const { store, now } = request;
  const idSeed = store.settings.get("idSeed");
  const transaction = ownTransaction(request, transactionId, idSeed);
  if (transaction.status === "LOCKED") throw locked(request, transaction);
  if (
    transaction.status === "SUPERSEDED" ||
    now.getTime() >= transaction.created + codeLifetimeMs
  ) {
    throw refused(403, "MFAExpired", "The code has expired.", request, transaction);
  }
  if (sameSecret(token, codeOf(transaction.seq, idSeed))) return transaction;
  const attemptsLeft = transaction.attemptsLeft - 1;
  const status = attemptsLeft > 0 ? "PENDING" : "LOCKED";
  store.secondFactors.change(transaction.seq, status, attemptsLeft);
  const counted: SecondFactorRow = { ...transaction, status, attemptsLeft };
  if (status === "LOCKED") throw locked(request, counted);
  throw refused(403, "InvalidMFAToken", "The code is wrong.", request, counted);
};

const ownTransaction = (
  { store, caller, operation }: ProtectedOperation,
  transactionId: string,
  idSeed: number,
): SecondFactorRow => {
  const found = store.secondFactors.read(secondFactorSeqOf(transactionId, idSeed));
  const isOwn =
    found?.accountId === caller.accountId &&
    found.memberId === caller.memberId &&
    found.operation === operation;
  if (found !== undefined && isOwn && found.status !== "USED") return found;
  const text = "The transaction is unknown, was used, or was started for something else.";
  throw new Refusal(403, "InvalidMFATransaction", text, assumed("second-factor"));
};

const locked = (request: ProtectedOperation, transaction: SecondFactorRow): Refusal =>
  refused(429, "TooManyMFAAttempts", "Too many wrong codes.", request, transaction);

/** A refusal that shows the transaction, never its code. */
const refused = (
  status: number,
  errorCode: string,
  text: string,
  { store }: ProtectedOperation,
  transaction: SecondFactorRow,
): Refusal => {
  const { seq, authType, destination, attemptsLeft, created } = transaction;
  const mfa = {
    transactionId: secondFactorIdOf(seq, created, store.settings.get("idSeed")),
    authType,
    destination: masked(authType, destination),
    codeLength: 6,
    attemptsLeft,
    dateExpires: new Date(created + codeLifetimeMs).toISOString(),
  };
  return new Refusal(status, errorCode, text, { ...assumed("second-factor"), members: { mfa } });
};

/** `010****0001`, `o***@example.com`. */
const masked = (authType: AuthType, destination: string): string => {
  if (authType === "ARS") return `${destination.slice(0, 3)}****${destination.slice(-4)}`;
  const at = destination.lastIndexOf("@");
  return `${destination.slice(0, 1)}***${destination.slice(at)}`;
};

/** A code and the transaction that it belongs to. */
interface Proof {
  readonly transactionId: string;
  readonly token: string;
}

const data = v.object({
  authType: v.picklist(authTypes),
  transactionId: v.optional(v.string()),
  token: v.optional(v.string()),
});

const carried = v.object({
  transactionId: v.optional(v.string()),
  authenticationCode: v.optional(v.string()),
});

/**
 * What the request asks or proves, undefined where it says nothing of a second factor; the body wins.
 * Throws Refusal 400 for what cannot be read.
 */
const readMfa = (
  header: string | undefined,
  body: unknown,
): Proof | { readonly authType: AuthType } | undefined => inBody(body) ?? inHeader(header);

const inBody = (body: unknown): Proof | undefined => {
  const { success, output } = v.safeParse(carried, body);
  if (!success) return undefined;
  const { transactionId, authenticationCode: token } = output;
  if (transactionId === undefined && token === undefined) return undefined;
  if (transactionId !== undefined && token !== undefined) return { transactionId, token };
  throw validationError("'transactionId' and 'authenticationCode' belong together.");
};

const inHeader = (header: string | undefined): Proof | { authType: AuthType } | undefined => {
  if (header === undefined) return undefined;
  const { success, output } = v.safeParse(data, parseData(header));
  if (!success) {
    throw validationError(
      "'x-mfa-data' must be JSON with 'authType' ARS or OTP, and with 'transactionId' and 'token' for a code.",
    );
  }
  const { authType, transactionId, token } = output;
  if (transactionId === undefined && token === undefined) return { authType };
  if (transactionId !== undefined && token !== undefined) return { transactionId, token };
  throw validationError("'transactionId' and 'token' of 'x-mfa-data' belong together.");
};

const parseData = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
