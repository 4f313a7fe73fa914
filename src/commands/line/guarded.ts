/** Which commands are checked for who calls before anything is asked. */
import type { Endpoint } from "../../contract/endpoint.ts";
import { needsOf } from "../../contract/needs.ts";

/** The endpoints that a command may call. */
export interface Caller {
  readonly endpoint: Endpoint | undefined;
  readonly also: readonly Endpoint[];
}

/** Writes that not every caller may make: few may, and most of them ask before they write. */
export const isGuarded = (endpoint: Endpoint | undefined): endpoint is Endpoint =>
  endpoint !== undefined &&
  endpoint.effect !== "safe" &&
  needsOf(endpoint).authentication !== undefined;

export const asksWhoCalls = ({ endpoint, also }: Caller): boolean =>
  [endpoint, ...also].some(isGuarded);
