import * as v from "valibot";
import { sandboxCallerFacts } from "../../cli/assert-permitted.ts";
import { type CommandTable, tool } from "../../cli/command.ts";
import type { Context } from "../../cli/context.ts";
import { type CallerFacts, describeNeeds, permissionOf } from "../../cli/permissions.ts";
import { readToken } from "../../client/token.ts";
import { requireCredentials } from "../../config/resolve.ts";
import type { Credentials } from "../../contract/credentials.ts";
import { list, text } from "../../contract/fields.ts";
import { didYouMean, MsgError, usageError } from "../../errors.ts";

export default tool({
  args: {
    command: v.optional(
      list(text("words of a command"), "words of a command; all commands when left out"),
    ),
  },
  columns: ["command", "allowed", "why", "needs"],
  fields: [],
  examples: ["msg auth can send", "msg auth can", "msg auth can balance -p sandbox:member --json"],
  run: async (ctx, { args }, { table }) => {
    const facts = await factsOf(ctx, requireCredentials(ctx.settings));
    const words = args.command?.join(" ");
    if (words === undefined) return { rows: allRows(table, facts) };
    const record = await rowOf(table, words, facts);
    if (record === undefined)
      throw usageError(
        `msg ${words} is no command that calls the service${didYouMean(words, Object.keys(table))}`,
        {
          code: "UnknownCommand",
          todo: "msg auth can lists the commands",
        },
      );
    const ending =
      record.allowed === "no"
        ? new MsgError("forbidden", `msg ${words} is not allowed: ${record.why}`, {
            where: `needs ${record.needs}`,
          })
        : undefined;
    return { record, ending };
  },
});

async function* allRows(table: CommandTable["table"], facts: CallerFacts) {
  for (const path of Object.keys(table)) {
    const row = await rowOf(table, path, facts);
    if (row) yield row;
  }
}

const rowOf = async (table: CommandTable["table"], path: string, facts: CallerFacts) => {
  const entry = Object.hasOwn(table, path) ? table[path] : undefined;
  const verb = (await entry?.load())?.default;
  const endpoints = verb?.endpoint
    ? [verb.endpoint]
    : (verb?.additionalEndpoints ?? []).slice(0, 1);
  const [endpoint] = endpoints;
  if (!endpoint || endpoint.path.startsWith("/_sandbox")) return undefined;
  return { command: path, ...permissionOf(endpoints, facts), needs: describeNeeds(endpoint) };
};

const factsOf = async (ctx: Context, credentials: Credentials): Promise<CallerFacts> => {
  if (credentials.kind === "token")
    return { scopes: readToken(credentials.accessToken)?.scopes ?? [] };
  if (!ctx.settings.sandbox) return { scopes: "key" };
  const facts = await sandboxCallerFacts(await ctx.session.client(), credentials.apiKey);
  if (facts === undefined)
    throw new MsgError("unauthenticated", "the API key of this profile is disabled", {
      code: "InvalidAPIKey",
      todo: "msg auth login takes another key",
    });
  return facts;
};
