/** P9: groups that are filled, verified and sent, against calls that send at once; and what the journal costs. */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { inFewTurns, type Row, server, time } from "../measure.ts";
import { fileWords, many, sendMany, stateIn, writeSource } from "./run-sources.ts";

export const paths: Row = {
  id: "P9",
  what: "groups against calls that send as they go",
  run: async (bench) => {
    const service = await server(bench, "run-server.js");
    const file = writeSource(bench, "csv", bench.rows);
    const run = (how: string) => () => {
      rmSync(stateIn(bench), { recursive: true, force: true });
      const words = fileWords(file, how);
      return time({ file: bench.node, ...sendMany(bench, service.url, words) });
    };
    /** What a run of groups like the one before gives to its journal. */
    const journal = async (): Promise<number> => {
      rmSync(stateIn(bench), { recursive: true, force: true });
      const cost = join(bench.folder, "journal-cost");
      const { args, env } = sendMany(bench, service.url, fileWords(file, "--staged"));
      const preload = pathToFileURL(join(bench.programs, "journal-cost.js")).href;
      await time({
        file: bench.node,
        args: ["--import", preload, ...args],
        env: { ...env, JOURNAL_COST: cost },
      });
      return Number(readFileSync(cost, "utf8"));
    };
    try {
      const { medians, rounds } = await inFewTurns(bench.rounds, {
        "at once": run("--direct"),
        groups: run("--staged"),
        journal,
      });
      const groups = medians.groups ?? 0;
      return [
        {
          what: many(bench.rows),
          rounds,
          unit: "ms",
          medians: { "at once": medians["at once"] ?? 0, groups },
          subject: "groups",
          goals: [{ to: "at once", atMost: 1.3 }],
        },
        {
          what: "journal of groups",
          rounds,
          unit: "ms",
          medians: { groups, journal: medians.journal ?? 0 },
          subject: "journal",
          goals: [{ to: "groups", atMost: 0.01 }],
        },
      ];
    } finally {
      await service.stop();
    }
  },
};
