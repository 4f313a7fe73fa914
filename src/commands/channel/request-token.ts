import { command } from "../../cli/command.ts";
import { requestLinkToken } from "../../contract/kakao.ts";

export default command({
  endpoint: requestLinkToken,
  questions: { searchId: { question: "search id of the channel" } },
  columns: ["success"],
  examples: [
    "msg channel request-token --search-id myshop --phone 01012340000 --category 00200020001",
    "msg channel request-token --search-id myshop --phone 01012340000 --category 00200020001 -n",
  ],
});
