/** A group that failed as a whole is not resent by hand after a retry, or anyone else, has sent its rows. */
import type { Group } from "../../contract/message-records.ts";
import type { Ports } from "../../ports.ts";
import { hasRowsOf, queryGroups, retriedError } from "../claims/group-fields.ts";
import { groupMarks } from "../claims/group-marks.ts";
import { maxGroupAgeMs } from "../run/clocks.ts";

/** Throws MsgError (stopped) where a group that was not given up holds rows of this one, as far as groups say it. */
export const assertNotSentSince = async (ctx: Ports, record: Group): Promise<void> => {
  const client = await ctx.session.client();
  const { read } = groupMarks(ctx, client, true);
  const [group = record] = await read([record]);
  const others = await read(await queryGroups(sinceBefore(record), client));
  const other = others.find((it) => hasRowsOf(it, group));
  if (other) throw retriedError(other, false);
};

/** Others may have made theirs before it, and sent them since. All of them, where it does not say when it was made. */
const sinceBefore = ({ dateCreated }: Group): { readonly startDate?: string } => {
  const from = Date.parse(dateCreated) - maxGroupAgeMs;
  return Number.isNaN(from) ? {} : { startDate: new Date(from).toISOString() };
};
