/** The same rows, cut into another number of parts by others: each of theirs overlaps with each of these. */
import type { Group } from "../../contract/message-records.ts";
import { MsgError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { type ClaimName, fieldOf } from "./group-fields.ts";

/** One that was deleted was never sent. */
export const isOtherwiseShared = (group: Group, claim: ClaimName | undefined): boolean => {
  if (claim === undefined || fieldOf(group, "msg.in") !== claim.id) return false;
  const partsOf = (worker: string | undefined): string => worker?.split("/")[1] ?? "1";
  return (
    partsOf(fieldOf(group, "msg.worker")) !== partsOf(claim.worker) && group.status !== "DELETED"
  );
};

export const otherPartsCode = "OtherParts";

export const otherPartsError = (group: Group, own: string | undefined): MsgError => {
  const run = fieldOf(group, "msg.run") ?? "";
  const worker = fieldOf(group, "msg.worker");
  const { groupId } = group;
  return new MsgError(
    "stopped",
    worker === undefined
      ? t`run ${run} sends the same rows without parts, in group ${groupId}`
      : t`run ${run} sends part ${worker} of the same rows, in group ${groupId}`,
    {
      code: otherPartsCode,
      where: t`group ${groupId}`,
      outcome: "not_sent",
      todo:
        own === undefined
          ? t`nothing was sent by this one; give each worker the same number of parts, or delete what was not sent: msg group delete ${groupId}`
          : t`nothing was sent as part ${own}; give each worker the same number of parts, or delete what was not sent: msg group delete ${groupId}`,
    },
  );
};
