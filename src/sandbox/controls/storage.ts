/** The bytes of stored files, and the staff's decisions on quotas. */
import type { Input, Reply } from "../../contract/endpoint.ts";
import type { Controls } from "../../contract/sandbox.ts";
import { requestRecord } from "../handlers/quota.ts";
import { Refusal } from "../service.ts";
import type { Bench } from "./bench.ts";

/** Anyone may: who knows the address may see the picture, as phones do. */
export const readFileBody = (
  { params: { accountId, fileId } }: Input<Controls["readFileBody"]>,
  { store }: Bench,
): Reply<Controls["readFileBody"]> => {
  const bytes = store.files.body(accountId, fileId);
  if (bytes !== undefined) return Buffer.from(bytes);
  throw new Refusal(404, "ResourceNotFound", `There is no file '${fileId}'.`);
};

export const reviewQuota = (
  { body: { handleKey, decision, reason } }: Input<Controls["reviewQuota"]>,
  { store, now }: Bench,
): Reply<Controls["reviewQuota"]> => {
  const row = store.quotas.request(handleKey);
  if (row === undefined) {
    throw new Refusal(404, "ResourceNotFound", `There is no request '${handleKey}'.`);
  }
  if (row.status !== "PENDING") {
    throw new Refusal(409, "FailedToUpdate", `The request is ${row.status} already.`);
  }
  const decided = {
    ...row,
    ...(decision === "approve"
      ? ({ status: "APPROVED" } as const)
      : ({
          status: "REJECTED",
          reasonRejected: reason ?? "Rejected by the sandbox's staff.",
        } as const)),
    updated: now.getTime(),
  };
  store.quotas.decide(decided);
  if (decision === "approve") {
    store.quotas.set(row.accountId, row.requestedQuota, now.getTime());
  }
  return requestRecord(decided);
};
