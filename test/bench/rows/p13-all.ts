/** P13: `--all` of 100,000 rows, against a program that joins as many rows; memory against 1,000 rows. */
import { join } from "node:path";
import { type Bench, type Figure, inTurn, memory, type Row, server, time } from "../measure.ts";

const rows = 100_000;
const fewRows = 1_000;
const formats = ["tsv", "csv", "jsonl"] as const;

const listing = (bench: Bench, url: string, format: string, count: number) => ({
  args: [bench.msg, "message", "list", "--all", "-o", format],
  env: {
    MSG_BASE_URL: `${url}/${count}`,
    MSG_API_KEY: "SANDBOXKEY000001",
    MSG_API_SECRET: "SANDBOXSECRET0000000000000000000",
    MSG_CONFIG_DIR: join(bench.folder, "config"),
    MSG_STATE_DIR: join(bench.folder, "state"),
  },
});

export const all: Row = {
  id: "P13",
  what: "message list --all of 100,000 rows",
  run: async (bench) => {
    const service = await server(bench, "list-server.js");
    const join1 = { args: [join(bench.programs, "plain-join.js"), service.url, String(rows)] };
    try {
      const medians = await inTurn(bench.rounds, {
        "plain join": () => time({ file: bench.node, ...join1 }),
        ...Object.fromEntries(
          formats.map((format) => [
            format,
            () => time({ file: bench.node, ...listing(bench, service.url, format, rows) }),
          ]),
        ),
      });
      const times = formats.map(
        (format): Figure => ({
          what: format,
          unit: "ms",
          medians: { "plain join": medians["plain join"] ?? 0, [format]: medians[format] ?? 0 },
          subject: format,
          goals: [{ to: "plain join", atMost: 4 }],
        }),
      );
      const few = await memory(bench, listing(bench, service.url, "jsonl", fewRows));
      const many = await memory(bench, listing(bench, service.url, "jsonl", rows));
      return [
        ...times,
        {
          what: "memory",
          unit: "MiB",
          medians: { "1,000 rows and 30 MiB": few + 30, "100,000 rows": many },
          subject: "100,000 rows",
          goals: [{ to: "1,000 rows and 30 MiB", atMost: 1 }],
        },
      ];
    } finally {
      await service.stop();
    }
  },
};
