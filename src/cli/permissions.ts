/** Permission rows: their description, the commands that they guard, and what a caller lacks. */

import type { Caller, Endpoint } from "../contract/endpoint.ts";
import { type Needs, needsOf, type Role, roleIncludes } from "../contract/needs.ts";
import { t } from "../locale/locale.ts";

/** What is known; a member that is absent is not. */
export interface CallerFacts {
  /** Scopes of the token; `key` for an API key, which needs none. Some tokens say nothing about themselves. */
  readonly scopes?: readonly string[] | "key" | undefined;
  readonly role?: Role | undefined;
  readonly account?: string | undefined;
  readonly member?: string | undefined;
  readonly authenticated?: boolean | undefined;
}

export interface Permission {
  readonly allowed: "yes" | "no" | "not known";
  readonly why: string;
}

/** What a caller lacks: the errorCode that the service answers with, and why. */
export interface MissingPermission {
  readonly code: string;
  readonly why: string;
}

/** One cell of the row: what is wrong, undefined if it is met, `?` if that cannot be known here. */
type Check = (needs: Needs, facts: CallerFacts) => MissingPermission | "?" | undefined;

const checks: readonly Check[] = [
  ({ credentials }, { scopes }) =>
    credentials === "token" && scopes === "key"
      ? { code: "Unauthorized", why: t`it takes a token, not an API key` }
      : undefined,
  ({ scope }, { scopes }) => {
    if (scopes === undefined) return scope === undefined ? undefined : "?";
    return scopes === "key" || scope === undefined || scopes.includes(scope) || scopes.includes("*")
      ? undefined
      : { code: "Unauthorized", why: t`the token lacks the scope ${scope}` };
  },
  ({ account }, { account: found }) => {
    if (found === undefined) return account && "?";
    const isFit = found !== "DELETED" && (account === undefined || found === account);
    const code = found === "DELETED" ? "DeletedAccount" : "InactiveAccount";
    return isFit ? undefined : { code, why: t`the account is ${found}` };
  },
  ({ member }, { member: found }) => {
    if (found === undefined) return member && "?";
    const isFit = found !== "DELETED" && (member === undefined || found === member);
    const code = memberCodes[found] ?? "InactiveMember";
    return isFit ? undefined : { code, why: t`the member is ${found}` };
  },
  ({ role }, { role: found }) => {
    if (role === undefined) return undefined;
    if (found === undefined) return "?";
    const why = t`the role ${found} does not include ${role}`;
    return roleIncludes(found, role) ? undefined : { code: "Forbidden", why };
  },
  ({ authentication }, { authenticated }) => {
    if (authentication === undefined || authenticated === true) return undefined;
    const why = t`the account is not authenticated`;
    return authenticated === undefined ? "?" : { code: "AccountNotAuthenticated", why };
  },
];

const memberCodes: Readonly<Record<string, string>> = {
  DELETED: "DeletedMember",
  UNVERIFIED: "UnverifiedMember",
};

/** What the caller is known to lack: the first cell that fails; `?` if that cannot be known here. */
export const findMissingPermission = (
  endpoint: Endpoint,
  facts: CallerFacts,
): MissingPermission | "?" | undefined => {
  const row = needsOf(endpoint);
  if (row.credentials === "none") return undefined;
  const found = checks.map((check) => check(row, facts));
  return found.find((it) => it !== undefined && it !== "?") ?? found.find((it) => it === "?");
};

/** Yes, no and why, or not known. */
export const permissionOf = (endpoint: Endpoint, facts: CallerFacts): Permission => {
  const lack = findMissingPermission(endpoint, facts);
  if (lack === "?")
    return {
      allowed: "not known",
      why: t`only the service knows the role and status of this caller`,
    };
  return lack ? { allowed: "no", why: lack.why } : { allowed: "yes", why: "" };
};

/** Writes that not every caller may make; most of them ask before they write. */
export const isGuarded = (endpoint: Endpoint): boolean =>
  endpoint.effect !== "safe" && needsOf(endpoint).authentication !== undefined;

export const needsCallerCheck = ({ endpoints }: Caller): boolean => endpoints.some(isGuarded);

export const movesMoney = ({ endpoints }: Caller): boolean =>
  endpoints.some(({ path }) => path.startsWith("/cash/"));

/** What a caller needs, as one sentence. */
export const describeNeeds = (...endpoints: readonly Endpoint[]): string => {
  const needs = endpoints.map(needsOf);
  if (needs.every(({ credentials }) => credentials === "none"))
    return t`nothing: no credentials needed`;
  if (needs.every(({ credentials }) => credentials === "optional"))
    return t`nothing; with credentials, it answers for the caller`;
  const parts = [
    ...needs.map(({ scope }) => scope),
    ...needs.map(({ role }) => role),
    ...needs.map(({ account }) => account && t`an active account`),
    ...needs.map(({ member }) => member && t`an active member`),
    ...needs.map(({ authentication }) => authentication && t`an authenticated account`),
    ...endpoints.map(({ secondFactor }) => secondFactor && t`a second factor`),
  ].filter((it) => it !== undefined);
  return parts.length > 0 ? [...new Set(parts)].join(", ") : t`valid credentials`;
};

/** What the caller of a command needs: for its endpoint, else for all that it calls; null for none. */
export const needsOfVerb = ({ endpoint, endpoints }: Caller): string | null => {
  const called = endpoint ? [endpoint] : endpoints;
  return called.length === 0 ? null : describeNeeds(...called);
};
