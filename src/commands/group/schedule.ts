import { command } from "../../cli/command.ts";
import { date, id, required } from "../../contract/fields.ts";
import { listGroups, readGroup, rescheduleGroup, scheduleGroup } from "../../contract/groups.ts";
import { listMessages } from "../../contract/messages.ts";
import { assertNotSentSince } from "../../send/guards/call-spending.ts";
import { scheduleError, serviceTime } from "../../send/run/hours.ts";
import { groupColumns } from "../../send/wait/group-delivery.ts";
import { again } from "./send.ts";

export default command({
  endpoint: scheduleGroup,
  additionalEndpoints: [readGroup, listGroups, listMessages, rescheduleGroup],
  args: {
    groupId: id("the group"),
    scheduledDate: required(date("when to send, up to 6 months ahead")),
  },
  flags: { again },
  columns: [...groupColumns.slice(0, 3), "scheduledDate", "dateUpdated"],
  examples: [
    'msg group schedule <groupId> "tomorrow 9:00" --sandbox',
    "msg group schedule <groupId> +2h",
    "msg group unschedule <groupId>",
  ],
  run: async (ctx, { params, body }, { flags }, defaultRun) => {
    // A service may treat a time in the past as now.
    const problem = scheduleError(body.scheduledDate, await serviceTime(ctx), "<scheduled-date>");
    if (problem) throw problem;
    const client = await ctx.session.client();
    const group = await client.call(readGroup, { params });
    // It is sent anyway.
    if (group.status === "SCHEDULED")
      return { record: await client.call(rescheduleGroup, { params, body }) };
    if (!flags.again) await assertNotSentSince(ctx, group);
    return defaultRun();
  },
});
