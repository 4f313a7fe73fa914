/** P15: how soon a resumed run is at its first send, when all its groups are filled and verified. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Bench, type Command, environment, inTurn, type Row, server } from "../measure.ts";
import { fileWords, many, sendMany, stateIn, writeSource } from "./run-sources.ts";

/** The service refuses to send: the run stays as it is. */
const refused = 10;

/** Milliseconds until the process has asked to send, and ended because that was refused. */
const timeRefused = async (node: string, { args, env }: Omit<Command, "file">): Promise<number> => {
  const start = performance.now();
  const child = spawn(node, args, { stdio: "ignore", env: environment(env) });
  const [code]: readonly unknown[] = await once(child, "exit");
  if (code !== refused) throw new Error(`exit ${code} in place of ${refused}: ${args.join(" ")}`);
  return performance.now() - start;
};

const journalBytes = (bench: Bench): number => {
  const runs = join(stateIn(bench), "runs");
  const run = readdirSync(runs).find((it) => /^\d{8}-/.test(it)) ?? "";
  return statSync(join(runs, run, "journal.log")).size;
};

export const resume: Row = {
  id: "P15",
  what: "resume of a run that is ready to send",
  run: async (bench) => {
    const service = await server(bench, "run-server.js", "refuse");
    const file = writeSource(bench, "csv", bench.rows);
    const on = (words: readonly string[]) =>
      timeRefused(bench.node, sendMany(bench, service.url, words));
    try {
      await on(fileWords(file));
      const kept = journalBytes(bench) / 1_024;
      const found = await inTurn(bench.rounds, { resume: () => on(["--resume", "last"]) });
      return [
        {
          what: many(bench.rows),
          unit: "ms",
          medians: { ...found, limit: 1_000 },
          subject: "resume",
          goals: [{ to: "limit", atMost: 1 }],
        },
        { what: "journal", unit: "KiB", medians: { journal: kept }, subject: "journal", goals: [] },
      ];
    } finally {
      await service.stop();
    }
  },
};
