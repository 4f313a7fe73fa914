/** Checks permission and rate: the five columns of a permission row, and the rate limit. */
import type { Endpoint } from "../../contract/endpoint.ts";
import { findMissingPermission } from "../../contract/needs.ts";
import { assumed } from "../assumptions.ts";
import { type Caller, Refusal } from "../service.ts";
import type { Member } from "../store/callers.ts";
import type { Store } from "../store/store.ts";

/** The owner of valid credentials, with the data for the permission checks. */
export type VerifiedCaller = Caller &
  Pick<Member, "accountStatus" | "memberStatus" | "authenticated">;

/** Throws the Refusal of the first column that fails. */
export const authorize = (endpoint: Endpoint, caller: VerifiedCaller): void => {
  const lack = findMissingPermission(endpoint, {
    scopes: caller.scopes ?? "key",
    role: caller.role,
    account: caller.accountStatus,
    member: caller.memberStatus,
    authenticated: caller.authenticated === 1,
  });
  if (lack === undefined || lack === "?") return;
  const { code, why } = lack;
  if (code === "Unauthorized") throw new Refusal(401, code, `${why}.`);
  throw new Refusal(403, code, `${why}.`, assumed("permission-errors"));
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
