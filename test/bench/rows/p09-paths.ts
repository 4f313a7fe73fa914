/** P9: groups that are filled, verified and sent, against calls that send at once; and what the journal costs. */
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Bench, inFewTurns, output, type Row, server, time } from "../measure.ts";
import { fileWords, many, sendMany, stateIn, writeSource } from "./run-sources.ts";

const journalOf = (bench: Bench): string => {
  const runs = join(stateIn(bench), "runs");
  const run = readdirSync(runs).find((it) => /^\d{8}-/.test(it));
  return join(runs, run ?? "", "journal.log");
};

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
    /** The records of the run before it, appended anew, each on the disk before the next. */
    const journal = async (): Promise<number> => {
      const program = join(bench.programs, "journal-again.js");
      const args = [program, journalOf(bench), join(bench.folder, "journal.log")];
      return Number(await output({ file: bench.node, args }));
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
