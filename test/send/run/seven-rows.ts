/** A run of seven rows. */
import type { RunFile } from "../../../src/send/store/run-file.ts";

export const run = "20260105-180000000-000000";
export const rows = 7;

/** One row a chunk, two chunks a group, three adds at once. */
export const runFile: RunFile = {
  ...{ version: 2, run, path: "G", call: "send-many", tagged: true, width: 2, concurrency: 3 },
  ...{ started: "2026-01-05T09:00:00.000Z", profile: "default", source: "list", digest: "" },
  ...{ account: null, key: null, baseUrl: null, strict: false, allowDuplicates: false },
  ...{ total: rows, skipped: 0, messages: rows, price: null, maxCost: null },
  chunks: Array.from({ length: rows }, (_, at) => ({
    ...{ offset: 0, length: 0, rows: 1, first: at + 1, sha256: "" },
  })),
};
