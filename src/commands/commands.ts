import { tool } from "../cli/command.ts";
import { listCommands, listExitCodes, listGlobalFlags } from "../cli/help/command-tree.ts";

export default tool({
  columns: ["command", "summary"],
  fields: [
    ...["args", "flags", "writes", "endpoint", "needs", "secondFactor", "examples"],
    ...["commands", "globalFlags", "exitCodes"],
  ],
  examples: ["msg commands", "msg commands --json | jq '.commands[].command'"],
  run: async (ctx, _given, tree) => {
    const commands = await listCommands(tree);
    return ctx.view.format === "json"
      ? { record: { commands, globalFlags: listGlobalFlags(), exitCodes: listExitCodes() } }
      : { rows: commands };
  },
});
