/** Faults that the sandbox is told to make. */
import * as v from "valibot";
import { probability, wholeNumber } from "./bounded.ts";
import { endpoint } from "./endpoint.ts";
import { defaultFaults, faultForms, readEffect, readTarget, targetForms } from "./fault-words.ts";
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

/** Faults are counted from 1. */
const faultId = v.pipe(
  id("only this fault; all of them when left out"),
  v.check(
    (value) => /^\d+$/.test(value),
    ({ input }) => `must be the number that msg sandbox fault list shows, not '${input}'`,
  ),
);

export const addFault = endpoint({
  does: "Make requests fail from now on",
  method: "POST",
  path: "/_sandbox/faults",
  effect: "unsafe",
  look: "msg sandbox fault list",
  needs: anyone,
  body: v.object({
    on: v.pipe(
      text("which requests: 'POST /messages/v4/*', 'GET *', '*'"),
      v.check(
        (value) => readTarget(value) !== undefined,
        ({ input }) => `must be ${targetForms}, not '${input}'`,
      ),
    ),
    do: v.pipe(
      text(faultForms, { offers: defaultFaults }),
      v.check(
        (value) => readEffect(value) !== undefined,
        ({ input }) => `must be ${faultForms}, not '${input}'`,
      ),
    ),
    times: v.optional(wholeNumber("how often; without end when left out", { from: 1 })),
    probability: v.optional(probability("how likely, from 0 to 1; always when left out")),
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
  query: { faultId },
  reply: v.object({ cleared: v.number() }),
});
