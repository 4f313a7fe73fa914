/** How the sandbox is set: its two times, its settings, its first state. */
import * as v from "valibot";
import { clockTime, delay, inRange, sender, shift, wholeNumber } from "./bounded.ts";
import { endpoint, get } from "./endpoint.ts";
import { choice, flag, id, money, timestamp } from "./fields.ts";
import { anyone } from "./needs.ts";

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
  /** The database; `:memory:` where it lives as long as the process. */
  store: v.string(),
});

/** What the server that answers has done so far; null in process, where none runs. */
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

export const resetSandbox = endpoint({
  does: "Reset the sandbox to its first state",
  method: "POST",
  path: "/_sandbox/reset",
  effect: "settling",
  needs: anyone,
  body: v.object({
    seed: v.optional(
      wholeNumber(
        "same seed, same ids and same clock: business time starts at 2026-01-05T09:00:00Z",
        {
          from: 0,
        },
      ),
    ),
  }),
  reply: status,
});

/** Money, counts and milliseconds stay far below what a number holds exactly. */
const amount = { from: 0, until: 1_000_000_000_000 };

export const changeSettings = endpoint({
  does: "Change balance, quota, senders and behaviour of the sandbox",
  method: "PUT",
  path: "/_sandbox/settings",
  effect: "settling",
  needs: anyone,
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

export const showStatus = get({
  does: "Show the sandbox's settings and the load of its server",
  path: "/_sandbox/status",
  needs: anyone,
  reply: v.object({ ...status.entries, load: v.nullable(load) }),
});

export const showClock = get({
  does: "Show business time and signing time",
  path: "/_sandbox/clock",
  needs: anyone,
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
