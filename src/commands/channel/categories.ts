import { tool } from "../../cli/command.ts";
import { listCategories } from "../../contract/kakao.ts";

export default tool({
  additionalEndpoints: [listCategories],
  columns: ["code", "name"],
  examples: [
    "msg channel categories --sandbox",
    "msg channel categories --json",
    "msg channel categories -o csv > categories.csv",
  ],
  run: async (ctx) => {
    const client = await ctx.session.client();
    return { rows: await client.call(listCategories, {}) };
  },
});
