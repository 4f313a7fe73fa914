/** Finds the endpoint of a method and a path. */
import type { Endpoint, UntypedRequest } from "../../contract/endpoint.ts";
import { quietly } from "../../durable/files.ts";
import { assumed } from "../assumptions.ts";
import type { AdminContext } from "../controls/admin-context.ts";
import { Refusal } from "../service.ts";

/** A handler whose endpoint is not known at compile time. */
export type UntypedHandler = (input: UntypedRequest, context: AdminContext) => unknown;

export interface Route {
  readonly endpoint: Endpoint;
  /** Checks the form of the request as the handler would, before a second factor is asked for. */
  readonly check?: UntypedHandler | undefined;
  readonly handle: UntypedHandler;
}

export interface Match extends Route {
  readonly params: Readonly<Record<string, string>>;
  /** The text after the question mark. */
  readonly query: string;
}

/**
 * Compiles routes into a function of method and target. Static segments win over parameters
 * (`groups/excel` over `groups/:groupId`), one trailing slash is accepted, parameters are
 * percent-decoded. Throws Refusal 404 if nothing matches.
 */
export const matcher = (routes: readonly Route[]) => {
  const patterns = routes
    .map(patternOf)
    .sort((one, other) => Number(one.rank > other.rank) - Number(one.rank < other.rank));
  return (method: string, target: string): Match => {
    const at = target.indexOf("?");
    const [whole, query] = at < 0 ? [target, ""] : [target.slice(0, at), target.slice(at + 1)];
    const path = whole.length > 1 && whole.endsWith("/") ? whole.slice(0, -1) : whole;
    for (const { route, shape } of patterns) {
      const found = route.endpoint.method === method ? shape.exec(path) : null;
      const params = found && decoded(found.groups);
      if (params) return { ...route, params, query };
    }
    const text = `There is no ${method} ${path}.`;
    throw new Refusal(404, "ResourceNotFound", text, assumed("unknown-route"));
  };
};

const patternOf = (route: Route) => {
  const path = route.endpoint.path.replaceAll(".", "\\.");
  const parameter = /:(\w+)/g;
  return {
    route,
    shape: new RegExp(`^${path.replaceAll(parameter, "(?<$1>[^/]+)")}$`),
    /** A parameter sorts after every text. */
    rank: path.replaceAll(parameter, "\uffff"),
  };
};

/** Undefined if the percent-encoding of one is wrong. */
const decoded = (groups: Readonly<Record<string, string>> = {}) => {
  const params: Record<string, string> = {};
  for (const [name, text] of Object.entries(groups)) {
    const value = decodePercent(text);
    if (value === undefined) return undefined;
    params[name] = value;
  }
  return params;
};

/** A text without its percent-encoding; undefined if that is invalid. */
export const decodePercent = (text: string): string | undefined =>
  quietly(() => decodeURIComponent(text));
