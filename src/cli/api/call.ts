/** `msg api <METHOD> <path>`: one signed request, its answer as it came. */

import * as v from "valibot";
import type { Conversation } from "../../client/layers/second-factor.ts";
import type { Settings } from "../../config/settings.ts";
import type { Endpoint, UntypedRequest, Values } from "../../contract/endpoint.ts";
import { file, flag, pairs } from "../../contract/fields.ts";
import { contract } from "../../contract/index.ts";
import type { Answer, Method } from "../../contract/wire.ts";
import { didYouMean, invalidValue, isReaderGone, MsgError, usageError } from "../../errors.ts";
import { t, translated } from "../../locale/locale.ts";
import { selectFields } from "../../output/fields.ts";
import { renderPages, renderRecord } from "../../output/render.ts";
import type { Result, View } from "../../output/view.ts";
import type { Context } from "../context.ts";
import { parseJsonFlag, readObject, untypedInput } from "../parse/input.ts";

/** What a call by method and path takes. */
export const callFlags = {
  field: pairs("a text member: -f name=value; on GET a query parameter", { short: "f" }),
  typedField: pairs("a JSON member: -F count:=5 -F list:='[1,2]'", { short: "F" }),
  input: file("a file with the JSON body, or - for standard input"),
  query: pairs("a query parameter: --query limit=5 --query 'type[in]=[\"SMS\"]'"),
  paginate: flag("read all pages of a list into one array"),
  include: flag("print status and headers before the answer", { short: "i" }),
};

type Flags = Values<typeof callFlags>;

/** Makes the call and prints its answer. Throws usage for a line that makes no request, else what the client throws. */
export const callApi = async (
  ctx: Context,
  method: string,
  path: string,
  flags: Flags,
): Promise<Result> => {
  const { endpoint, isDeclared, query } = parseApiRequest(ctx.settings, method, path);
  const fields = await readBody(ctx, flags);
  const isRead = endpoint.method === "GET";
  if (isRead && flags.input !== undefined)
    throw usageError(t`a GET has no body`, { todo: t`use --query or -f name=value` });
  const all = { ...query, ...(isRead && fields), ...flags.query };
  const input: UntypedRequest = { query: all, ...(!isRead && fields && { body: fields }) };
  if (!isDeclared) await ctx.note(t`${endpoint.method} ${endpoint.path} is not in the contract`);
  if (flags.paginate) return paginate(ctx, endpoint, input);
  const client = await ctx.session.client();
  const answers: Answer[] = [];
  const onAnswer = (answer: Answer): void => void answers.push(answer);
  const reply = await client
    .call(endpoint, untypedInput(input), { onAnswer, conversation })
    .finally(() => include(ctx, flags, answers));
  const writing = show(ctx, reply);
  if (isRead) return written(ctx, writing);
  await writing;
  return { text: "" };
};

/** Without output a read has brought nothing; what a write has done stays done. */
export const written = async ({ io: { out } }: Context, writing: Promise<unknown>) => {
  await writing;
  if (out.failure && !isReaderGone(out.failure))
    throw new MsgError("fault", t`the output could not be written: ${out.failure.message}`);
  return { text: "" };
};

/** `msg api` has no second factor: only the commands that have one also keep calls whose outcome is unknown. */
const conversation: Conversation = {
  proof: undefined,
  means: async () => undefined,
  code: async () => undefined,
  countdown: async () => false,
  todo: () => t`msg api asks for no code: use the command for this; msg --help lists them`,
};

/** Always JSON: an answer of any endpoint has no columns. */
const viewOf = ({ view }: Context): View => ({
  ...view,
  format: view.format === "jsonl" ? "jsonl" : "json",
});

/** The members that `--fields` names: any, because an answer may hold any. */
const askedFields = (ctx: Context) => selectFields(ctx.view, [], undefined);

const show = async (ctx: Context, reply: unknown): Promise<void> => {
  if (!(reply instanceof Uint8Array))
    return renderRecord(ctx.io.out, viewOf(ctx), askedFields(ctx), reply);
  if (!ctx.io.out.isTTY) return ctx.io.out.writeBytes(reply);
  throw usageError(t`the answer is a document of ${reply.length} bytes`, {
    code: "FileNeeded",
    todo: t`write it to a file: msg api … > file`,
    outcome: "done",
  });
};

const include = async (ctx: Context, flags: Flags, answers: readonly Answer[]): Promise<void> => {
  const answer = answers.at(-1);
  if (!flags.include || answer === undefined) return;
  const headers = Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}\n`);
  await ctx.io.out.write(`HTTP ${answer.status}\n${headers.join("")}\n`);
};

const paginate = async (
  ctx: Context,
  endpoint: Endpoint,
  input: UntypedRequest,
): Promise<Result> => {
  if (endpoint.page === undefined) {
    throw usageError(t`${endpoint.method} ${endpoint.path} is not a list with pages`, {
      code: "NotAList",
      todo: t`msg api --list shows the endpoints; omit --paginate`,
    });
  }
  const client = await ctx.session.client();
  const pages = client.pages(endpoint, untypedInput(input));
  return written(ctx, renderPages(ctx.io.out, viewOf(ctx), askedFields(ctx), pages));
};

const methods: readonly Method[] = ["GET", "POST", "PUT", "DELETE"];

/**
 * The endpoint that was typed: its path, everything declared for it, and its query. An endpoint that the
 * contract does not declare reads if it is a GET; anything else is treated as a send or a movement of
 * money. Throws usage for a path that leads to another host.
 */
const parseApiRequest = (
  hosts: Pick<Settings, "baseUrl" | "authUrl">,
  typedMethod: string,
  typedPath: string,
) => {
  const method = methodOf(typedMethod);
  const { host, target } = targetOf(hosts, typedPath);
  const [typed = "", text = ""] = target.split(/\?(.*)/s);
  const path = pathOf(typed);
  const known = declaredAt(method, path);
  const endpoint: Endpoint = { ...(known ?? unknown(method)), path, ...(host && { host }) };
  return { endpoint, isDeclared: known !== undefined, query: queryOf(text) };
};

const methodOf = (typed: string): Method => {
  const method = methods.find((it) => it === typed.toUpperCase());
  if (method !== undefined) return method;
  const hint = didYouMean(typed, methods);
  throw invalidValue(t`'${typed}' is not a method${hint}`, methods.join(", "));
};

/** Accepts a whole address if it is on a host of the profile. */
const targetOf = (
  hosts: Pick<Settings, "baseUrl" | "authUrl">,
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

/** Percent-encoded once; a colon would be read as a parameter. */
const pathOf = (typed: string): `/${string}` => {
  if (typed.split("/").some((part) => part === "." || part === ".."))
    throw invalidValue(t`'${typed}' leaves its path`);
  const path = encodeURI(typed).replaceAll("%25", "%").replaceAll(":", "%3A");
  return `/${path.slice(1)}`;
};

/** A literally declared path wins over one with a parameter: `/groups/excel` is not a group. */
const declaredAt = (method: Method, path: string): Endpoint | undefined => {
  const endpoints = Object.values<Endpoint>(contract);
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

const quotes = "texts need quotes in JSON: -F name:='\"value\"', or -f name=value";

/** Fields override the members of `--input`; undefined if nothing was given. */
const readBody = async (
  ctx: Context,
  { field, typedField, input }: Flags,
): Promise<Readonly<Record<string, unknown>> | undefined> => {
  const given = input === undefined ? undefined : await readObject(ctx, input);
  if (given === undefined && field === undefined && typedField === undefined) return undefined;
  const typed = Object.entries(typedField ?? {}).map(([typedName, text]) => {
    const name = typedName.replace(/:$/, "");
    return [name, parseJsonFlag(`-F ${name}`, text, translated(quotes))];
  });
  return { ...given, ...field, ...Object.fromEntries(typed) };
};
