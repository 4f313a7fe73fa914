/** Workers as processes of their own, with nothing but the service between them: each row once. */
import { expect, test } from "vitest";
import { program } from "../e2e/program.ts";
import { envFor, numbersOf, rowsOf, sending } from "./books.ts";
import { oneService } from "./one-service.ts";
import { runWorkers } from "./part-kills.ts";

const { opened, nextBatch } = oneService();

test("8 workers of 8,000 rows: each row once, and the sum of the parts is the whole", async () => {
  const rows = 8_000;
  const first = nextBatch(rows);
  const stdin = rowsOf(rows, first);
  const parts = Array.from({ length: 8 }, (_, at) => `${at + 1}/8`);
  const run = (part: string) =>
    program()(sending("--part", part, "--json", "-y"), { stdin, env: envFor(opened()) });
  const ran = await Promise.all(parts.map(run));
  for (const { code, err } of ran) expect(code, err).toBe(0);
  const accepted = ran.map(({ out }) => Number(JSON.parse(out).accepted));
  expect(accepted.reduce((sum, it) => sum + it, 0)).toBe(rows);
  expect(Math.min(...accepted)).toBeGreaterThan(900);
  const sent = opened().countsOf(numbersOf(rows, first));
  expect(sent.filter((count) => count !== 1)).toEqual([]);
}, 120_000);

test("2 workers that are killed lose their folders: each row once, and both end with 0", async () => {
  const rows = 16;
  const first = nextBatch();
  // In the middle of filling, and at the first send and behind it.
  const kills = [[4, 13], [10]];
  const { codes, accepted, sent } = await runWorkers(opened(), { of: 2, rows, first, kills });
  expect(codes.map((it) => it.at(-1))).toEqual([0, 0]);
  expect(codes.flat()).toContain(null);
  expect([accepted, sent]).toEqual([rows, sent.map(() => 1)]);
}, 120_000);
