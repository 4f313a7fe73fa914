import * as v from "valibot";
import { list, text } from "../contract/fields.ts";
import { tool } from "./command.ts";
import { candidatesFor } from "./line/candidates.ts";

export default tool({
  mayBeNew: true,
  args: { words: v.optional(list(text("words up to the cursor"), "words up to the cursor")) },
  examples: ["msg complete-line -- auth lo"],
  run: async (ctx, { args }) => {
    const found = await candidatesFor(args.words ?? [""], ctx);
    return { text: found.map(({ word, words }) => `${word}\t${words}\n`).join("") };
  },
});
