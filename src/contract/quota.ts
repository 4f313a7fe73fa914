/** How many messages an account may send a day. */

import * as v from "valibot";
import { t } from "../locale/locale.ts";
import { endpoint, get } from "./endpoint.ts";
import { byKey, choice, date, dated, id, keys, list, operators } from "./fields.ts";
import { quotaFigureRead, quotaRead, quotaWrite } from "./needs.ts";

/** States of a request for more quota. */
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
  does: "Show how many messages may be sent per day",
  path: "/quota/v1/me",
  needs: quotaFigureRead,
  proof: ["quota"],
  reply: v.object({
    quota: v.number(),
    accountId: v.string(),
    ...dated,
  }),
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
  reply: v.object({
    limit: v.number(),
    increaseQuotaList: v.array(quotaRequest),
    ...keys,
  }),
});

/** The smallest and the largest quota that may be asked for. */
const quotas = { min: 50, max: 10_000_000 } as const;
/** Characters of a reason. */
const longestReason = 500;

/** The quota that is wanted: either name, as both are documented. */
const wanted = v.pipe(
  v.number(),
  v.integer(() => t`must be a whole number`),
  v.minValue(quotas.min, () => t`must be at least ${quotas.min}`),
  v.maxValue(quotas.max, () => t`must be at most ${quotas.max}`),
  v.description("messages per day to ask for, 50 to 10,000,000"),
  v.metadata({ flag: "amount" }),
);

export const requestQuota = endpoint({
  does: "Ask for a higher quota",
  method: "POST",
  path: "/quota/v1/me/system",
  // A second request takes the place of the first.
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
