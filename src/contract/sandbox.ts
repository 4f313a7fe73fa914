/** The sandbox's own routes (sandbox.md 5): on loopback and of the same origin, no credentials. */
import * as v from "valibot";
import { withdrawal } from "./bank.ts";
import { consentStyle, decideConsent } from "./consent.ts";
import { type Endpoint, endpoint } from "./endpoint.ts";
import { choice, date, id, money, number, phone, text, timestamp } from "./fields.ts";
import { template } from "./kakao-templates.ts";
import { anyone } from "./needs.ts";
import { quotaRequest } from "./quota.ts";
import { addFault, clearFaults, listFaults } from "./sandbox-faults.ts";
import { findReceived, listInbox, showReceived } from "./sandbox-inbox.ts";
import { bodyAt } from "./storage.ts";

const duration = (words: string) => text(`${words}: 250ms, 10s, 5m, 2h, 1d`);

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
  does: "Put the sandbox back to its first state",
  method: "POST",
  path: "/_sandbox/reset",
  effect: "settling",
  needs: anyone,
  body: v.object({
    seed: v.optional(
      number("same seed, same ids and same clock: business time starts at 2026-01-05T09:00:00Z"),
    ),
  }),
  reply: status,
});

export const changeSettings = endpoint({
  does: "Change balance, quota, senders and behaviour of the sandbox",
  method: "PUT",
  path: "/_sandbox/settings",
  effect: "settling",
  needs: anyone,
  body: v.object({
    accountId: v.optional(id("account to change; 26010500000001 when left out")),
    balance: v.optional(money("balance of the account")),
    point: v.optional(money("points of the account")),
    quota: v.optional(number("messages that the account may send a day")),
    sender: v.optional(phone("sender number to register")),
    tick: v.optional(duration("time from one step of a delivery to the next")),
    rateLimit: v.optional(number("requests that one key may make a second; 0 for no limit")),
    secondFactor: v.optional(
      choice(["required", "off"], "whether protected writes ask for a code"),
    ),
  }),
  reply: status,
});

export const showStatus = endpoint({
  does: "Show how the sandbox is set, and what its server has to do",
  method: "GET",
  path: "/_sandbox/status",
  effect: "safe",
  needs: anyone,
  reply: v.object({ ...status.entries, load: v.nullable(load) }),
});

export const showClock = endpoint({
  does: "Show business time and signing time",
  method: "GET",
  path: "/_sandbox/clock",
  effect: "safe",
  needs: anyone,
  reply: clock,
});

export const moveClock = endpoint({
  does: "Set or advance business time, or skew signing time",
  method: "PUT",
  path: "/_sandbox/clock",
  effect: "unsafe",
  look: "msg sandbox clock show",
  needs: anyone,
  body: v.object({
    set: v.optional(date("instant from which business time goes on")),
    advance: v.optional(duration("how far to move business time; a minus sign moves it back")),
    skew: v.optional(duration("how far signing time is ahead of real time, 0 for not at all")),
  }),
  reply: clock,
});

export const listRequests = endpoint({
  does: "List the requests that the sandbox saw, newest first",
  method: "GET",
  path: "/_sandbox/requests",
  effect: "safe",
  needs: anyone,
  page: { by: "key", items: "requests", most: 500 },
  query: {
    startKey: id("request to start the page from"),
    limit: number("rows of a page, 1 to 500"),
  },
  reply: v.object({
    requests: v.array(
      v.object({
        requestId: v.string(),
        time: timestamp(),
        /** Null where nobody was recognised. */
        apiKey: v.nullable(v.string()),
        accountId: v.nullable(v.string()),
        method: v.string(),
        path: v.string(),
        status: v.number(),
        /** `ok`, or the errorCode that the request was refused with. */
        verdict: v.string(),
        /** The errorMessage; for a fault of the sandbox itself the text of the fault. */
        why: v.nullable(v.string()),
      }),
    ),
    nextKey: v.nullable(v.string()),
  }),
});

export const listAccounts = endpoint({
  does: "List the accounts, keys and senders of the sandbox, secrets included",
  method: "GET",
  path: "/_sandbox/accounts",
  effect: "safe",
  needs: anyone,
  reply: v.object({
    accounts: v.array(
      v.object({
        accountId: v.string(),
        status: v.string(),
        authenticated: v.nullable(v.string()),
        balance: v.number(),
        point: v.number(),
        quota: v.number(),
      }),
    ),
    keys: v.array(
      v.object({
        accountId: v.string(),
        key: v.string(),
        secret: v.string(),
        role: v.string(),
        status: v.string(),
        memberStatus: v.string(),
      }),
    ),
    oauthClients: v.array(
      v.object({
        clientId: v.string(),
        clientSecret: v.string(),
        callbackUri: v.string(),
        scopes: v.string(),
        status: v.string(),
      }),
    ),
    senders: v.array(v.object({ accountId: v.string(), phoneNumber: v.string() })),
    channels: v.array(v.unknown()),
    templates: v.array(v.unknown()),
    apps: v.array(v.unknown()),
  }),
});

export const listAssumptions = endpoint({
  does: "List the choices that no source shows",
  method: "GET",
  path: "/_sandbox/assumptions",
  effect: "safe",
  needs: anyone,
  page: { by: "offset" },
  query: {
    offset: number("rows to pass over"),
    limit: number("rows of a page, 1 to 500"),
  },
  reply: v.array(
    v.object({ id: v.string(), question: v.string(), choice: v.string(), tag: v.string() }),
  ),
});

export const listCodes = endpoint({
  does: "List the codes that members were sent, newest first",
  method: "GET",
  path: "/_sandbox/codes",
  effect: "safe",
  needs: anyone,
  page: { by: "offset", most: 500 },
  query: {
    offset: number("rows to pass over"),
    limit: number("rows of a page, 1 to 500"),
  },
  reply: v.array(
    v.object({
      code: v.string(),
      /** `ARS` for a voice call, `OTP` for an e-mail, `LINK` for the token of a Kakao channel. */
      kind: v.string(),
      destination: v.string(),
      transactionId: v.nullable(v.string()),
      dateSent: timestamp(),
    }),
  ),
});

export const reviewWithdrawal = endpoint({
  does: "Approve or reject a withdrawal as the service's staff",
  method: "POST",
  path: "/_sandbox/review/withdrawal",
  effect: "settling",
  needs: anyone,
  body: v.object({
    withdrawId: id("withdrawal to decide on"),
    decision: choice(["approve", "reject"], "what becomes of it"),
    memo: v.optional(text("reason that the account reads")),
  }),
  reply: withdrawal,
});

export const reviewTemplate = endpoint({
  does: "Decide on a template as the service's staff",
  method: "POST",
  path: "/_sandbox/review/template",
  effect: "settling",
  needs: anyone,
  body: v.object({
    templateId: id("template whose review was requested"),
    decision: choice(["approve", "reject"], "what the staff decide"),
    comment: v.optional(text("what the staff write beside it")),
  }),
  reply: template,
});

/** Requests as they are logged, as server-sent events: no endpoint, since it never ends. */
export const eventsPath = "/_sandbox/events";
export const reviewQuota = endpoint({
  does: "Decide on a request for a higher quota as the service's staff",
  method: "POST",
  path: "/_sandbox/review/quota",
  effect: "settling",
  needs: anyone,
  body: v.object({
    handleKey: id("request that waits for a decision"),
    decision: choice(["approve", "reject"], "what the staff decide"),
    reason: v.optional(text("why it is rejected")),
  }),
  reply: quotaRequest,
});

/** Where the `url` of a file's record leads (sandbox.md 2). */
const readFileBody = bodyAt("/files/:accountId/:fileId");

/** Beside the contract: what the sandbox answers and the service does not know. */
export const controls = {
  resetSandbox,
  changeSettings,
  showStatus,
  showClock,
  moveClock,
  listInbox,
  showReceived,
  findReceived,
  addFault,
  listFaults,
  clearFaults,
  listRequests,
  listAccounts,
  listAssumptions,
  listCodes,
  reviewWithdrawal,
  reviewTemplate,
  decideConsent,
  consentStyle,
  reviewQuota,
  readFileBody,
} as const satisfies Readonly<Record<string, Endpoint>>;

export type Controls = typeof controls;
