import { tool } from "./command.ts";
import { commandRecords, exitRecords, globalRecords } from "./line/tree.ts";

export default tool({
  columns: ["command", "summary"],
  fields: [
    ...["args", "flags", "writes", "endpoint", "needs", "secondFactor", "examples"],
    ...["commands", "globalFlags", "exitCodes"],
  ],
  examples: ["msg commands", "msg commands --json | jq '.commands[].command'"],
  run: async (ctx) => {
    const commands = await commandRecords(ctx.tree);
    return ctx.view.format === "json"
      ? { record: { commands, globalFlags: globalRecords(), exitCodes: exitRecords() } }
      : { rows: commands };
  },
});
