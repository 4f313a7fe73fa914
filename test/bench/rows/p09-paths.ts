/**
 * P9: groups that are filled, verified and sent, against calls that send at once; and what the journal
 * costs beside a run to a server that keeps nothing, the shortest that there can be. Groups against calls
 * have no goal.
 */
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Bench, type Figure, inFewTurns, output, type Row, server, time } from "../measure.ts";
import { fileWords, many, sendMany, stateIn, writeSource } from "./run-sources.ts";
import { toSandbox } from "./sandbox-runs.ts";

const journalOf = (bench: Bench): string => {
  const runs = join(stateIn(bench), "runs");
  const run = readdirSync(runs).find((it) => /^\d{8}-/.test(it));
  return join(runs, run ?? "", "journal.log");
};

/** The records of the run before it, appended anew, each on the disk before the next. */
const journalAgain = async (bench: Bench): Promise<number> => {
  const program = join(bench.programs, "journal-again.js");
  const args = [program, journalOf(bench), join(bench.folder, "journal.log")];
  return Number(await output({ file: bench.node, args }));
};

const figures = async (
  bench: Bench,
  to: string,
  journalGoals: Figure["goals"],
  run: (how: string) => () => Promise<number>,
): Promise<readonly Figure[]> => {
  const { medians, rounds } = await inFewTurns(bench.rounds, {
    "at once": run("--direct"),
    groups: run("--staged"),
    journal: () => journalAgain(bench),
  });
  const { groups = 0, journal = 0, ...others } = medians;
  return [
    {
      what: `${many(bench.rows)} to ${to}`,
      ...{ rounds, unit: "ms", medians: { ...others, groups }, subject: "groups" },
      goals: [],
    },
    {
      what: `journal of groups to ${to}`,
      ...{ rounds, unit: "ms", medians: { groups, journal }, subject: "journal" },
      goals: journalGoals,
    },
  ];
};

export const paths: Row = {
  id: "P9",
  what: "groups against calls that send as they go",
  run: async (bench) => {
    const service = await server(bench, "run-server.js");
    const file = writeSource(bench, "csv", bench.rows);
    const toNothing = (how: string) => () => {
      rmSync(stateIn(bench), { recursive: true, force: true });
      return time({ file: bench.node, ...sendMany(bench, service.url, fileWords(file, how)) });
    };
    try {
      const goals = [{ to: "groups", atMost: 0.02 }];
      const toStore = (how: string) => () => toSandbox(bench, fileWords(file, how));
      return [
        ...(await figures(bench, "the sandbox", [], toStore)),
        ...(await figures(bench, "a service that keeps nothing", goals, toNothing)),
      ];
    } finally {
      await service.stop();
    }
  },
};
