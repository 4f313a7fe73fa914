import { listChannels } from "../../contract/kakao-channels.ts";
import { command } from "../command.ts";
import { channelColumns } from "./columns.ts";

export default command({
  endpoint: listChannels,
  columns: channelColumns,
  examples: [
    "msg channel list --sandbox",
    "msg channel list --search-id like:shop",
    "msg channel list --all --json",
  ],
});
