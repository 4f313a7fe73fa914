import * as v from "valibot";
import { tool } from "../cli/command.ts";
import { completeWords } from "../cli/help/completions.ts";
import { readSeenIds } from "../cli/seen-ids.ts";
import { id, list } from "../contract/fields.ts";

export default tool({
  mayBeNew: true,
  // As they were typed: a dash or @file among them is not read during completion.
  args: { words: v.optional(list(id("words up to the cursor"), "words up to the cursor")) },
  examples: ["msg complete-line -- auth lo"],
  run: async ({ session: { config }, environment }, { args }, tree) => {
    const seenIds = readSeenIds(environment);
    const found = await completeWords(args.words ?? [""], { config, tree, seenIds });
    return { text: found.map(({ word, description }) => `${word}\t${description}\n`).join("") };
  },
});
