/** What became of each row, read from the service by group when it is asked for (sending.md 1, "Tag"). */

import type { Lines } from "../../bulk/lines.ts";
import type { Context } from "../../context.ts";
import { readGroup } from "../../contract/groups.ts";
import type { StoredMessage } from "../../contract/message-records.ts";
import { listMessages } from "../../contract/messages.ts";
import type { Problem } from "../../errors.ts";
import { statusMeaning } from "../../message/status.ts";
import type { Finished } from "./work.ts";

/** Refused rows that are told one by one in the error. */
const mostTold = 100;

/** Reads refused rows for the error, and every row into `lines`. */
export const readResults = async (
  ctx: Context,
  { summary, problems }: Pick<Finished, "summary" | "problems">,
  lines: Lines | undefined,
): Promise<readonly Problem[]> => {
  const wanted = lines !== undefined || (summary.refused > 0 && problems.length === 0);
  if (!wanted || summary.accepted + summary.refused === 0) return problems;
  const refused: Problem[] = [...problems];
  for (const groupId of summary.groups) {
    if (lines) await readGroupRows(ctx, groupId, lines, refused);
    else if (refused.length < mostTold) await readRefused(ctx, groupId, refused);
  }
  lines?.end();
  return refused.sort((left, right) => (left.row ?? 0) - (right.row ?? 0));
};

/** One page of what is not accepted: enough to tell an operator what is wrong. */
const readRefused = async (ctx: Context, groupId: string, refused: Problem[]): Promise<void> => {
  const client = await ctx.client();
  const query = { groupId, criteria: "statusCode", cond: "ne", value: "2000", limit: mostTold };
  const { messageList } = await client.call(listMessages, { query });
  const rows = Object.values(messageList);
  const why = rows.some(isUnpaid) ? await lastLine(ctx, groupId) : undefined;
  for (const it of rows) tell(it, refused, isUnpaid(it) ? why : undefined);
};

/** What rows end with that were taken on, and then not sent: for want of money, or of quota. */
const isUnpaid = ({ statusCode }: StoredMessage): boolean => statusCode === "1030";

/** Only the log of the group tells which of the two it was. */
const lastLine = async (ctx: Context, groupId: string): Promise<string | undefined> => {
  const client = await ctx.client();
  const { status, log } = await client.call(readGroup, { params: { groupId } });
  return status === "FAILED" ? log.at(-1)?.message : undefined;
};

const tell = (it: StoredMessage, refused: Problem[], why?: string): void => {
  if (!isRefused(it.statusCode) || refused.length >= mostTold) return;
  const { to, statusCode } = it;
  const text = why ?? statusMeaning(statusCode);
  refused.push({ code: statusCode, field: to, text, row: rowOf(it) });
};

const rowOf = ({ customFields }: StoredMessage): number | undefined => {
  const row = Number(customFields["msg.row"]);
  return Number.isInteger(row) ? row : undefined;
};

const readGroupRows = async (
  ctx: Context,
  groupId: string,
  lines: Lines,
  refused: Problem[],
): Promise<void> => {
  const client = await ctx.client();
  for await (const page of client.pages(listMessages, { query: { groupId } }))
    for (const it of page.rows) {
      const { messageId, to, statusCode } = it;
      lines.add({ row: rowOf(it) ?? null, to, messageId, statusCode });
      tell(it, refused);
    }
};

/** Codes of registration: the row was never taken on. */
const isRefused = (statusCode: string): boolean => statusCode.startsWith("1");
