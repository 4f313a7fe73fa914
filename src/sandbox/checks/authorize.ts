/** Checks permission and rate: the five columns of a permission row, and the rate limit. */
import type { Endpoint } from "../../contract/endpoint.ts";
import { type Needs, needsOf, roleIncludes } from "../../contract/needs.ts";
import { assumed } from "../assumptions.ts";
import { type Caller, Refusal, type VerifiedCaller } from "../service.ts";
import type { Store } from "../store/store.ts";

/** Throws the Refusal of the first column that fails. A DELETED account or member is refused everywhere. */
export const authorize = (endpoint: Endpoint, caller: VerifiedCaller): void => {
  const needs = needsOf(endpoint);
  checkScope(needs, caller);
  const denial = denials(needs, caller).find(([isDenied]) => isDenied);
  if (denial === undefined) return;
  const [, errorCode, message] = denial;
  throw new Refusal(403, errorCode, message, assumed("permission-errors"));
};

/** Scopes bind tokens only. */
const checkScope = ({ credentials, scope }: Needs, { scopes }: VerifiedCaller): void => {
  if (scopes === undefined) {
    if (credentials !== "token") return;
    throw new Refusal(401, "Unauthorized", "This endpoint takes an access token, not an API key.");
  }
  if (scope === undefined || scopes.includes(scope)) return;
  throw new Refusal(401, "Unauthorized", `The access token does not hold the scope ${scope}.`);
};

/** In the order of the columns. */
const denials = (
  needs: Needs,
  caller: VerifiedCaller,
): readonly (readonly [isDenied: boolean, errorCode: string, message: string])[] => {
  const { role, accountStatus: account, memberStatus: member, authenticated } = caller;
  const isMemberWrong = needs.member === "ACTIVE" && member !== "ACTIVE";
  const lacksRole = needs.role !== undefined && !roleIncludes(role, needs.role);
  const lacksAuthentication = needs.authentication === "required" && !authenticated;
  const isAccountWrong = needs.account === "ACTIVE" && account !== "ACTIVE";
  const unverified = "The member's e-mail address is not confirmed.";
  return [
    [account === "DELETED", "DeletedAccount", "The account was deleted."],
    [isAccountWrong, "InactiveAccount", "The account is dormant."],
    [member === "DELETED", "DeletedMember", "The member was deleted."],
    [isMemberWrong && member === "UNVERIFIED", "UnverifiedMember", unverified],
    [isMemberWrong, "InactiveMember", "The member is dormant."],
    [lacksRole, "Forbidden", `The role ${role} does not include ${needs.role}.`],
    [lacksAuthentication, "AccountNotAuthenticated", "The account is not authenticated."],
  ];
};

/**
 * The limit that `sandbox set --rate-limit` switches on; the service publishes none. Throws Refusal 429
 * after a key has used up its requests of the current second.
 */
export const checkRateLimit = (store: Store, caller: Caller, signingTime: number): void => {
  const limit = store.settings.get("rateLimit");
  if (limit === null) return;
  const second = Math.floor(signingTime / 1000);
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
