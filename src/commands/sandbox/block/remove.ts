import { command } from "../../../cli/command.ts";
import { removeBlock } from "../../../contract/sandbox-blocks.ts";

export default command({
  endpoint: removeBlock,
  args: { to: removeBlock.body.entries.to },
  profile: "sandbox",
  columns: ["to", "removed"],
  examples: [
    "msg sandbox block remove 01012345678",
    "msg sandbox block remove 010-1234-5678 --json",
  ],
});
