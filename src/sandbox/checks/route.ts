/** Which endpoint a method and a path mean. */
import type { Endpoint, UntypedRequest } from "../../contract/endpoint.ts";
import { assumed } from "../assumptions.ts";
import type { AdminContext } from "../controls/admin-context.ts";
import { Refusal } from "../service.ts";

/** A handler whose endpoint is not known at compile time. */
export type UntypedHandler = (input: UntypedRequest, context: AdminContext) => unknown;

/** An endpoint, ready to be matched and handled. */
export interface Route {
  readonly endpoint: Endpoint;
  /** What the handler would refuse of the form of the request: asked before a second factor is. */
  readonly check?: UntypedHandler | undefined;
  readonly handle: UntypedHandler;
}

export interface Match extends Route {
  readonly params: Readonly<Record<string, string>>;
  /** The text after the question mark. */
  readonly query: string;
}

interface Pattern {
  readonly segments: readonly string[];
  readonly route: Route;
}

/**
 * Compiles routes into a function of method and target. Static segments win over parameters
 * (`groups/excel` over `groups/:groupId`), one trailing slash is accepted, parameters are
 * percent-decoded. Throws Refusal 404 where nothing matches.
 */
export const matcher = (routes: readonly Route[]) => {
  const patterns = new Map<string, Pattern[]>();
  for (const route of routes) {
    const { method, path } = route.endpoint;
    const segments = path.slice(1).split("/");
    const kind = `${method} ${segments.length}`;
    patterns.set(kind, [...(patterns.get(kind) ?? []), { segments, route }].sort(moreStatic));
  }
  return (method: string, target: string): Match => {
    const at = target.indexOf("?");
    const [whole, query] = at < 0 ? [target, ""] : [target.slice(0, at), target.slice(at + 1)];
    const path = whole.length > 1 && whole.endsWith("/") ? whole.slice(0, -1) : whole;
    const given = path.slice(1).split("/");
    for (const { segments, route } of patterns.get(`${method} ${given.length}`) ?? []) {
      const params = match(segments, given);
      if (params !== undefined) return { ...route, params, query };
    }
    const text = `There is no ${method} ${path}.`;
    throw new Refusal(404, "ResourceNotFound", text, assumed("unknown-route"));
  };
};

const moreStatic = (left: Pattern, right: Pattern): number => {
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
    const value = decodePercent(text);
    if (!value) return undefined;
    params[segment.slice(1)] = value;
  }
  return params;
};

/** A text without its percent-encoding; undefined where that is wrong. */
export const decodePercent = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};
