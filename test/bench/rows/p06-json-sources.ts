/** P6: JSONL and a JSON array as source, against a split into lines and JSON.parse of each. */
import { join } from "node:path";
import { inFewTurns, type Row, time } from "../measure.ts";
import { many, writeSource } from "./run-sources.ts";

export const jsonSources: Row = {
  id: "P6",
  what: "JSONL and JSON array as source",
  run: async (bench) => {
    const jsonl = writeSource(bench, "jsonl", bench.rows);
    const array = writeSource(bench, "json", bench.rows);
    const read = (how: string, file: string) => () =>
      time({ file: bench.node, args: [join(bench.programs, "read-source.js"), how, file] });
    const { medians, rounds } = await inFewTurns(bench.rounds, {
      "split and JSON.parse": read("lines", jsonl),
      JSONL: read("msg", jsonl),
      array: read("msg", array),
    });
    return [
      {
        what: `JSONL, ${many(bench.rows)}`,
        rounds,
        unit: "ms",
        medians,
        subject: "JSONL",
        goals: [{ to: "split and JSON.parse", atMost: 1.6 }],
      },
      {
        what: `JSON array, ${many(bench.rows)}`,
        rounds,
        unit: "ms",
        medians,
        subject: "array",
        goals: [{ to: "JSONL", atMost: 1.8 }],
      },
    ];
  },
};
