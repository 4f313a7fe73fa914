import * as v from "valibot";
import { callApi, callFlags, written } from "../cli/api/call.ts";
import { buildOpenApi } from "../cli/api/openapi.ts";
import { tool } from "../cli/command.ts";
import { describeNeeds } from "../cli/permissions.ts";
import type { Endpoint } from "../contract/endpoint.ts";
import { flag, text } from "../contract/fields.ts";
import { contract } from "../contract/index.ts";
import { usageError } from "../errors.ts";
import { t, translated } from "../locale/locale.ts";
import { selectFields } from "../output/fields.ts";
import { renderRows } from "../output/render.ts";

const columns = ["method", "path", "does", "effect", "needs", "secondFactor"] as const;

export default tool({
  writes: true,
  args: {
    method: v.optional(text("GET, POST, PUT or DELETE; exit 11 when a write gets no answer")),
    path: v.optional(text("path with its query: /messages/v4/list?limit=5")),
  },
  flags: {
    ...callFlags,
    list: flag("list the known endpoints"),
    openapi: flag("print the known endpoints as OpenAPI 3.1"),
  },
  columns,
  fields: "any",
  examples: [
    "msg api GET /cash/v1/balance --sandbox",
    "msg api GET /messages/v4/list --query limit=500 --paginate",
    "msg api POST /messages/v4/send --input message.json -n",
    "msg api --list --json",
    "msg api --openapi > openapi.json",
  ],
  run: async (ctx, { args, flags }) => {
    const { io, view, note } = ctx;
    if (flags.list) {
      const shown = selectFields(view, columns, undefined);
      return written(ctx, renderRows(io.out, view, shown, listEndpoints(), { note }));
    }
    if (flags.openapi)
      return written(ctx, io.out.write(`${JSON.stringify(buildOpenApi(), null, 2)}\n`));
    const { method, path } = args;
    if (method === undefined || path === undefined) {
      throw usageError(t`msg api needs a method and a path`, {
        code: "MissingValue",
        todo: t`example: msg api GET /cash/v1/balance; all endpoints: msg api --list`,
      });
    }
    return callApi(ctx, method, path, flags);
  },
});

/** By path, then by method; endpoints outside the specification come last. */
const listEndpoints = () =>
  Object.values<Endpoint>(contract)
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
