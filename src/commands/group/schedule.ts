import { command } from "../../cli/command.ts";
import { date, id, required } from "../../contract/fields.ts";
import { readGroup, rescheduleGroup, scheduleGroup } from "../../contract/groups.ts";
import { groupColumns } from "../../send/wait/delivery.ts";

export default command({
  endpoint: scheduleGroup,
  additionalEndpoints: [readGroup, rescheduleGroup],
  args: {
    groupId: id("the group"),
    scheduledDate: required(date("when to send, up to 6 months ahead")),
  },
  columns: [...groupColumns.slice(0, 3), "scheduledDate", "dateUpdated"],
  examples: [
    'msg group schedule <groupId> "2026-08-01 09:00" --sandbox',
    "msg group schedule <groupId> 2026-08-01T09:00:00+09:00",
    "msg group unschedule <groupId>",
  ],
  run: async (ctx, { params, body }, _given, defaultRun) => {
    const client = await ctx.session.client();
    const { status } = await client.call(readGroup, { params });
    if (status !== "SCHEDULED") return defaultRun();
    return { record: await client.call(rescheduleGroup, { params, body }) };
  },
});
