/** Whether the caller may: the five columns of a permission row, and how often. */
import type { Endpoint } from "../../contract/endpoint.ts";
import { type Needs, needsOf } from "../../contract/needs.ts";
import { roleIncludes } from "../../contract/roles.ts";
import { assumed } from "../assumptions/index.ts";
import type { VerifiedCaller } from "../service.ts";
import { type Caller, Refusal } from "../service.ts";
import type { Store } from "../store/store.ts";

/** Throws the Refusal of the first column that fails. What is DELETED is refused everywhere. */
export const authorize = (endpoint: Endpoint, caller: VerifiedCaller): void => {
  const needs = needsOf(endpoint);
  checkScope(needs, caller);
  checkAccount(needs, caller);
  checkMember(needs, caller);
  if (needs.role !== undefined && !roleIncludes(caller.role, needs.role)) {
    throw refused("Forbidden", `The role ${caller.role} does not include ${needs.role}.`);
  }
  if (needs.authentication === "required" && !caller.authenticated) {
    throw refused("AccountNotAuthenticated", "The account is not authenticated.");
  }
};

/** Scopes bind tokens only. */
const checkScope = (needs: Needs, caller: VerifiedCaller): void => {
  if (caller.scopes === undefined) {
    if (needs.credentials !== "token") return;
    throw new Refusal(401, "Unauthorized", "This endpoint takes an access token, not an API key.");
  }
  if (needs.scope === undefined || caller.scopes.includes(needs.scope)) return;
  throw new Refusal(
    401,
    "Unauthorized",
    `The access token does not hold the scope ${needs.scope}.`,
  );
};

const checkAccount = (needs: Needs, caller: VerifiedCaller): void => {
  if (caller.accountStatus === "DELETED") {
    throw refused("DeletedAccount", "The account was deleted.");
  }
  if (needs.account === "ACTIVE" && caller.accountStatus !== "ACTIVE") {
    throw refused("InactiveAccount", "The account is dormant.");
  }
};

const checkMember = (needs: Needs, caller: VerifiedCaller): void => {
  if (caller.memberStatus === "DELETED") {
    throw refused("DeletedMember", "The member was deleted.");
  }
  if (needs.member !== "ACTIVE" || caller.memberStatus === "ACTIVE") return;
  if (caller.memberStatus === "UNVERIFIED") {
    throw refused("UnverifiedMember", "The member's e-mail address is not confirmed.");
  }
  throw refused("InactiveMember", "The member is dormant.");
};

const refused = (errorCode: string, message: string): Refusal =>
  new Refusal(403, errorCode, message, assumed("permission-errors"));

/**
 * The limit that `sandbox set --rate-limit` switches on; the service publishes none. Throws Refusal 429
 * once a key has made its requests of the running second.
 */
export const checkRateLimit = (store: Store, caller: Caller, signingTime: Date): void => {
  const limit = store.settings.get("rateLimit");
  if (limit === null) return;
  const second = Math.floor(signingTime.getTime() / 1000);
  const rates = store.settings.get("rates");
  const used = rates.second === second ? rates.used : {};
  const key = caller.apiKey ?? caller.memberId;
  const count = (used[key] ?? 0) + 1;
  if (count > limit) {
    throw new Refusal(429, "TooManyRequests", `More than ${limit} requests a second.`, {
      headers: { ...assumed("rate-limit").headers, "retry-after": "1" },
    });
  }
  store.settings.set("rates", { second, used: { ...used, [key]: count } });
};
