/** A group is not sent, scheduled or resent by hand after a run, a retry or anyone else has sent its rows. */
import type { Group } from "../../contract/message-records.ts";
import type { Ports } from "../../ports.ts";
import { customField, hasRowsOf, retriedError } from "../claims/group-fields.ts";
import { groupMarks, listMarkedGroups } from "../claims/group-marks.ts";
import { maxGroupAgeMs } from "../run/clocks.ts";

/**
 * Throws MsgError (stopped) if another group that was not given up holds rows of this one, as far as groups say.
 * One that a person made says nothing of its rows.
 */
export const assertNotSentSince = async (ctx: Ports, record: Group): Promise<void> => {
  const client = await ctx.session.client();
  const [group = record] = await groupMarks(ctx, client, true).read([record]);
  if (customField(group, "msg.in") === undefined) return;
  // Others may have made theirs before it, and sent them since.
  const others = await listMarkedGroups(ctx, Date.parse(record.dateCreated) - maxGroupAgeMs);
  const other = others.find((it) => hasRowsOf(it, group));
  if (other) throw retriedError(other, false);
};
