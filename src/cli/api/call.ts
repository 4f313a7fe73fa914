/** `msg api <METHOD> <path>`: one signed request, its answer as it came. */

import type { Conversation } from "../../client/layers/second-factor.ts";
import type { Endpoint, UntypedRequest } from "../../contract/endpoint.ts";
import type { Answer } from "../../contract/wire.ts";
import { usageError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { selectFields } from "../../output/fields.ts";
import { renderPages, renderRecord } from "../../output/render.ts";
import type { Result, View } from "../../output/view.ts";
import type { Context } from "../context.ts";
import { untypedInput } from "../parse/input.ts";
import { type BodyFlags, parseApiRequest, readBody } from "./request.ts";

export interface ApiFlags extends BodyFlags {
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>> | undefined;
  readonly paginate?: boolean | undefined;
  readonly include?: boolean | undefined;
}

export const callApi = async (
  ctx: Context,
  contract: Readonly<Record<string, Endpoint>>,
  flags: ApiFlags,
): Promise<Result> => {
  const { endpoint, isDeclared, query } = parseApiRequest(
    contract,
    ctx.settings,
    flags.method,
    flags.path,
  );
  const fields = await readBody(ctx, flags);
  const isRead = endpoint.method === "GET";
  if (isRead && flags.input !== undefined) throw noBody();
  const all = { ...query, ...(isRead && fields), ...flags.query };
  const input: UntypedRequest = { query: all, ...(!isRead && fields && { body: fields }) };
  if (!isDeclared) await ctx.note(t`${endpoint.method} ${endpoint.path} is not in the contract`);
  if (flags.paginate) return paginate(ctx, endpoint, input);
  const client = await ctx.session.client();
  const answers: Answer[] = [];
  const onAnswer = (answer: Answer): void => void answers.push(answer);
  try {
    const reply = await client.call(endpoint, untypedInput(input), { onAnswer, conversation });
    await include(ctx, flags, answers);
    await show(ctx, reply);
  } catch (error) {
    await include(ctx, flags, answers);
    throw error;
  }
  return { text: "" };
};

/** A call as it is typed has no second factor: the commands that have one also keep what is in doubt. */
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
const asked = (ctx: Context) => selectFields(ctx.view, [], undefined);

const show = async (ctx: Context, reply: unknown): Promise<void> => {
  if (!(reply instanceof Uint8Array))
    return renderRecord(ctx.io.out, viewOf(ctx), asked(ctx), reply);
  if (!ctx.io.out.isTTY) return ctx.io.out.writeBytes(reply);
  throw usageError(t`the answer is a document of ${reply.length} bytes`, {
    code: "FileNeeded",
    todo: t`write it to a file: msg api … > file`,
    outcome: "done",
  });
};

const include = async (ctx: Context, flags: ApiFlags, answers: Answer[]): Promise<void> => {
  const answer = answers.splice(0).at(-1);
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
  await renderPages(
    ctx.io.out,
    viewOf(ctx),
    asked(ctx),
    client.pages(endpoint, untypedInput(input)),
  );
  return { text: "" };
};

const noBody = (): Error =>
  usageError(t`a GET has no body`, { code: "InvalidUsage", todo: t`use --query or -f name=value` });
