/** A group is not sent, scheduled or resent by hand behind a run, a retry or anyone else that has sent its rows. */
import type { Group } from "../../contract/message-records.ts";
import type { Ports } from "../../ports.ts";
import { customField, hasRowsOf, queryGroups, retriedError } from "../claims/group-fields.ts";
import { groupMarks } from "../claims/group-marks.ts";
import { maxGroupAgeMs } from "../run/clocks.ts";

/**
 * Throws MsgError (stopped) where another group that was not given up holds rows of this one, as far as groups say it.
 * One that a person made says nothing of its rows.
 */
export const assertNotSentSince = async (ctx: Ports, record: Group): Promise<void> => {
  const client = await ctx.session.client();
  const { read } = groupMarks(ctx, client, true);
  const [group = record] = await read([record]);
  if (customField(group, "msg.in") === undefined) return;
  const others = await read(await queryGroups(sinceBefore(record), client));
  const other = others.find((it) => hasRowsOf(it, group));
  if (other) throw retriedError(other, false);
};

/** Others may have made theirs before it, and sent them since. All of them, where it does not say when it was made. */
const sinceBefore = ({ dateCreated }: Group): { readonly startDate?: string } => {
  const from = Date.parse(dateCreated) - maxGroupAgeMs;
  return Number.isNaN(from) ? {} : { startDate: new Date(from).toISOString() };
};
