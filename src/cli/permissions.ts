/** Permission rows: their description, the commands that they guard, and whether a caller may. */

import type { Caller, Endpoint } from "../contract/endpoint.ts";
import { type CallerFacts, findMissingPermission, needsOf } from "../contract/needs.ts";
import { t } from "../locale/locale.ts";

export interface Permission {
  readonly allowed: "yes" | "no" | "not known";
  readonly why: string;
}

/** Whether all of them may be called. */
export const permissionOf = (endpoints: readonly Endpoint[], facts: CallerFacts): Permission => {
  const lacks = endpoints.map((it) => findMissingPermission(it, facts)).filter((it) => it);
  const lack = lacks.find((it) => it !== "?") ?? lacks[0];
  if (lack === undefined) return { allowed: "yes", why: "" };
  return lack === "?"
    ? { allowed: "not known", why: t`only the service knows the role and status of this caller` }
    : { allowed: "no", why: lack.why };
};

/** Writes that not every caller may make; most of them ask before they write. */
export const isGuarded = (endpoint: Endpoint): boolean =>
  endpoint.effect !== "safe" && needsOf(endpoint).authentication !== undefined;

/** Whether it reads or moves money: calls whose outcome is unknown are reported before it. */
export const concernsMoney = ({ endpoints }: Caller): boolean =>
  endpoints.some(({ path }) => path.startsWith("/cash/"));

/** What a caller of all these endpoints needs, as one phrase. */
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

/** The calls that a command is about: its endpoint, else all that it calls. */
export const calledBy = ({ endpoint, endpoints }: Caller): readonly Endpoint[] =>
  endpoint ? [endpoint] : endpoints;

/** What the caller of a command needs; null for nothing. */
export const needsOfVerb = (verb: Caller): string | null => {
  const called = calledBy(verb);
  return called.length === 0 ? null : describeNeeds(...called);
};
