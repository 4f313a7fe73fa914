/** Faults of the sandbox: how one is written, which requests it meets, and its own routes. */

import * as v from "valibot";
import { t, translated } from "../locale/locale.ts";
import { probability, wholeNumber } from "./bounded.ts";
import { endpoint, get } from "./endpoint.ts";
import { byOffset, id, text } from "./fields.ts";
import { anyone } from "./needs.ts";
import { parseDuration } from "./time.ts";

const faultKinds = [
  "drop-before",
  "drop-after",
  "truncate",
  "garbage",
  "rate-limit",
  "status",
  "delay",
] as const;
export type FaultKind = (typeof faultKinds)[number];

const usualAmounts: Readonly<Partial<Record<FaultKind, string>>> = {
  status: "status:503",
  delay: "delay:2s",
};

/** Far longer than anyone waits; timers take no more than 24 days, and go off at once for more. */
export const maxDelayMs = 86_400_000;

/** The usual ones, for completion. */
const defaultFaults = faultKinds.map((kind) => usualAmounts[kind] ?? kind);

/** What may be written, for help and errors. */
const faultForms =
  "drop-before, drop-after, truncate, garbage, rate-limit, status:503 (400 to 599) or delay:2s (up to 1d)";
const targetForms = "a method and a path, 'POST /messages/v4/*', or '*' for every request";

interface Target {
  /** `*` for any. */
  readonly method: string;
  /** A path in which `*` matches any characters. */
  readonly path: string;
}

/** `POST /messages/v4/*`, `/messages/*` for every method, or `*`; undefined for anything else. */
export const readTarget = (on: string): Target | undefined => {
  const [, method = "*", path] = /^(?:([A-Za-z]+|\*)\s+)?(\/\S*|\*)$/.exec(on.trim()) ?? [];
  return path === undefined ? undefined : { method: method.toUpperCase(), path };
};

interface Happening {
  readonly kind: FaultKind;
  /** The status of `status`, the milliseconds of `delay`, else 0. */
  readonly amount: number;
}

/** `drop-after`, `status:503`, `delay:2s`; undefined for anything else. */
export const readEffect = (text: string): Happening | undefined => {
  const [word = "", given] = text.split(/:(.*)/s);
  const kind = faultKinds.find((it) => it === word);
  const amount = kind && amountOf(kind, given);
  return kind === undefined || amount === undefined ? undefined : { kind, amount };
};

const amountOf = (kind: FaultKind, given: string | undefined): number | undefined => {
  if (kind === "status") return /^[45]\d\d$/.test(given ?? "") ? Number(given) : undefined;
  if (kind !== "delay") return given === undefined ? 0 : undefined;
  const ms = parseDuration(given ?? "");
  return ms !== undefined && ms > 0 && ms <= maxDelayMs ? ms : undefined;
};

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
  id("only this fault; default: all"),
  v.check(
    (value) => /^\d+$/.test(value),
    ({ input }) => t`must be the number that msg sandbox fault list shows, not '${input}'`,
  ),
);

export const addFault = endpoint({
  does: "Make requests fail from now on",
  method: "POST",
  path: "/_sandbox/faults",
  effect: "unsafe",
  checkWith: "msg sandbox fault list",
  needs: anyone,
  body: v.object({
    on: v.pipe(
      text("which requests: 'POST /messages/v4/*', 'GET *', '*'"),
      v.check(
        (value) => readTarget(value) !== undefined,
        ({ input }) => t`must be ${translated(targetForms)}, not '${input}'`,
      ),
    ),
    do: v.pipe(
      text(faultForms, { offers: defaultFaults }),
      v.check(
        (value) => readEffect(value) !== undefined,
        ({ input }) => t`must be ${translated(faultForms)}, not '${input}'`,
      ),
    ),
    times: v.optional(wholeNumber("how often; default: no limit", { from: 1 })),
    probability: v.optional(probability("probability, above 0 and at most 1; default: 1")),
  }),
  reply: fault,
  proof: ["faultId"],
});

export const listFaults = get({
  does: "List the faults that are switched on",
  path: "/_sandbox/faults",
  needs: anyone,
  page: { by: "offset" },
  query: {
    ...byOffset,
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
