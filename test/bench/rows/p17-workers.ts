/**
 * P17: 8 workers on one source, each with a part of it, against one worker that sends all: rows that are read,
 * checked and planned for each second of a core. And the memory of a plan of six times as many rows.
 */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Bench, computing, memory, type Row, server } from "../measure.ts";
import { fileWords, many, sendMany, stateIn, writeSource } from "./run-sources.ts";

const workers = 8;
/** MiB for a plan, however many rows it has. */
const limit = 250;

const inFolder = (bench: Bench, name: string): Bench => {
  const folder = join(bench.folder, name);
  mkdirSync(folder, { recursive: true });
  return { ...bench, folder };
};

export const partsOfWorkers: Row = {
  id: "P17",
  what: "8 workers on one source",
  run: async (bench) => {
    const service = await server(bench, "run-server.js");
    const file = writeSource(bench, "csv", bench.rows);
    const compute = (name: string, ...more: readonly string[]): Promise<number> => {
      const own = inFolder(bench, name);
      rmSync(stateIn(own), { recursive: true, force: true });
      return computing(own, sendMany(own, service.url, fileWords(file, "--staged", ...more)));
    };
    try {
      const one = await compute("whole");
      const all = await Promise.all(
        Array.from({ length: workers }, (_, at) =>
          compute(`worker-${at}`, "--part", `${at + 1}/${workers}`),
        ),
      );
      const sum = all.reduce((total, it) => total + it, 0);
      const medians = { "one worker": bench.rows / one, workers: (workers * bench.rows) / sum };
      const longer = bench.rows * 6;
      const words = fileWords(writeSource(bench, "csv", longer), "--staged", "--estimate");
      const planned = await memory(bench, sendMany(bench, service.url, words));
      return [
        {
          what: `${workers} × ${many(bench.rows)} read, a second of a core`,
          ...{ rounds: 1, unit: "per second", medians, subject: "workers" },
          goals: [{ to: "one worker", atLeast: 0.7 }],
        },
        {
          what: `${many(longer)} planned`,
          ...{ rounds: 1, unit: "MiB", medians: { memory: planned, limit }, subject: "memory" },
          goals: [{ to: "limit", atMost: 1 }],
        },
      ];
    } finally {
      await service.stop();
    }
  },
};
