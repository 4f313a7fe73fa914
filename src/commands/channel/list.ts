import { command } from "../../cli/command.ts";
import { type Channel, listChannels } from "../../contract/kakao.ts";

export const channelColumns = [
  "pfId",
  "searchId",
  { name: "phone", value: (row: Channel) => row.phoneNumber },
  {
    name: "category",
    value: (row: Channel) => row.senderKeys.map((it) => it.categoryCode).join(", "),
  },
  "dateCreated",
] as const;

export default command({
  endpoint: listChannels,
  columns: channelColumns,
  examples: [
    "msg channel list --sandbox",
    "msg channel list --search-id like:shop",
    "msg channel list --all --json",
  ],
});
