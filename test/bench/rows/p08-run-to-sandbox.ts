/** P8: the run of P5 to the sandbox over HTTP, which stores and indexes every row. */
import { rmSync } from "node:fs";
import { inFewTurns, output, type Row, server, time } from "../measure.ts";
import { fileWords, many, sendMany, stateIn, writeSource } from "./run-sources.ts";
import { toSandbox } from "./sandbox-runs.ts";

export const runToSandbox: Row = {
  id: "P8",
  what: "send-many of a CSV to the sandbox over HTTP",
  run: async (bench) => {
    const version = await output({ file: bench.node, args: ["--version"] });
    const atMost = version.startsWith("v20.") ? 3.2 : 2.6;
    const service = await server(bench, "run-server.js");
    const file = writeSource(bench, "csv", bench.rows);
    const plain = fileWords(file);
    try {
      const { medians, rounds } = await inFewTurns(bench.rounds, {
        "nothing kept": () => {
          rmSync(stateIn(bench), { recursive: true, force: true });
          return time({ file: bench.node, ...sendMany(bench, service.url, plain) });
        },
        sandbox: () => toSandbox(bench, plain),
      });
      const goals = [{ to: "nothing kept", atMost }];
      return [{ what: many(bench.rows), rounds, unit: "ms", medians, subject: "sandbox", goals }];
    } finally {
      await service.stop();
    }
  },
};
