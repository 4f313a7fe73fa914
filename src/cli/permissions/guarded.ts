/** Which commands are checked for who calls before anything is asked. */
import type { Caller, Endpoint } from "../../contract/endpoint.ts";
import { needsOf } from "../../contract/needs.ts";

/** Writes that not every caller may make: few may, and most of them ask before they write. */
export const isGuarded = (endpoint: Endpoint | undefined): endpoint is Endpoint =>
  endpoint !== undefined &&
  endpoint.effect !== "safe" &&
  needsOf(endpoint).authentication !== undefined;

export const needsCallerCheck = ({ endpoint, additionalEndpoints: also }: Caller): boolean =>
  [endpoint, ...also].some(isGuarded);

export const movesMoney = ({ endpoint, additionalEndpoints: also }: Caller): boolean =>
  [endpoint, ...also].some((it) => it?.path.startsWith("/cash/"));
