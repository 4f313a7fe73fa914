import { command } from "../../../cli/command.ts";
import { addBlock } from "../../../contract/sandbox-state.ts";

export default command({
  endpoint: addBlock,
  args: { to: addBlock.body.entries.to },
  columns: ["to", "from", "statusCode", "memo"],
  examples: [
    "msg sandbox block add 01012345678",
    "msg sandbox block add 01012345678 --from 0200000000 --opt-out",
    "msg sandbox block add 010-1234-5678 --json",
    'msg sandbox block add 01012345678 --memo "asked to stop"',
  ],
});
