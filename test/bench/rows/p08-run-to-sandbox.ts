/** P8: the run of P5 to the sandbox over HTTP, which stores and indexes every row. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { type Bench, inFewTurns, output, type Row, server, time } from "../measure.ts";
import { startSandbox } from "./p10-sandbox-load.ts";
import { fileWords, many, sendMany, stateIn, writeSource } from "./run-sources.ts";

const enough = { balance: 1_000_000_000, quota: 100_000_000 };

const charge = async (url: string): Promise<void> => {
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify(enough);
  const answer = await fetch(`${url}/_sandbox/settings`, { method: "PUT", headers, body });
  if (!answer.ok) throw new Error(`the sandbox could not be charged: ${answer.status}`);
};

/** Each round fills a store of its own: a full one would be slower. */
const toSandbox = async (bench: Bench, file: string): Promise<number> => {
  rmSync(stateIn(bench), { recursive: true, force: true });
  const store = join(bench.folder, "sandbox.db");
  for (const end of ["", "-wal", "-shm"]) rmSync(`${store}${end}`, { force: true });
  const sandbox = await startSandbox(bench, "--data", store);
  try {
    await charge(sandbox.url);
    return await time({ file: bench.node, ...sendMany(bench, sandbox.url, fileWords(file)) });
  } finally {
    await sandbox.stop();
  }
};

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
        sandbox: () => toSandbox(bench, file),
      });
      const goals = [{ to: "nothing kept", atMost }];
      return [{ what: many(bench.rows), rounds, unit: "ms", medians, subject: "sandbox", goals }];
    } finally {
      await service.stop();
    }
  },
};
