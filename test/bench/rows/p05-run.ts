/** P5: a run over a CSV with everything that a run does, against its floor and against the usual way. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { inFewTurns, type Row, server, time } from "../measure.ts";
import { fileWords, many, sendMany, stateIn, writeSource } from "./run-sources.ts";

export const runOfMany: Row = {
  id: "P5",
  what: "send-many of a CSV to a server that keeps nothing",
  run: async (bench) => {
    const service = await server(bench, "run-server.js");
    const file = writeSource(bench, "csv", bench.rows);
    const program = (name: string, ...args: string[]) =>
      time({ file: bench.node, args: [join(bench.programs, name), ...args] });
    try {
      const { medians, rounds } = await inFewTurns(bench.rounds, {
        floor: () => program("pipeline-floor.js", file),
        "csv-parse and fetch": () => program("csv-parse-client.js", service.url, file),
        msg: async () => {
          rmSync(stateIn(bench), { recursive: true, force: true });
          return time({ file: bench.node, ...sendMany(bench, service.url, fileWords(file)) });
        },
      });
      const rate = (name: string): number => bench.rows / ((medians[name] ?? 0) / 1_000);
      return [
        {
          what: many(bench.rows),
          rounds,
          unit: "ms",
          medians,
          subject: "msg",
          goals: [{ to: "floor", atMost: 3 }],
        },
        {
          what: "rows",
          rounds,
          unit: "per second",
          medians: { "csv-parse and fetch": rate("csv-parse and fetch"), msg: rate("msg") },
          subject: "msg",
          goals: [{ to: "csv-parse and fetch", atLeast: 3 }],
        },
      ];
    } finally {
      await service.stop();
    }
  },
};
