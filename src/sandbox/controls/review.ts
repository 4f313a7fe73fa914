/** Decisions of the service's staff: templates, quotas, withdrawals. */
import { requestRecord } from "../handlers/account.ts";
import { withdrawalRecord } from "../handlers/bank.ts";
import { templateRecord } from "../handlers/kakao-templates.ts";
import { hasState, withComment, withState } from "../rules/templates.ts";
import { adjustWallet } from "../rules/wallet.ts";
import { notFound, Refusal } from "../service.ts";
import { seqOf } from "../store/ids.ts";
import type { WithdrawalRow } from "../store/payments.ts";
import type { QuotaRequestRow } from "../store/quotas.ts";
import type { ControlHandler } from "./admin-context.ts";

/** The member that the service's staff write as. */
const staff = "MEMSANDBOX0000";

export const reviewTemplate: ControlHandler<"reviewTemplate"> = ({ body }, { store, now }) => {
  const { templateId, decision, comment } = body;
  const row = store.templates.read(templateId);
  if (row === undefined) {
    throw new Refusal(404, "TemplateNotFound", `There is no template '${templateId}'.`);
  }
  if (!hasState(row, "INSPECTING")) {
    const text = "No review was requested: msg template request-review does that.";
    throw new Refusal(409, "FailedToUpdate", text);
  }
  const decided = withState(row, "INSPECTING", decision === "approve" ? "APPROVED" : "REJECTED");
  const text = comment ?? (decision === "reject" ? "Rejected by the sandbox's staff." : undefined);
  const commented =
    text === undefined
      ? decided
      : withComment(decided, { isAdmin: true, memberId: staff, content: text }, now);
  const stored = { ...commented, updated: now };
  store.templates.update(stored);
  return templateRecord(stored);
};

export const reviewQuota: ControlHandler<"reviewQuota"> = ({ body }, { store, now }) => {
  const { handleKey, decision, reason } = body;
  const row = store.quotaRequests.read(handleKey);
  if (row === undefined) throw notFound(`There is no request '${handleKey}'.`);
  if (row.status !== "PENDING") {
    throw new Refusal(409, "FailedToUpdate", `The request is ${row.status} already.`);
  }
  const isApproved = decision === "approve";
  const decided: QuotaRequestRow = {
    ...row,
    status: isApproved ? "APPROVED" : "REJECTED",
    reasonRejected: isApproved ? null : (reason ?? "Rejected by the sandbox's staff."),
    updated: now,
  };
  store.quotaRequests.update(decided);
  if (isApproved) store.quotas.set(row.accountId, row.requestedQuota, now);
  return requestRecord(decided);
};

/** Pays or refunds. A second decision is refused unless it is the same one. */
export const reviewWithdrawal: ControlHandler<"reviewWithdrawal"> = ({ body }, context) => {
  const { store, now, idSeed } = context;
  const { withdrawId, decision, memo = null } = body;
  const row = store.withdrawals.read(seqOf("withdrawal", withdrawId, idSeed));
  if (row === undefined) throw notFound(`There is no withdrawal '${withdrawId}'.`);
  const status = decision === "approve" ? "APPROVED" : "REJECTED";
  if (row.status === status) return withdrawalRecord(row, idSeed);
  if (row.status !== "PENDING") {
    throw new Refusal(409, "FailedToUpdate", `The withdrawal is ${row.status} already.`);
  }
  const decided: WithdrawalRow = {
    ...row,
    status,
    memo,
    updated: now,
    confirmed: now,
    ...(status === "APPROVED" && { transactionId: `BANK${row.seq}${now}`, transacted: now }),
  };
  store.withdrawals.update(decided);
  if (status === "REJECTED")
    adjustWallet(store, row.accountId, {
      type: "RECHARGE",
      balance: row.totalAmount,
      at: now,
      memo: `withdrawal ${withdrawId} rejected`,
    });
  return withdrawalRecord(decided, idSeed);
};
