/** A permission row in words. */
import type { Endpoint } from "../../contract/endpoint.ts";
import { needsOf } from "../../contract/needs.ts";

/** What a caller needs, as one sentence (specification 5.4). */
export const describeNeeds = (endpoint: Endpoint): string => {
  const needs = needsOf(endpoint);
  if (needs.credentials === "none") return "nothing: no credentials are asked for";
  if (needs.credentials === "optional")
    return "nothing; with credentials it answers for the caller";
  const parts = [
    needs.scope,
    needs.role,
    needs.account && "an active account",
    needs.member && "an active member",
    needs.authentication && "an authenticated account",
    endpoint.secondFactor && "a second factor",
  ].filter((it) => it !== undefined);
  return parts.length > 0 ? parts.join(", ") : "valid credentials";
};
