/** The state of the sandbox: its two times, its settings, its first state, its faults, and its blocked recipients. */
import * as v from "valibot";
import { t, translated } from "../locale/locale.ts";
import {
  byOffset,
  clockTime,
  delay,
  inRange,
  probability,
  sender,
  shift,
  wholeNumber,
} from "./bounded.ts";
import { endpoint, endpointWith } from "./endpoint.ts";
import { choice, flag, id, money, phone, text, timestamp } from "./fields.ts";
import { anyone } from "./needs.ts";
import { dayMs, parseDuration } from "./time.ts";

const read = endpointWith({ method: "GET", effect: "safe", needs: anyone });
const write = endpointWith({ effect: "settling", needs: anyone });

/** The two times and how far each is from real time. */
const clock = v.object({
  business: timestamp(),
  signing: timestamp(),
  clockOffsetMs: v.number(),
  signingSkewMs: v.number(),
});

const status = v.object({
  ...clock.entries,
  tickMs: v.number(),
  rateLimit: v.nullable(v.number()),
  secondFactor: v.picklist(["required", "off"]),
  lenientDates: v.boolean(),
  groupFields: v.picklist(["returned", "dropped"]),
  seed: v.nullable(v.number()),
  /** The database; `:memory:` if it lives only as long as the process. */
  store: v.string(),
});

/** What the answering server has done so far; null in process, where no server runs. */
const load = v.object({
  requests: v.number(),
  refused: v.number(),
  failed: v.number(),
  perSecond: v.number(),
  busiestSecond: v.number(),
  p50Ms: v.number(),
  p99Ms: v.number(),
  slowestMs: v.number(),
});

export const resetSandbox = write({
  does: "Reset the sandbox to its initial state",
  method: "POST",
  path: "/_sandbox/reset",
  body: v.object({
    seed: v.optional(
      wholeNumber(
        "same seed, same ids and same clock: business time starts at 2026-01-05T09:00:00Z",
        { from: 0 },
      ),
    ),
  }),
  reply: status,
});

/** Money, counts and milliseconds stay far below what a number holds exactly. */
const amount = { from: 0, until: 1_000_000_000_000 };

export const changeSettings = write({
  does: "Change balance, quota, senders and behaviour of the sandbox",
  method: "PUT",
  path: "/_sandbox/settings",
  body: v.object({
    accountId: v.optional(id("account to change; default: 26010500000001")),
    balance: v.optional(v.pipe(money("balance of the account"), inRange(amount))),
    point: v.optional(v.pipe(money("points of the account"), inRange(amount))),
    quota: v.optional(wholeNumber("messages that the account may send per day", amount)),
    sender: v.optional(sender("sender number to register")),
    tick: v.optional(delay("time from one step of a delivery to the next: 250ms, 10s, 5m, 2h, 1d")),
    rateLimit: v.optional(
      wholeNumber("requests that one key may make per second; 0 for no limit", amount),
    ),
    secondFactor: v.optional(
      choice(["required", "off"], "whether protected writes ask for a code"),
    ),
    groupFields: v.optional(
      choice(["returned", "dropped"], "whether groups come back with their customFields"),
    ),
    lenientDates: v.optional(flag("accept signatures dated in Seoul time, as some clients send")),
  }),
  reply: status,
});

export const showStatus = read({
  does: "Show the sandbox's settings and the load of its server",
  path: "/_sandbox/status",
  reply: v.object({ ...status.entries, load: v.nullable(load) }),
});

export const showClock = read({
  does: "Show business time and signing time",
  path: "/_sandbox/clock",
  reply: clock,
});

export const moveClock = endpoint({
  does: "Set or advance business time, or skew signing time",
  method: "PUT",
  path: "/_sandbox/clock",
  effect: "unsafe",
  checkWith: "msg sandbox clock show",
  needs: anyone,
  body: v.object({
    set: v.optional(clockTime("instant to set business time to")),
    advance: v.optional(
      shift("how far to move business time: 250ms, 10s, 5m, 2h, 1d; a minus sign moves it back"),
    ),
    skew: v.optional(
      shift("how far signing time is ahead of real time: 250ms, 10s, 5m, 2h, 1d; 0 for none"),
    ),
  }),
  reply: clock,
});

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

const exampleAmounts: Readonly<Partial<Record<FaultKind, string>>> = {
  status: "status:503",
  delay: "delay:2s",
};

/** Far longer than anyone waits; timers take at most 24 days, and fire at once for more. */
export const maxDelayMs = dayMs;

/** What completion offers. */
const offeredFaults = faultKinds.map((kind) => exampleAmounts[kind] ?? kind);

/** The accepted forms, for help and errors. */
const faultForms =
  "drop-before, drop-after, truncate, garbage, rate-limit, status:503 (400 to 599) or delay:2s (up to 1d)";
const targetForms = "a method and a path, 'POST /messages/v4/*', or '*' for every request";

export interface Target {
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

export interface Happening {
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
  /** How often it still happens; null for no limit. */
  timesLeft: v.nullable(v.number()),
  probability: v.nullable(v.number()),
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
      text(faultForms, { offers: offeredFaults }),
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

export const listFaults = read({
  does: "List the active faults",
  path: "/_sandbox/faults",
  page: { by: "offset" },
  query: { ...byOffset },
  reply: v.array(fault),
});

export const clearFaults = write({
  does: "Clear faults",
  method: "DELETE",
  path: "/_sandbox/faults",
  query: { faultId },
  reply: v.object({ cleared: v.number() }),
});

const to = phone("recipient to block");

export const addBlock = write({
  does: "Block a recipient of account 26010500000001",
  method: "POST",
  path: "/_sandbox/blocks",
  body: v.object({
    to,
    from: v.optional(phone("only messages of this sender; default: every sender")),
    optOut: v.optional(flag("opted out by an 080 number: code 1061, otherwise 1060")),
    memo: v.optional(text("note")),
  }),
  reply: v.object({
    to: v.string(),
    from: v.nullable(v.string()),
    statusCode: v.string(),
    memo: v.string(),
  }),
});

export const removeBlock = write({
  does: "Let a recipient be sent to again",
  method: "DELETE",
  path: "/_sandbox/blocks",
  body: v.object({ to }),
  reply: v.object({ to: v.string(), removed: v.number() }),
});
