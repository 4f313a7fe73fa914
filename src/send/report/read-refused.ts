/** The refused rows of a group, read from the service for the error of what sent them. */

import type { Client } from "../../client/client.ts";
import { readGroup } from "../../contract/groups.ts";
import type { StoredMessage } from "../../contract/message-records.ts";
import { listMessages } from "../../contract/messages.ts";
import type { Problem } from "../../errors.ts";
import { maxReported, refusedProblem } from "../../message/refused.ts";
import { isRefused, rowOf } from "../protocol/outcomes.ts";

/** One page of what is not accepted: enough to tell an operator what is wrong. */
export const readRefused = async (
  client: Client,
  groupId: string,
  most = maxReported,
): Promise<readonly Problem[]> => {
  const query = { groupId, criteria: "statusCode", cond: "ne", value: "2000", limit: maxReported };
  const { messageList } = await client.call(listMessages, { query });
  const rows = Object.values(messageList).filter((it) => isRefused(it) && !it.replacement);
  const why = rows.some(isUnpaid) ? await lastLine(client, groupId) : undefined;
  return rows.slice(0, most).map((it) => ({
    ...refusedProblem(it),
    row: rowOf(it.customFields),
    ...(why !== undefined && isUnpaid(it) && { text: why }),
  }));
};

/** What rows end with that were taken on, and then not sent: for want of money, or of quota. */
const isUnpaid = ({ statusCode }: StoredMessage): boolean => statusCode === "1030";

/** Only the log of the group tells which of the two it was. */
const lastLine = async (client: Client, groupId: string): Promise<string | undefined> => {
  const { status, log } = await client.call(readGroup, { params: { groupId } });
  return status === "FAILED" ? log.at(-1)?.message : undefined;
};
