/** 100,000 rows, or `ROWS` of them, over a line that loses three of ten answers: each row is sent once. */
import { expect, test } from "vitest";
import { freshFolder, program } from "../e2e/program.ts";
import { envFor, numbersOf, openService, rowsOf, sending } from "../faults/books.ts";
import { losingAt, openLine } from "../faults/line.ts";

const rows = Number(process.env.ROWS ?? 100_000);
const seeds = [1, 2, 3];

const paths: readonly (readonly [string, readonly string[]])[] = [
  ["groups of 100,000", []],
  ["groups of 30,000 in adds of 3,000", ["--chunk", "3000", "--group-size", "30000"]],
  ["one call after the other", ["--direct", "--chunk", "5000"]],
];

test.each(paths)(
  `N06 ${rows} rows, %s: the run ends by itself, each row once`,
  async (name, flags) => {
    for (const seed of seeds) {
      const service = await openService(freshFolder());
      await makeRich(service.baseUrl);
      const line = await openLine({ to: service.baseUrl, harm: losingAt(seed) });
      const began = performance.now();
      const stdin = rowsOf(rows);
      const { code, err } = await program()(sending("-y", ...flags), { stdin, env: envFor(line) });
      const seconds = Math.round((performance.now() - began) / 100) / 10;
      const books = service.books();
      const wrong = numbersOf(rows).filter((to) => books.get(to) !== 1).length;
      await line.stop();
      await service.stop();
      const requests = line.requests.length;
      process.stdout.write(`${JSON.stringify({ name, seed, rows, requests, seconds })}\n`);
      expect({ seed, code, wrong }, err).toEqual({ seed, code: 0, wrong: 0 });
    }
  },
);

const makeRich = async (baseUrl: string): Promise<void> => {
  const answer = await fetch(`${baseUrl}/_sandbox/settings`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ balance: 90_000_000, quota: 9_000_000 }),
  });
  expect(answer.status).toBe(200);
};
