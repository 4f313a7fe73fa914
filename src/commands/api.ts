import * as v from "valibot";
import { callApi } from "../cli/api/call.ts";
import { buildOpenApi } from "../cli/api/openapi.ts";
import { tool } from "../cli/command.ts";
import { describeNeeds } from "../cli/permissions.ts";
import type { Endpoint } from "../contract/endpoint.ts";
import { file, flag, pairs, text } from "../contract/fields.ts";
import { contract } from "../contract/index.ts";
import { usageError } from "../errors.ts";
import { t, translated } from "../locale/locale.ts";

export default tool({
  writes: true,
  args: {
    method: v.optional(text("GET, POST, PUT or DELETE; exit 11 when a write gets no answer")),
    path: v.optional(text("path with its query: /messages/v4/list?limit=5")),
  },
  flags: {
    field: pairs("a text member: -f name=value; on GET a query parameter", { short: "f" }),
    typedField: pairs("a JSON member: -F count:=5 -F list:='[1,2]'", { short: "F" }),
    input: file("a file with the JSON body, or - for standard input"),
    query: pairs("a query parameter: --query limit=5 --query 'type[in]=[\"SMS\"]'"),
    paginate: flag("read all pages of a list into one array"),
    include: flag("print status and headers before the answer", { short: "i" }),
    list: flag("list the known endpoints"),
    openapi: flag("print the known endpoints as OpenAPI 3.1"),
  },
  columns: ["method", "path", "does", "effect", "needs", "secondFactor"],
  examples: [
    "msg api GET /cash/v1/balance --sandbox",
    "msg api GET /messages/v4/list --query limit=500 --paginate",
    "msg api POST /messages/v4/send --input message.json -n",
    "msg api --list --json",
    "msg api --openapi > openapi.json",
  ],
  run: async (ctx, { args, flags }) => {
    if (flags.list) return { rows: listEndpoints(contract) };
    if (flags.openapi) return { text: `${JSON.stringify(buildOpenApi(contract), null, 2)}\n` };
    const { method, path } = args;
    if (method === undefined || path === undefined) {
      throw usageError(t`msg api needs a method and a path`, {
        code: "MissingValue",
        todo: t`example: msg api GET /cash/v1/balance; all endpoints: msg api --list`,
      });
    }
    return callApi(ctx, contract, { ...flags, method, path });
  },
});

/** By path, then by method; what the specification does not name comes last. */
const listEndpoints = (contract: Readonly<Record<string, Endpoint>>) =>
  Object.values(contract)
    .map((endpoint) => ({
      method: endpoint.method,
      path: endpoint.path,
      does: translated(endpoint.does),
      effect: endpoint.effect,
      needs: describeNeeds(endpoint),
      secondFactor: endpoint.secondFactor ?? false,
      ...(endpoint.beyond && { beyond: true }),
    }))
    .sort(
      (a, b) =>
        Number("beyond" in a) - Number("beyond" in b) ||
        a.path.localeCompare(b.path) ||
        a.method.localeCompare(b.method),
    );
