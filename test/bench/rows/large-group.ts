/** A million messages in one group: filled call by call, listed to the last page, sent and counted. */
import { join } from "node:path";
import * as v from "valibot";
import { type Figure, output, type Row } from "../measure.ts";
import { many } from "./run-sources.ts";

/** What the service takes into one group. */
const most = 1_000_000;

const ends = v.object({ first: v.number(), last: v.number() });
const Found = v.object({
  adds: ends,
  pages: ends,
  memory: v.object({ half: v.number(), most: v.number() }),
  listed: v.number(),
  delivered: v.number(),
  counted: v.number(),
});

export const largeGroup: Row = {
  id: "group",
  what: "one group, filled to the brim and listed to its last page; measured once",
  run: async ({ node, programs, folder, rows }) => {
    const all = Math.min(rows, most);
    const args = [join(programs, "large-group.js"), join(folder, "sandbox.db"), String(all)];
    const found = v.parse(Found, JSON.parse(await output({ file: node, args })));
    const { adds, pages, memory } = found;
    const exact = (name: "listed" | "delivered" | "counted"): Figure => ({
      what: `messages that are ${name}`,
      unit: "messages",
      medians: { all, [name]: found[name] },
      subject: name,
      goals: [
        { to: "all", atLeast: 1 },
        { to: "all", atMost: 1 },
      ],
    });
    const late = (what: string, medians: Readonly<Record<string, number>>): Figure => ({
      ...{ what, unit: "ms", medians, subject: "last", goals: [{ to: "first", atMost: 1.5 }] },
    });
    return [
      late(`${many(all)}: calls that add 10,000, the first tenth of them and the last`, adds),
      late("page of 500", pages),
      {
        what: "memory while it is filled and listed",
        unit: "MiB",
        medians: { "first half": memory.half, most: memory.most },
        subject: "most",
        goals: [{ to: "first half", atMost: 1.15 }],
      },
      ...(["listed", "delivered", "counted"] as const).map(exact),
    ];
  },
};
