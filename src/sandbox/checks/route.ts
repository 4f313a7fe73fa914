/** Which endpoint a method and a path mean. */
import type { Endpoint, UntypedRequest } from "../../contract/endpoint.ts";
import { assumed } from "../assumptions/assumption.ts";
import { Refusal } from "../service.ts";
import { type Validate, validator } from "./validate.ts";

/** A handler whose endpoint is not known at compile time. `S` is what it is handed. */
export type LooseHandler<S> = (input: UntypedRequest, service: S) => unknown;

/** An endpoint, ready to be matched, checked and handled. */
export interface Route<S> {
  readonly endpoint: Endpoint;
  readonly validate: Validate;
  /** What the handler would refuse of the form of the request: asked before a second factor is. */
  readonly check: LooseHandler<S> | undefined;
  readonly handle: LooseHandler<S>;
}

export interface Match<S> extends Route<S> {
  readonly params: Readonly<Record<string, string>>;
  /** The text after the question mark. */
  readonly query: string;
}

interface Pattern<S> {
  readonly segments: readonly string[];
  readonly route: Route<S>;
}

/**
 * Compiles routes into a function of method and target. Static segments win over parameters
 * (`groups/excel` over `groups/:groupId`), one trailing slash is accepted, parameters are
 * percent-decoded. Throws Refusal 404 where nothing matches.
 */
export const matcher = <S>(routes: readonly Route<S>[]) => {
  const exact = new Map<string, Route<S>>();
  const patterns = new Map<string, Pattern<S>[]>();
  for (const route of routes) {
    const { method, path } = route.endpoint;
    const segments = path.slice(1).split("/");
    if (!path.includes(":")) exact.set(`${method} ${path}`, route);
    const kind = `${method} ${segments.length}`;
    patterns.set(kind, [...(patterns.get(kind) ?? []), { segments, route }].sort(moreStatic));
  }
  return (method: string, target: string): Match<S> => {
    const at = target.indexOf("?");
    const [whole, query] = at < 0 ? [target, ""] : [target.slice(0, at), target.slice(at + 1)];
    const path = whole.length > 1 && whole.endsWith("/") ? whole.slice(0, -1) : whole;
    const route = exact.get(`${method} ${path}`);
    if (route !== undefined) return matched(route, {}, query);
    const given = path.slice(1).split("/");
    for (const pattern of patterns.get(`${method} ${given.length}`) ?? []) {
      const params = match(pattern.segments, given);
      if (params !== undefined) return matched(pattern.route, params, query);
    }
    throw new Refusal(
      404,
      "ResourceNotFound",
      `There is no ${method} ${path}.`,
      assumed("unknown-route"),
    );
  };
};

/** Spelled out: Node 20 copies an object at the price of many such. */
const matched = <S>(
  { endpoint, validate, check, handle }: Route<S>,
  params: Match<S>["params"],
  query: string,
): Match<S> => ({ endpoint, validate, check, handle, params, query });

/** Prepares a route of a contract whose handlers are a total record: its cast is the router's one. */
export const route = <S>(
  endpoint: Endpoint,
  handle: LooseHandler<S>,
  check?: LooseHandler<S> | undefined,
): Route<S> => ({ endpoint, validate: validator(endpoint), check, handle });

const moreStatic = <S>(left: Pattern<S>, right: Pattern<S>): number => {
  const at = left.segments.findIndex(
    (segment, index) => segment.startsWith(":") !== right.segments[index]?.startsWith(":"),
  );
  if (at < 0) return 0;
  return left.segments[at]?.startsWith(":") ? 1 : -1;
};

const match = (
  segments: readonly string[],
  given: readonly string[],
): Record<string, string> | undefined => {
  const params: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    const text = given[index] ?? "";
    if (!segment.startsWith(":")) {
      if (segment !== text) return undefined;
      continue;
    }
    const value = decode(text);
    if (!value) return undefined;
    params[segment.slice(1)] = value;
  }
  return params;
};

const decode = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};
