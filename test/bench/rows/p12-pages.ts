/** P12: the first and the last page of a list over ten million rows. */
import { join } from "node:path";
import * as v from "valibot";
import { output, type Row } from "../measure.ts";

const rows = 10_000_000;
const Pages = v.object({ first: v.number(), middle: v.number(), last: v.number() });

export const pages: Row = {
  id: "P12",
  what: `first and last page of a list over ${rows.toLocaleString("en")} rows`,
  run: async ({ node, programs, folder, rounds }) => {
    const args = [join(programs, "list-pages.js"), join(folder, "sandbox.db"), String(rows)];
    const text = await output({ file: node, args: [...args, String(rounds)] });
    const medians = v.parse(Pages, JSON.parse(text));
    return [
      {
        what: "page of 500",
        unit: "ms",
        medians,
        subject: "last",
        goals: [{ to: "first", atMost: 1.5 }],
      },
    ];
  },
};
