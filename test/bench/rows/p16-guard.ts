/** P16: what it costs that no other machine sends the same: requests more than a run that no one can find. */
import { rmSync } from "node:fs";
import { type Bench, type Row, server, time } from "../measure.ts";
import { fileWords, many, sendMany, stateIn, writeSource } from "./run-sources.ts";

const rowsOfGroup = 1_000;

const requestsOf = async (
  bench: Bench,
  url: string,
  groups: number,
  ...more: readonly string[]
) => {
  const file = writeSource(bench, "csv", groups * rowsOfGroup);
  rmSync(stateIn(bench), { recursive: true, force: true });
  const read = async (): Promise<number> => {
    const { requests }: { requests: number } = JSON.parse(
      await (await fetch(`${url}/requests`)).text(),
    );
    return requests;
  };
  await read();
  const words = fileWords(file, "--group-size", `${rowsOfGroup}`, ...more);
  await time({ file: bench.node, ...sendMany(bench, url, words) });
  return read();
};

export const guard: Row = {
  id: "P16",
  what: "the guard across machines",
  run: async (bench) => {
    const service = await server(bench, "run-server.js");
    try {
      const more = async (groups: number): Promise<number> =>
        (await requestsOf(bench, service.url, groups)) -
        (await requestsOf(bench, service.url, groups, "--no-tag"));
      const [one, six] = [await more(1), await more(6)];
      return [
        {
          what: `${many(rowsOfGroup)}, one group`,
          ...{ rounds: 1, unit: "requests", medians: { more: one, limit: 3 }, subject: "more" },
          goals: [{ to: "limit", atMost: 1 }],
        },
        {
          what: "each further group",
          ...{ rounds: 1, unit: "requests", medians: { more: (six - one) / 5, limit: 2 } },
          subject: "more",
          goals: [{ to: "limit", atMost: 1 }],
        },
      ];
    } finally {
      await service.stop();
    }
  },
};
