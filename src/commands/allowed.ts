/** What a caller may do, from the permission rows of the contract and what is known of the caller. */
import type { Endpoint } from "../contract/endpoint.ts";
import { type Needs, needsOf } from "../contract/needs.ts";
import { type Role, roleIncludes } from "../contract/roles.ts";

/** What is known; a member that is absent is not. */
export interface CallerFacts {
  /** Scopes of the token; `key` for an API key, which needs none. */
  readonly scopes: readonly string[] | "key";
  readonly role?: Role | undefined;
  readonly account?: string | undefined;
  readonly member?: string | undefined;
  readonly authenticated?: boolean | undefined;
}

export interface Allowed {
  readonly allowed: "yes" | "no" | "not known";
  readonly why: string;
}

/** One cell of the row: what is wrong, undefined where it is met, `?` where it cannot be known here. */
type Check = (needs: Needs, facts: CallerFacts) => string | undefined;

const checks: readonly Check[] = [
  ({ credentials }, { scopes }) =>
    credentials === "token" && scopes === "key" ? "it takes a token, not an API key" : undefined,
  ({ scope }, { scopes }) =>
    scopes === "key" || scope === undefined || scopes.includes(scope) || scopes.includes("*")
      ? undefined
      : `the token lacks the scope ${scope}`,
  ({ account }, { account: found }) => {
    if (found === undefined) return account && "?";
    const isFit = found !== "DELETED" && (account === undefined || found === account);
    return isFit ? undefined : `the account is ${found}`;
  },
  ({ member }, { member: found }) => {
    if (found === undefined) return member && "?";
    const isFit = found !== "DELETED" && (member === undefined || found === member);
    return isFit ? undefined : `the member is ${found}`;
  },
  ({ role }, { role: found }) => {
    if (role === undefined) return undefined;
    if (found === undefined) return "?";
    return roleIncludes(found, role) ? undefined : `the role ${found} does not include ${role}`;
  },
  ({ authentication }, { authenticated }) => {
    if (authentication === undefined || authenticated === true) return undefined;
    return authenticated === undefined ? "?" : "the account is not authenticated";
  },
];

/** Yes, no and why, or not known: the first cell that fails says no. */
export const isAllowed = (endpoints: readonly Endpoint[], facts: CallerFacts): Allowed => {
  const found = endpoints.flatMap((endpoint) => {
    const row = needsOf(endpoint);
    return row.credentials === "none" ? [] : checks.map((check) => check(row, facts));
  });
  const no = found.find((it) => it !== undefined && it !== "?");
  if (no !== undefined) return { allowed: "no", why: no };
  return found.includes("?")
    ? { allowed: "not known", why: "role and statuses of this caller are the service's to say" }
    : { allowed: "yes", why: "" };
};
