/** The sandbox's own routes: on loopback and of the same origin, no credentials. */
import * as v from "valibot";
import { withdrawal } from "./bank.ts";
import { consentStyle, decideConsent } from "./consent.ts";
import { type Endpoint, endpoint } from "./endpoint.ts";
import { choice, id, number, text, timestamp } from "./fields.ts";
import { template } from "./kakao-templates.ts";
import { anyone } from "./needs.ts";
import { quotaRequest } from "./quota.ts";
import { addFault, clearFaults, listFaults } from "./sandbox-faults.ts";
import { findReceived, listInbox, showReceived } from "./sandbox-inbox.ts";
import { changeSettings, moveClock, resetSandbox, showClock, showStatus } from "./sandbox-state.ts";
import { bodyAt } from "./storage.ts";

export const listRequests = endpoint({
  does: "List the requests that the sandbox saw, newest first",
  method: "GET",
  path: "/_sandbox/requests",
  effect: "safe",
  needs: anyone,
  page: { by: "key", items: "requests", max: 500 },
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
  page: { by: "offset", max: 500 },
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
  /** Where the `url` of a file's record leads. */
  readFileBody: bodyAt("/files/:accountId/:fileId"),
} as const satisfies Readonly<Record<string, Endpoint>>;

export type Controls = typeof controls;
