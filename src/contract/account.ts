/** An account's means of sending: quota, prices, registered senders, blocked recipients. */

import * as v from "valibot";
import { t } from "../locale/locale.ts";
import { byKey, byOffset } from "./bounded.ts";
import { endpoint, endpointWith, get } from "./endpoint.ts";
import {
  choice,
  date,
  dated,
  flag,
  id,
  keys,
  list,
  operators,
  phone,
  text,
  timestamp,
} from "./fields.ts";
import {
  anyone,
  anyoneOrCaller,
  iamRead,
  pricingRead,
  quotaFigureRead,
  quotaRead,
  quotaWrite,
  senderRead,
} from "./needs.ts";

export const quotaStatuses = ["PENDING", "APPROVED", "REJECTED"] as const;

export const quotaRequest = v.object({
  status: v.string(),
  fileIds: v.array(v.string()),
  reasonRequested: v.nullable(v.string()),
  reasonRejected: v.nullable(v.string()),
  handleKey: v.string(),
  accountId: v.string(),
  requestedQuota: v.number(),
  ...dated,
});

export const getQuota = get({
  does: "Show how many messages may be sent a day",
  path: "/quota/v1/me",
  needs: quotaFigureRead,
  proof: ["quota"],
  reply: v.object({ quota: v.number(), accountId: v.string(), ...dated }),
});

export const listQuotaRequests = get({
  does: "List the requests for a higher quota, newest first",
  path: "/quota/v1/me/system",
  needs: quotaRead,
  page: { by: "key", items: "increaseQuotaList" },
  query: {
    ...byKey,
    status: choice(quotaStatuses, "only requests in this state"),
    handleKey: id("only this request"),
    dateCreated: operators(date("when it was made"), "gte", "lte", "gt", "lt", "eq"),
    dateUpdated: operators(date("when it was decided"), "gte", "lte", "gt", "lt", "eq"),
  },
  reply: v.object({ limit: v.number(), increaseQuotaList: v.array(quotaRequest), ...keys }),
});

/** The smallest and the largest quota that may be requested. */
export const quotas = { min: 50, max: 10_000_000 } as const;
/** Characters of a reason. */
const longestReason = 500;

/** The requested quota: either name, as both are documented. */
const wanted = v.pipe(
  v.number(),
  v.integer(() => t`must be a whole number`),
  v.minValue(quotas.min, () => t`must be at least ${quotas.min}`),
  v.maxValue(quotas.max, () => t`must be at most ${quotas.max}`),
  v.description("messages per day to ask for, 50 to 10,000,000"),
  v.metadata({ flag: "amount" }),
);

export const requestQuota = endpoint({
  does: "Request a higher quota",
  method: "POST",
  path: "/quota/v1/me/system",
  // A second request replaces the first.
  effect: "unsafe",
  checkWith: "msg quota requests",
  needs: quotaWrite,
  body: v.object({
    quota: v.optional(wanted),
    requestedQuota: v.optional(wanted),
    reasonRequested: v.pipe(
      v.string(),
      v.minLength(1, () => t`must not be empty`),
      v.maxLength(longestReason, () => t`must have ${longestReason} characters at most`),
      v.description("why, in 1 to 500 characters"),
      v.metadata({ flag: "reason" }),
    ),
    fileIds: v.optional(
      v.pipe(
        list(id("stored file"), "stored file that proves the need"),
        v.metadata({ flag: "file" }),
      ),
    ),
  }),
  reply: quotaRequest,
  proof: ["handleKey"],
});

export type QuotaRequest = v.InferOutput<typeof quotaRequest>;

/** Unit prices of one country, in won for each message. Types without a published price are absent. */
const price = v.object({
  countryId: v.string(),
  countryName: v.string(),
  ...v.entriesFromList(["sms", "lms", "mms", "ata", "cta", "cti"], v.number()),
  ...v.entriesFromList(["nsa", "rcs_sms", "rcs_lms", "rcs_mms", "rcs_tpl"], v.optional(v.number())),
  ...dated,
});
export type Price = v.InferOutput<typeof price>;

export const getPrice = get({
  does: "Show the prices of one country",
  path: "/pricing/v1/messaging",
  needs: pricingRead,
  query: { countryId: text("country code; default: 82") },
  reply: price,
});

/** Anyone may read prices; with credentials they are those of the account. */
export const listPrices = get({
  does: "List the prices of all countries",
  path: "/pricing/v1/messaging/countries",
  needs: anyoneOrCaller,
  page: { by: "offset" },
  query: {
    countryId: text("only this country code"),
    serviceMethod: choice(["MT", "AUTH"], "kind of service; default: MT (messages)"),
    withoutProfit: flag("without the profit of the app"),
    ...byOffset,
  },
  reply: v.array(price),
});

export const getDefaultPrice = get({
  does: "Show the default prices of one country",
  path: "/pricing/v1/messaging/default",
  needs: anyone,
  query: {
    appId: text("app whose prices to show, 5 to 20 characters"),
    countryId: text("country code; default: 82"),
  },
  reply: price,
});

const sender = v.object({
  handleKey: v.string(),
  phoneNumber: v.string(),
  status: v.string(),
  method: v.nullable(v.string()),
  expireAt: v.nullable(timestamp()),
  approvalDocuments: v.array(v.unknown()),
  ...dated,
});

export const listSenders = get({
  does: "Show the registered sender numbers",
  path: "/senderid/v1/numbers",
  needs: senderRead,
  beyond: true,
  proof: ["senderIds"],
  reply: v.object({
    accountId: v.string(),
    limit: v.number(),
    senderIds: v.array(sender),
    limitationDocuments: v.array(v.unknown()),
    ...dated,
  }),
});

const listBlocked = endpointWith({ method: "GET", effect: "safe", needs: iamRead, beyond: true });

const optOut = v.object({
  handleKey: v.string(),
  type: v.literal("DENIAL"),
  senderNumber: v.string(),
  recipientNumber: v.string(),
  ...dated,
});

export const listOptOuts = listBlocked({
  does: "List recipients that opted out by an 080 number, newest first",
  path: "/iam/v1/black",
  page: { by: "key", items: "blackList" },
  query: {
    type: choice(["DENIAL"], "always DENIAL"),
    senderNumber: phone("only those of this sender"),
    ...byKey,
    dateCreated: operators(date("when they opted out"), "eq", "gte", "lte"),
  },
  reply: v.object({ ...keys, limit: v.number(), blackList: v.array(optOut) }),
});

const blockGroup = v.object({
  blockGroupId: v.string(),
  accountId: v.string(),
  status: v.string(),
  name: v.nullable(v.string()),
  useAll: v.boolean(),
  senderNumbers: v.array(v.string()),
  ...dated,
});

export const listBlockGroups = listBlocked({
  does: "List groups of blocked recipients, newest first",
  path: "/iam/v1/block/groups",
  page: { by: "key", items: "blockGroups" },
  query: {
    blockGroupId: id("only this group"),
    useAll: flag("only groups that apply to every sender, or only the others"),
    senderNumber: phone("only groups of this sender"),
    name: operators(text("name of the group"), "eq", "like"),
    status: choice(["ACTIVE", "INACTIVE"], "only groups in this state"),
    ...byKey,
  },
  reply: v.object({ ...keys, limit: v.number(), blockGroups: v.array(blockGroup) }),
});

const blockNumber = v.object({
  blockNumberId: v.string(),
  accountId: v.string(),
  memo: v.string(),
  phoneNumber: v.string(),
  blockGroupIds: v.array(v.string()),
  ...dated,
});

export const listBlockNumbers = listBlocked({
  does: "List blocked recipients, newest first",
  path: "/iam/v1/block/numbers",
  page: { by: "key", items: "blockNumbers" },
  query: {
    blockNumberId: id("only this entry"),
    phoneNumber: phone("only this recipient"),
    blockGroupId: id("only recipients of this group"),
    memo: operators(text("note"), "eq", "like"),
    ...byKey,
  },
  reply: v.object({ ...keys, limit: v.number(), blockNumbers: v.array(blockNumber) }),
});
