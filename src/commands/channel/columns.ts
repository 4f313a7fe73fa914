/** Columns that the commands for channels share. */
import type { Channel } from "../../contract/kakao-channels.ts";

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
