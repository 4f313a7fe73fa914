import * as v from "valibot";
import { id, list } from "../contract/fields.ts";
import { tool } from "./command.ts";
import { candidatesFor } from "./line/candidates.ts";

export default tool({
  mayBeNew: true,
  // As they were typed: a dash or @file among them is not read while the line is written.
  args: { words: v.optional(list(id("words up to the cursor"), "words up to the cursor")) },
  examples: ["msg complete-line -- auth lo"],
  run: async (ctx, { args }) => {
    const found = await candidatesFor(args.words ?? [""], ctx);
    return { text: found.map(({ word, words }) => `${word}\t${words}\n`).join("") };
  },
});
