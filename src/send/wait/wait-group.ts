/** Waits until a group is over. */

import { pollEndKind, pollUntil } from "../../client/poll.ts";
import { readDuration } from "../../config/values.ts";
import { readGroup } from "../../contract/groups.ts";
import { MsgError } from "../../errors.ts";
import type { Result } from "../../output/result.ts";
import type { Ports } from "../../ports.ts";
import { endingOf, groupColumns } from "./group.ts";

/** The group when it is over, or as it stands when the time is: then exit 8. */
export const waitForGroup = async (
  ctx: Ports,
  groupId: string,
  within = "60s",
): Promise<Result> => {
  const withinMs = readDuration(within, "--within");
  const client = await ctx.session.client();
  const { value: record, done } = await pollUntil(ctx, withinMs, async () => {
    const value = await client.call(readGroup, { params: { groupId } });
    return { value, done: ["COMPLETE", "FAILED", "DELETED"].includes(value.status) };
  });
  if (done) return { record, columns: groupColumns, ending: endingOf(record) };
  const kind = pollEndKind(ctx);
  const when = kind === "pending" ? `after ${within}` : "now";
  const ending = new MsgError(kind, `the group is ${record.status} ${when}`, {
    code: kind === "pending" ? "Pending" : "Interrupted",
    where: `group ${groupId}: ${record.count.sentPending} of ${record.count.total} open`,
    todo: `wait again: msg group wait ${groupId} --within 5m`,
    outcome: "done",
  });
  return { record, columns: groupColumns, ending };
};
