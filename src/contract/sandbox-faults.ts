/** Faults that the sandbox is told to make (sandbox.md 5). */
import * as v from "valibot";
import { endpoint } from "./endpoint.ts";
import { id, number, text } from "./fields.ts";
import { anyone } from "./needs.ts";

const fault = v.object({
  faultId: v.string(),
  /** `POST /messages/v4/*` */
  on: v.string(),
  do: v.string(),
  /** How often it still happens; null without end. */
  timesLeft: v.nullable(v.number()),
  probability: v.nullable(v.number()),
  /** How often it happened. */
  happened: v.number(),
});

export const addFault = endpoint({
  does: "Make requests fail from now on",
  method: "POST",
  path: "/_sandbox/faults",
  effect: "unsafe",
  look: "msg sandbox fault list",
  needs: anyone,
  body: v.object({
    on: text("which requests: 'POST /messages/v4/*', 'GET *', '*'"),
    do: text(
      "drop-before, drop-after, truncate, garbage, rate-limit, status:503 (any status), delay:2s (any time)",
    ),
    times: v.optional(number("how often; without end when left out")),
    probability: v.optional(number("how likely, from 0 to 1; always when left out")),
  }),
  reply: fault,
  proof: ["faultId"],
});

export const listFaults = endpoint({
  does: "List the faults that are switched on",
  method: "GET",
  path: "/_sandbox/faults",
  effect: "safe",
  needs: anyone,
  page: { by: "offset" },
  query: {
    offset: number("rows to pass over"),
    limit: number("rows of a page, 1 to 500"),
  },
  reply: v.array(fault),
});

export const clearFaults = endpoint({
  does: "Switch faults off",
  method: "DELETE",
  path: "/_sandbox/faults",
  effect: "settling",
  needs: anyone,
  query: { faultId: id("only this fault; all of them when left out") },
  reply: v.object({ cleared: v.number() }),
});
