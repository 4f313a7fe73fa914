import { command } from "../../../cli/command.ts";
import { removeBlock } from "../../../contract/sandbox-state.ts";

export default command({
  endpoint: removeBlock,
  args: { to: removeBlock.body.entries.to },
  columns: ["to", "removed"],
  examples: [
    "msg sandbox block remove 01012345678",
    "msg sandbox block remove 010-1234-5678 --json",
    // Every block of the number is removed, no matter who asked for it.
    "msg sandbox block remove 01012345678 --base-url http://127.0.0.1:4610",
  ],
});
