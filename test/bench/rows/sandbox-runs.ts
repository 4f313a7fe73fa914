/** Runs to the sandbox over HTTP, which stores and indexes every row. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { type Bench, time } from "../measure.ts";
import { startSandbox } from "./p10-sandbox-load.ts";
import { sendMany, stateIn } from "./run-sources.ts";

const enough = { balance: 1_000_000_000, quota: 100_000_000 };

const charge = async (url: string): Promise<void> => {
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify(enough);
  const answer = await fetch(`${url}/_sandbox/settings`, { method: "PUT", headers, body });
  if (!answer.ok) throw new Error(`the sandbox could not be charged: ${answer.status}`);
};

/** Milliseconds of a run. Each fills a store of its own: a full one would be slower. */
export const toSandbox = async (bench: Bench, words: readonly string[]): Promise<number> => {
  rmSync(stateIn(bench), { recursive: true, force: true });
  const store = join(bench.folder, "sandbox.db");
  for (const end of ["", "-wal", "-shm"]) rmSync(`${store}${end}`, { force: true });
  const sandbox = await startSandbox(bench, "--data", store);
  try {
    await charge(sandbox.url);
    return await time({ file: bench.node, ...sendMany(bench, sandbox.url, words) });
  } finally {
    await sandbox.stop();
  }
};
