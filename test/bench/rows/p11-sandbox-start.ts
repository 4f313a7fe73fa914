/** P11: how soon the sandbox is ready, with an empty store and with a million messages. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { openTables } from "../../../src/sandbox/store/open-tables.ts";
import { inTurn, type Row, time } from "../measure.ts";
import { startSandbox } from "./p10-sandbox-load.ts";

const messages = 1_000_000;

/** A million rows straight into the tables: what is measured is the start, not the sending. */
const fill = (file: string): void => {
  const tables = openTables(file);
  tables.transaction(() => {
    tables.run(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       INSERT INTO messages (seq, recipient, sender, text, type, country, statusCode, outcome, price,
         created, updated)
       SELECT i, '010' || i, '0200000000', 'hello', 'SMS', '82', '4000',
         '4000', 20, 1767603600000 + i / 10000, 1767603600000 FROM n`,
      [messages],
    );
    tables.run(
      `INSERT INTO batches (firstSeq, lastSeq, groupSeq, accountId, created)
       SELECT min(seq), max(seq), 1, '26010500000001', created FROM messages GROUP BY created`,
    );
  });
  tables.close();
};

const memoryOf = (pid: number): number => {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024;
};

export const sandboxStart: Row = {
  id: "P11",
  what: "sandbox ready",
  run: async (bench) => {
    const full = join(bench.folder, "full.db");
    const sizes: Record<string, number> = { limit: 160 };
    const ready = async (name: string, ...more: string[]): Promise<number> => {
      const begun = performance.now();
      const sandbox = await startSandbox(bench, ...more);
      const elapsed = performance.now() - begun;
      sizes[name] = memoryOf(sandbox.pid);
      await sandbox.stop();
      return elapsed;
    };
    await ready("full", "--data", full);
    fill(full);
    const medians = await inTurn(bench.rounds, {
      bare: () => time({ file: bench.node, args: ["-e", "0"] }),
      empty: () => ready("empty", "--memory"),
      full: () => ready("full", "--data", full),
    });
    const goals = [{ to: "bare", atMost: 5 }];
    const within = [{ to: "limit", atMost: 1 }];
    return [
      { what: "empty store", unit: "ms", medians, subject: "empty", goals },
      { what: "1,000,000 messages", unit: "ms", medians, subject: "full", goals },
      {
        what: "memory with 1,000,000 messages",
        unit: "MiB",
        medians: sizes,
        subject: "full",
        goals: within,
      },
    ];
  },
};
