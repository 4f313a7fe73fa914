/** A method and a path as typed → the endpoint that they mean, and its input. */

import * as v from "valibot";
import type { Settings } from "../../config/settings.ts";
import type { Endpoint, UntypedRequest } from "../../contract/endpoint.ts";
import type { Method } from "../../contract/wire.ts";
import { didYouMean, usageError } from "../../errors.ts";
import { t, translated } from "../../locale/locale.ts";
import type { Context } from "../context.ts";
import { parseJsonFlag, readObject } from "../parse/read-text.ts";

type Hosts = Pick<Settings, "baseUrl" | "authUrl">;

/** What is asked for: `endpoint` has the path as typed, and everything else of the declared one. */
export interface ApiRequest {
  readonly endpoint: Endpoint;
  readonly isDeclared: boolean;
  /** Parameters that stood behind the path's question mark. */
  readonly query: UntypedRequest["query"];
}

const methods: readonly Method[] = ["GET", "POST", "PUT", "DELETE"];

/**
 * An endpoint that the contract does not declare reads when it is a GET; anything else is taken to
 * send or to move money. Throws usage for a path that leads to another host.
 */
export const parseApiRequest = (
  contract: Readonly<Record<string, Endpoint>>,
  hosts: Hosts,
  typedMethod: string,
  typedPath: string,
): ApiRequest => {
  const method = methodOf(typedMethod);
  const { host, target } = targetOf(hosts, typedPath);
  const [typed = "", text = ""] = target.split(/\?(.*)/s);
  const path = pathOf(typed);
  const known = declaredAt(Object.values(contract), method, path);
  const endpoint: Endpoint = { ...(known ?? unknown(method)), path, ...(host && { host }) };
  return { endpoint, isDeclared: known !== undefined, query: queryOf(text) };
};

const methodOf = (typed: string): Method => {
  const method = methods.find((it) => it === typed.toUpperCase());
  if (method !== undefined) return method;
  throw usageError(t`'${typed}' is not a method${didYouMean(typed, methods)}`, {
    code: "InvalidValue",
    todo: methods.join(", "),
  });
};

/** A whole address is taken where it lies on a host of the profile. */
const targetOf = (
  hosts: Hosts,
  typed: string,
): { readonly host?: "auth"; readonly target: string } => {
  if (typed.startsWith("/") && !typed.startsWith("//")) return { target: typed };
  const under = (base: string | undefined): string | undefined =>
    base !== undefined && typed.startsWith(`${base}/`) ? typed.slice(base.length) : undefined;
  const target = under(hosts.baseUrl.value);
  if (target !== undefined) return { target };
  const auth = under(hosts.authUrl.value);
  if (auth !== undefined) return { host: "auth", target: auth };
  throw usageError(t`'${typed}' is not on a host of this profile`, {
    code: "ForeignHost",
    todo: t`give only the path, from its first slash on: credentials go to the profile's hosts only`,
  });
};

/** Percent-encoded once; a colon would be taken for a parameter. */
const pathOf = (typed: string): `/${string}` => {
  if (typed.split("/").some((part) => part === "." || part === "..")) {
    throw usageError(t`'${typed}' leaves its path`, { code: "InvalidValue" });
  }
  const path = encodeURI(typed).replaceAll("%25", "%").replaceAll(":", "%3A");
  return `/${path.slice(1)}`;
};

/** A path that is declared word for word goes before one with a parameter: `/groups/excel` is no group. */
const declaredAt = (
  endpoints: readonly Endpoint[],
  method: Method,
  path: string,
): Endpoint | undefined => {
  const found = endpoints.filter((it) => it.method === method && matches(it.path, path));
  return found.find((it) => !it.path.includes(":")) ?? found[0];
};

const matches = (pattern: string, path: string): boolean => {
  const wanted = pattern.split("/");
  const given = path.replace(/(.)\/$/, "$1").split("/");
  return (
    wanted.length === given.length &&
    wanted.every((part, at) => part.startsWith(":") || part === given[at])
  );
};

const queryOf = (text: string): Readonly<Record<string, unknown>> => {
  const parameters = new URLSearchParams(text);
  return Object.fromEntries(
    [...new Set(parameters.keys())].map((name) => {
      const values = parameters.getAll(name);
      return [name, values.length > 1 ? values : values[0]];
    }),
  );
};

const unknown = (method: Method): Endpoint => ({
  does: "Call an endpoint that is not declared",
  method,
  path: "/",
  ...(method === "GET" ? { effect: "safe" } : { effect: "unsafe", spends: "messages" }),
  needs: {},
  ...(method !== "GET" && { body: v.looseObject({}) }),
  reply: v.unknown(),
});

export interface BodyFlags {
  readonly field?: Readonly<Record<string, string>> | undefined;
  readonly typedField?: Readonly<Record<string, string>> | undefined;
  readonly input?: string | undefined;
}

const quotes = "texts need quotes in JSON: -F name:='\"value\"', or -f name=value";

/** Fields are laid over the members of `--input`; undefined where nothing was given. */
export const readBody = async (
  ctx: Context,
  { field, typedField, input }: BodyFlags,
): Promise<Readonly<Record<string, unknown>> | undefined> => {
  const given = input === undefined ? undefined : await readObject(ctx, input);
  if (given === undefined && field === undefined && typedField === undefined) return undefined;
  const typed: (readonly [string, unknown])[] = [];
  for (const [typedName, text] of Object.entries(typedField ?? {})) {
    const name = typedName.replace(/:$/, "");
    typed.push([name, await parseJsonFlag(`-F ${name}`, text, translated(quotes))]);
  }
  return { ...given, ...field, ...Object.fromEntries(typed) };
};
