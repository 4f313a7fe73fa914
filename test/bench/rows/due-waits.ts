/** The longest that a request waits while a million messages fall due in a sandbox over HTTP. */
import { join } from "node:path";
import * as v from "valibot";
import { type Figure, output, type Row } from "../measure.ts";
import { startSandbox } from "./p10-sandbox-load.ts";
import { many } from "./run-sources.ts";

/** What the service takes into one group. */
const most = 1_000_000;
const limitMs = 250;

/** Milliseconds of the slowest answer of each client. */
const slowest = v.object({ found: v.record(v.string(), v.number()), requests: v.number() });
const Found = v.object({ idle: slowest, handedOver: slowest, reported: slowest });

export const dueWaits: Row = {
  id: "due",
  what: "requests while the messages of one group fall due; measured once",
  run: async (bench) => {
    const sandbox = await startSandbox(bench, "--data", join(bench.folder, "sandbox.db"));
    const all = Math.min(bench.rows, most);
    try {
      const args = [join(bench.programs, "due-waits.js"), sandbox.url, String(all)];
      const told = await output({ file: bench.node, args });
      const { idle, handedOver, reported } = v.parse(Found, JSON.parse(told));
      const longest = (it: v.InferOutput<typeof slowest>) => Math.max(...Object.values(it.found));
      const figure = (what: string, it: v.InferOutput<typeof slowest>): Figure => ({
        what: `longest of ${it.requests} requests while ${many(all)} are ${what}`,
        unit: "ms",
        medians: { "nothing due": longest(idle), due: longest(it), limit: limitMs },
        subject: "due",
        goals: [{ to: "limit", atMost: 1 }],
      });
      return [figure("handed over", handedOver), figure("reported", reported)];
    } finally {
      await sandbox.stop();
    }
  },
};
