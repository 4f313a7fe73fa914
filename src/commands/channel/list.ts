import { command } from "../../cli/command.ts";
import type { QueryOf } from "../../contract/endpoint.ts";
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
  // The service keeps a search id without the @ that people write in front of it.
  input: (_ctx, _given, { query: { searchId, ...others } = {} }) =>
    searchId === undefined ? { query: others } : { query: { ...others, searchId: bare(searchId) } },
});

type Filter = NonNullable<QueryOf<typeof listChannels>["searchId"]>;

const bare = (filter: Filter): Filter => {
  if (typeof filter === "string") return filter.replace(/^@/, "");
  return Object.fromEntries(
    Object.entries(filter).map(([word, it]) => [word, it?.replace(/^@/, "")]),
  );
};
