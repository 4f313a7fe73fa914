/** P8: the run of P5 to the sandbox over HTTP, which stores, indexes and delivers every row. */
import { rmSync } from "node:fs";
import { inFewTurns, type Row, server, time } from "../measure.ts";
import { fileWords, many, sendMany, stateIn, writeSource } from "./run-sources.ts";
import { toSandbox } from "./sandbox-runs.ts";

/** A run that is so many times longer must cost the same for each row. */
const longer = 4;

export const runToSandbox: Row = {
  id: "P8",
  what: "send-many of a CSV to the sandbox over HTTP",
  run: async (bench) => {
    const service = await server(bench, "run-server.js");
    const words = fileWords(writeSource(bench, "csv", bench.rows));
    const moreWords = fileWords(writeSource(bench, "csv", bench.rows * longer));
    try {
      const { medians, rounds } = await inFewTurns(bench.rounds, {
        "nothing kept": () => {
          rmSync(stateIn(bench), { recursive: true, force: true });
          return time({ file: bench.node, ...sendMany(bench, service.url, words) });
        },
        sandbox: () => toSandbox(bench, words),
        longer: () => toSandbox(bench, moreWords),
      });
      const { sandbox = Number.NaN, "nothing kept": plain = Number.NaN } = medians;
      const microseconds = (ms: number, rows: number): number => (ms * 1_000) / rows;
      const perRow = microseconds(sandbox, bench.rows);
      return [
        {
          what: `each of ${many(bench.rows)} beside a server that keeps nothing`,
          rounds,
          unit: "µs",
          medians: { sandbox: perRow - microseconds(plain, bench.rows), limit: 15 },
          subject: "sandbox",
          goals: [{ to: "limit", atMost: 1 }],
        },
        {
          what: `each of ${many(bench.rows * longer)}`,
          rounds,
          unit: "µs",
          medians: {
            [many(bench.rows)]: perRow,
            longer: microseconds(medians.longer ?? Number.NaN, bench.rows * longer),
          },
          subject: "longer",
          goals: [{ to: many(bench.rows), atMost: 1.2 }],
        },
      ];
    } finally {
      await service.stop();
    }
  },
};
