import { tool } from "../../cli/command.ts";
import { listCategories } from "../../contract/kakao-channels.ts";

export default tool({
  also: [listCategories],
  columns: ["code", "name"],
  fields: [],
  examples: ["msg channel categories --sandbox", "msg channel categories --json"],
  run: async (ctx) => {
    const client = await ctx.client();
    return { rows: await client.call(listCategories, {}) };
  },
});
