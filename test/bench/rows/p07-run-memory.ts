/** P7: the memory of the run of P5, and of one four times as long. */
import { rmSync } from "node:fs";
import { inFewTurns, memory, type Row, server } from "../measure.ts";
import { fileWords, many, sendMany, stateIn, writeSource } from "./run-sources.ts";

export const runMemory: Row = {
  id: "P7",
  what: "memory of send-many",
  run: async (bench) => {
    const service = await server(bench, "run-server.js");
    const peak = (rows: number) => {
      const file = writeSource(bench, "csv", rows);
      return () => {
        rmSync(stateIn(bench), { recursive: true, force: true });
        return memory(bench, sendMany(bench, service.url, fileWords(file)));
      };
    };
    const few = many(bench.rows);
    const more = many(bench.rows * 4);
    try {
      const { medians: found, rounds } = await inFewTurns(bench.rounds, {
        [few]: peak(bench.rows),
        [more]: peak(bench.rows * 4),
      });
      const medians = { ...found, limit: 220 };
      return [
        {
          what: few,
          rounds,
          unit: "MiB",
          medians,
          subject: few,
          goals: [{ to: "limit", atMost: 1 }],
        },
        {
          what: more,
          rounds,
          unit: "MiB",
          medians,
          subject: more,
          goals: [{ to: few, atMost: 1.15 }],
        },
      ];
    } finally {
      await service.stop();
    }
  },
};
