/** The sandbox's own routes: on loopback and of the same origin, no credentials. */
import * as v from "valibot";
import { quotaRequest } from "./account.ts";
import { codeReply } from "./apps.ts";
import { byKey, byOffset, pattern } from "./bounded.ts";
import { type Endpoint, endpointsIn, endpointWith } from "./endpoint.ts";
import { bytes, choice, id, phone, required, text, texts, timestamp } from "./fields.ts";
import { template } from "./kakao.ts";
import { storedMessage } from "./message-records.ts";
import { anyone } from "./needs.ts";
import { withdrawal } from "./payment.ts";
import * as state from "./sandbox-state.ts";
import { bodyAt } from "./storage.ts";

const read = endpointWith({ method: "GET", effect: "safe", needs: anyone });
const decide = endpointWith({ method: "POST", effect: "settling", needs: anyone });
const decision = choice(["approve", "reject"], "approve or reject");

const request = v.object({
  requestId: v.string(),
  time: timestamp(),
  /** Null if the caller was not recognised. */
  apiKey: v.nullable(v.string()),
  accountId: v.nullable(v.string()),
  method: v.string(),
  path: v.string(),
  status: v.number(),
  /** `ok`, or the errorCode that the request was refused with. */
  verdict: v.string(),
  /** The errorMessage; for a fault of the sandbox itself the text of the fault. */
  why: v.nullable(v.string()),
});

export const listRequests = read({
  does: "List the requests that the sandbox saw, newest first",
  path: "/_sandbox/requests",
  page: { by: "key", items: "requests" },
  query: { ...byKey },
  reply: v.object({ requests: v.array(request), nextKey: v.nullable(v.string()) }),
});

const account = v.object({
  accountId: v.string(),
  status: v.string(),
  authenticated: v.nullable(v.string()),
  balance: v.number(),
  point: v.number(),
  quota: v.number(),
});

export const listAccounts = read({
  does: "List the accounts, keys and senders of the sandbox, secrets included",
  path: "/_sandbox/accounts",
  reply: v.object({
    accounts: v.array(account),
    keys: v.array(texts("accountId", "key", "secret", "role", "status", "memberStatus")),
    oauthClients: v.array(texts("clientId", "clientSecret", "callbackUri", "scopes", "status")),
    senders: v.array(texts("accountId", "phoneNumber")),
    channels: v.array(texts("accountId", "pfId", "searchId", "phoneNumber")),
    /** `status` is that at each provider. */
    templates: v.array(texts("accountId", "templateId", "pfId", "name", "status")),
    apps: v.array(texts("appId", "appName", "stage", "status")),
  }),
});

export const listAssumptions = read({
  does: "List the assumptions that no source confirms",
  path: "/_sandbox/assumptions",
  page: { by: "offset" },
  query: { ...byOffset },
  reply: v.array(texts("id", "question", "choice", "tag")),
});

const sentCode = v.object({
  code: v.string(),
  /** `ARS` for a voice call, `OTP` for an e-mail, `LINK` for the token of a Kakao channel. */
  kind: v.string(),
  destination: v.string(),
  transactionId: v.nullable(v.string()),
  dateSent: timestamp(),
});

export const listCodes = read({
  does: "List the codes sent to members, newest first",
  path: "/_sandbox/codes",
  page: { by: "offset" },
  query: { ...byOffset },
  reply: v.array(sentCode),
});

export const reviewWithdrawal = decide({
  does: "Approve or reject a withdrawal as the service's staff",
  path: "/_sandbox/review/withdrawal",
  body: v.object({
    withdrawId: id("withdrawal to decide on"),
    decision,
    memo: v.optional(text("reason shown to the account")),
  }),
  reply: withdrawal,
});

export const reviewTemplate = decide({
  does: "Decide on a template as the service's staff",
  path: "/_sandbox/review/template",
  body: v.object({
    templateId: id("template whose review was requested"),
    decision,
    comment: v.optional(text("comment of the staff")),
  }),
  reply: template,
});

/** Logged requests as server-sent events: not an endpoint, since it never ends. */
export const eventsPath = "/_sandbox/events";

export const reviewQuota = decide({
  does: "Decide on a request for a higher quota as the service's staff",
  path: "/_sandbox/review/quota",
  body: v.object({
    handleKey: id("request that waits for a decision"),
    decision,
    reason: v.optional(text("reason for the rejection")),
  }),
  reply: quotaRequest,
});

/** Posted by the consent page; the answer is a redirect, or JSON if that is requested. */
const decideConsent = decide({
  does: "Allow or deny what an app asks for",
  path: "/oauth2/v1/authorize/decision",
  host: "auth",
  form: true,
  body: v.object({
    token: text("one-time token of the page"),
    decision: choice(["allow", "deny"], "what the user says"),
    scope: v.optional(text("scopes that are granted, joined by spaces")),
    memberId: v.optional(id("member who is signed in; default: owner of the first account")),
  }),
  reply: v.union([codeReply, bytes("only a redirect")]),
});

const received = v.object({
  ...v.pick(storedMessage, ["messageId", "groupId", "accountId"]).entries,
  dateReceived: timestamp(),
  ...v.pick(storedMessage, ["to", "from", "type", "subject", "text", "imageId"]).entries,
  ...v.pick(storedMessage, ["kakaoOptions", "customFields"]).entries,
});

/** Selects the message; the command that waits has it as a flag of its own. */
export const searched = pattern("only a message whose text matches this regular expression");

export const listInbox = read({
  does: "List what the phones received, newest first",
  path: "/_sandbox/inbox",
  page: { by: "key", items: "messages" },
  query: { to: phone("only this phone"), ...byKey },
  reply: v.object({ messages: v.array(received), nextKey: v.nullable(v.string()) }),
});

export const showReceived = read({
  does: "Show one message as its phone received it",
  path: "/_sandbox/inbox/:messageId",
  reply: received,
});

/** Answers at once: a caller that waits asks again. */
export const findReceived = read({
  does: "Find the newest message that a phone received",
  path: "/_sandbox/inbox/wait",
  query: { to: required(phone("the phone")), match: searched },
  reply: v.object({ message: v.nullable(received) }),
});

/** In addition to the contract: endpoints that only the sandbox has. */
export const controls = {
  ...endpointsIn(state),
  listInbox,
  showReceived,
  findReceived,
  listRequests,
  listAccounts,
  listAssumptions,
  listCodes,
  reviewWithdrawal,
  reviewTemplate,
  decideConsent,
  reviewQuota,
  /** Where the `url` of a file's record leads. */
  readFileBody: bodyAt("/files/:accountId/:fileId"),
} as const satisfies Readonly<Record<string, Endpoint>>;

export type Controls = typeof controls;
