import { command } from "../../cli/command.ts";
import { shapedReply } from "../../client/codec.ts";
import { flag, id } from "../../contract/fields.ts";
import { readGroup } from "../../contract/groups.ts";
import { groupCardColumns } from "../../send/wait/group-delivery.ts";

export default command({
  endpoint: readGroup,
  args: { groupId: id("the group") },
  flags: { log: flag("show the log of the group") },
  columns: groupCardColumns,
  alternateColumns: {
    log: ["createAt", "message", "totalPrice", "oldBalance", "newBalance", "oldPoint", "newPoint"],
  },
  examples: [
    "msg group get <groupId> --sandbox",
    "msg group get <groupId> --log",
    "msg group get <groupId> --log --fields createAt,message",
    "msg group get <groupId> --json --fields status,count",
  ],
  run: async (_ctx, _input, { flags }, defaultRun) => {
    const { record } = await defaultRun();
    return flags.log ? { rows: shapedReply(readGroup, record).log } : { record };
  },
});
