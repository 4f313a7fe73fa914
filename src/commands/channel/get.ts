import { command } from "../../cli/command.ts";
import { id } from "../../contract/fields.ts";
import { getChannel } from "../../contract/kakao.ts";
import { channelColumns } from "./list.ts";

export default command({
  endpoint: getChannel,
  args: { pfId: id("the channel") },
  columns: [...channelColumns, "dateUpdated"],
  examples: [
    "msg channel get KA01PF260101000000000SANDBOX0001 --sandbox",
    "msg channel get <pfId> --json",
  ],
});
