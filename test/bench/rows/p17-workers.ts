/**
 * P17: 8 workers on one source, each with a part of it, against one worker that sends all: rows that are read,
 * checked and planned for each second of a core. And the memory of plans of more rows: with `--rows 8000000`,
 * of 50,000,000 rows of 010 numbers and of 20,000,000 of foreign ones.
 */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Bench, computing, type Figure, memory, type Row, server } from "../measure.ts";
import {
  fileWords,
  many,
  type SourceFormat,
  sendMany,
  stateIn,
  writeSource,
} from "./run-sources.ts";

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
    const planned = async (format: SourceFormat, rows: number, what: string): Promise<Figure> => {
      const words = fileWords(writeSource(bench, format, rows), "--staged", "--estimate");
      const used = await memory(bench, sendMany(bench, service.url, words));
      return {
        what: `${many(rows)} ${what} planned`,
        ...{ rounds: 1, unit: "MiB", medians: { memory: used, limit }, subject: "memory" },
        goals: [{ to: "limit", atMost: 1 }],
      };
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
      return [
        {
          what: `${workers} × ${many(bench.rows)} read, a second of a core`,
          ...{ rounds: 1, unit: "per second", medians, subject: "workers" },
          goals: [{ to: "one worker", atLeast: 0.7 }],
        },
        await planned("csv", bench.rows * 6.25, "of 010 numbers"),
        await planned("foreign.csv", bench.rows * 2.5, "of foreign numbers"),
      ];
    } finally {
      await service.stop();
    }
  },
};
