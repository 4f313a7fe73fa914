import * as v from "valibot";
import { sandboxCallerFacts } from "../../cli/assert-permitted.ts";
import { type CommandTable, tool } from "../../cli/command.ts";
import type { Context } from "../../cli/context.ts";
import { calledBy, describeNeeds, type Permission, permissionOf } from "../../cli/permissions.ts";
import { readToken } from "../../client/token.ts";
import { requireCredentials } from "../../config/resolve.ts";
import { getPrice } from "../../contract/account.ts";
import { type Endpoint, isSandboxRoute } from "../../contract/endpoint.ts";
import { list, text } from "../../contract/fields.ts";
import { listCategories } from "../../contract/kakao.ts";
import type { CallerFacts } from "../../contract/needs.ts";
import type { Credentials } from "../../contract/wire.ts";
import { didYouMean, MsgError, usageError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import type { View } from "../../output/view.ts";

export default tool({
  args: {
    command: v.optional(
      list(text("words of a command"), "command to check; default: all commands"),
    ),
  },
  columns: ["command", "allowed", "why", "needs"],
  examples: ["msg auth can send", "msg auth can", "msg auth can balance -p sandbox:member --json"],
  run: async (ctx, { args }, { table }) => {
    const facts = await factsOf(ctx, requireCredentials(ctx.settings));
    const words = args.command?.join(" ");
    if (words === undefined) return listed(ctx.view, await allRows(table, facts));
    const record = await rowOf(table, words, facts);
    if (record === undefined) throw noCallerError(words, table);
    if (record.allowed !== "no") return { record };
    const text = t`msg ${words} is not allowed: ${record.why}`;
    const where = t`needs ${record.needs}`;
    return { record, ending: new MsgError("forbidden", text, { where }) };
  },
});

const noCallerError = (words: string, table: CommandTable["table"]): Error => {
  const hint = didYouMean(words, Object.keys(table));
  return usageError(t`msg ${words} is not a command that calls the service${hint}`, {
    code: "UnknownCommand",
    todo: t`list the commands: msg auth can`,
  });
};

interface Row extends Permission {
  readonly command: string;
  readonly needs: string;
}

const nounOf = ({ command }: Row): string => command.split(" ")[0] ?? "";

/** In the order of the table, where the commands of a noun follow one another. */
const allRows = async (table: CommandTable["table"], facts: CallerFacts): Promise<Row[]> => {
  const rows = await Promise.all(Object.keys(table).map((path) => rowOf(table, path, facts)));
  return rows.filter((it) => it !== undefined);
};

/** A screen shows each noun once, before the first of its commands. */
const listed = ({ format, fields }: View, rows: readonly Row[]) => {
  if (format !== "table" || fields !== undefined) return { rows };
  const first = new Map(rows.toReversed().map((row) => [nounOf(row), row]));
  const columns = [
    { name: "noun", value: (row: Row) => (first.get(nounOf(row)) === row ? nounOf(row) : "") },
    { name: "verb", value: (row: Row) => row.command.slice(nounOf(row).length + 1) },
    ...(["allowed", "why", "needs"] as const),
  ];
  return { rows, columns };
};

const rowOf = async (
  table: CommandTable["table"],
  path: string,
  facts: CallerFacts,
): Promise<Row | undefined> => {
  const entry = Object.hasOwn(table, path) ? table[path] : undefined;
  const verb = (await entry?.load())?.default;
  const called = verb ? calledBy(verb) : [];
  if (!verb || called.length === 0 || called.some(isSandboxRoute)) return undefined;
  // A command that reports what is wrong runs for every caller.
  const decisive = verb.mayBeBroken
    ? []
    : called.filter((it) => it === verb.endpoint || !isOptional(it));
  return { command: path, ...permissionOf(decisive, facts), needs: describeNeeds(...called) };
};

/** Commands of several calls do without prices, and without the categories if one is given. */
const isOptional = ({ path }: Endpoint): boolean =>
  [getPrice.path, listCategories.path].some((it) => it === path);

const factsOf = async (ctx: Context, credentials: Credentials): Promise<CallerFacts> => {
  if (credentials.kind === "token") return { scopes: readToken(credentials.accessToken)?.scopes };
  if (!ctx.settings.sandbox) return { scopes: "key" };
  const facts = await sandboxCallerFacts(await ctx.session.client(), credentials.apiKey);
  if (facts === undefined)
    throw new MsgError("unauthenticated", t`the API key of this profile is disabled`, {
      code: "InvalidAPIKey",
      todo: t`log in with another key: msg auth login`,
    });
  return facts;
};
