/** Checks the caller's second factor. */
import { createHash } from "node:crypto";
import * as v from "valibot";
import type { UntypedRequest } from "../../contract/endpoint.ts";
import { type AuthType, authTypes } from "../../contract/needs.ts";
import { sameSecret } from "../../contract/wire.ts";
import { tryJson } from "../../json/read-json.ts";
import { assumed } from "../assumptions.ts";
import { timeOf } from "../clock.ts";
import { Refusal, type Service, validationError } from "../service.ts";
import { codeOf, idOf, seqOf } from "../store/ids.ts";
import type { SecondFactorRow } from "../store/second-factors.ts";

export const codeLifetimeMs = 180_000;
/** How soon a code for the same operation may be requested again. */
const resendMs = 30_000;
const maxAttempts = 5;
/** How long five wrong codes keep a member from starting the same operation again. */
const lockMs = 10 * 60_000;

/** One protected request. Its header `x-mfa-data` or its checked body carries the proof. */
interface ProtectedOperation extends Service, Pick<UntypedRequest, "body"> {
  /** Method and path: a transaction is valid for the operation, means and body that it was started for. */
  readonly operation: string;
}

/**
 * Accepts a request with the right code, and throws Refusal for all others; started transactions and
 * counted attempts stay. The returned function uses the transaction up: it is called after the
 * request was performed, so that a business error leaves the code valid.
 */
export const requireSecondFactor = (request: ProtectedOperation): (() => void) => {
  const { store, headers, body } = request;
  if (store.settings.get("secondFactor") === "off") return () => undefined;
  // The body wins.
  const given = inBody(body) ?? inHeader(headers["x-mfa-data"]);
  if (given === undefined) {
    throw new Refusal(403, "MFARequired", "A second factor is needed: voice call or e-mail.", {
      ...assumed("second-factor"),
      members: { mfa: { authTypes } },
    });
  }
  if (!("token" in given)) throw startTransaction(request, given.authType);
  const transaction = verifyCode(request, given);
  return () => store.secondFactors.update({ seq: transaction.seq, status: "USED" });
};

/** Delivers a code; the answer names the transaction. */
const startTransaction = (request: ProtectedOperation, authType: AuthType): Refusal => {
  const { store, caller, now, operation, body } = request;
  const { accountId, memberId } = caller;
  const contact = store.secondFactors.contact(memberId);
  if (contact === undefined) throw new Error(`The member ${memberId} has no contact.`);
  rejectTooSoon(request);
  const started = store.secondFactors.start({
    accountId,
    memberId,
    operation,
    digest: digestOf(body),
    authType,
    destination: authType === "ARS" ? contact.phoneNumber : contact.email,
    attemptsLeft: maxAttempts,
    created: now,
  });
  const means = authType === "ARS" ? "by a voice call" : "by e-mail";
  return refusal(403, "MFARequired", `A code of six digits was sent ${means}.`, request, started);
};

const rejectTooSoon = ({ store, caller, now, operation }: ProtectedOperation): void => {
  const latest = store.secondFactors.latest(caller.memberId, operation);
  if (latest?.status !== "PENDING" && latest?.status !== "LOCKED") return;
  const isLocked = latest.status === "LOCKED";
  const errorCode = isLocked ? "TooManyMFAAttempts" : "TooManyRequests";
  const pauseMs = isLocked ? lockMs : resendMs;
  const waitMs = (latest.locked ?? latest.created) + pauseMs - now;
  // After the clock is set back, a transaction may lie in the future; it must not block for hours.
  if (waitMs <= 0 || waitMs > pauseMs) return;
  const seconds = Math.ceil(waitMs / 1000);
  throw new Refusal(429, errorCode, `Another code can be sent in ${seconds} seconds.`, {
    headers: { ...assumed("second-factor").headers, "retry-after": String(seconds) },
  });
};

const verifyCode = (request: ProtectedOperation, proof: Proof): SecondFactorRow => {
  const { store, now, idSeed } = request;
  const transaction = ownTransaction(request, proof);
  if (transaction.status === "LOCKED") throw lockedRefusal(request, transaction);
  if (transaction.status === "SUPERSEDED" || now >= transaction.created + codeLifetimeMs) {
    throw refusal(403, "MFAExpired", "The code has expired.", request, transaction);
  }
  if (sameSecret(proof.token, codeOf("code", transaction.seq, idSeed))) return transaction;
  const attemptsLeft = transaction.attemptsLeft - 1;
  const isLocked = attemptsLeft <= 0;
  const counted: SecondFactorRow = {
    ...transaction,
    attemptsLeft,
    status: isLocked ? "LOCKED" : "PENDING",
    locked: isLocked ? now : null,
  };
  store.secondFactors.update(counted);
  if (isLocked) throw lockedRefusal(request, counted);
  throw refusal(403, "InvalidMFAToken", "The code is wrong.", request, counted);
};

const ownTransaction = (
  { store, caller, operation, body, idSeed }: ProtectedOperation,
  { transactionId, authType }: Proof,
): SecondFactorRow => {
  const found = store.secondFactors.read(seqOf("secondFactor", transactionId, idSeed));
  const isOwn =
    found?.accountId === caller.accountId &&
    found.memberId === caller.memberId &&
    found.operation === operation &&
    found.authType === (authType ?? found.authType) &&
    found.digest === digestOf(body);
  if (found !== undefined && isOwn && found.status !== "USED") return found;
  const text = "The transaction is unknown, was used, or was started for something else.";
  throw new Refusal(403, "InvalidMFATransaction", text, assumed("second-factor"));
};

const noProof = { transactionId: undefined, authenticationCode: undefined };

/** A digest of the body: another amount, card or bank account is another operation. */
const digestOf = (body: unknown): string => {
  const asked = { ...(typeof body === "object" && body), ...noProof };
  return createHash("sha256").update(JSON.stringify(asked)).digest("base64");
};

const lockedRefusal = (request: ProtectedOperation, transaction: SecondFactorRow): Refusal =>
  refusal(429, "TooManyMFAAttempts", "Too many wrong codes.", request, transaction);

/** A refusal that shows the transaction, never its code. */
const refusal = (
  status: number,
  errorCode: string,
  text: string,
  { idSeed }: ProtectedOperation,
  transaction: SecondFactorRow,
): Refusal => {
  const { authType, destination, attemptsLeft, created } = transaction;
  const mfa = {
    transactionId: idOf("secondFactor", transaction, idSeed),
    authType,
    destination: masked(authType, destination),
    codeLength: 6,
    attemptsLeft,
    dateExpires: timeOf(created + codeLifetimeMs),
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
  /** The means that it was started with; a body does not name it. */
  readonly authType?: AuthType | undefined;
}

const text = v.optional(v.string());
const mfaHeader = v.object({
  authType: v.optional(v.picklist(authTypes)),
  transactionId: text,
  token: text,
});
const mfaBody = v.object({ transactionId: text, authenticationCode: text });

/** The proof in the body; undefined if there is none. Throws Refusal 400 for half of a proof. */
const inBody = (body: unknown): Proof | undefined => {
  const { success, output } = v.safeParse(mfaBody, body);
  if (!success) return undefined;
  const { transactionId, authenticationCode: token } = output;
  if (transactionId === undefined && token === undefined) return undefined;
  if (transactionId !== undefined && token !== undefined) return { transactionId, token };
  throw validationError("'transactionId' and 'authenticationCode' belong together.");
};

/** The request or proof in the header. Throws Refusal 400 if it cannot be read. */
const inHeader = (header: string | undefined): Proof | { authType: AuthType } | undefined => {
  if (header === undefined) return undefined;
  const { success, output } = v.safeParse(mfaHeader, tryJson(header));
  if (!success) {
    throw validationError(
      "'x-mfa-data' must be JSON with 'authType' ARS or OTP, and with 'transactionId' and 'token' for a code.",
    );
  }
  const { authType, transactionId, token } = output;
  if (transactionId === undefined && token === undefined && authType) return { authType };
  if (transactionId !== undefined && token !== undefined) return { transactionId, token, authType };
  throw validationError("'transactionId' and 'token' of 'x-mfa-data' belong together.");
};
