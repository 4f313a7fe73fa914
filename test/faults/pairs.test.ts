/**
 * Any two requests of a run lose their answers, repeats among them: exit 0, each row is sent once. `npm test`
 * plays every sixth pair, in which each request is lost at least once; `EVERY=1` all of them.
 */
import { expect, test } from "vitest";
import { hurried } from "../support/clock.ts";
import { shell } from "../support/msg.ts";
import { share } from "../support/share.ts";
import { envFor, numbersOf, rowsOf, sending } from "./books.ts";
import { openLine } from "./line.ts";
import { oneService } from "./one-service.ts";

const { opened, nextBatch } = oneService();

const rows = 4;
const once = [1, 1, 1, 1];

/** One run in this process that loses the answers to these requests, and hardly waits. */
const losing = async (lost: readonly number[], flags: readonly string[]) => {
  const it = opened();
  const first = nextBatch();
  const line = await openLine({
    to: it.baseUrl,
    harm: ({ number }) => (lost.includes(number) ? "dropAfter" : undefined),
  });
  const ran = await shell()(sending("--json", ...flags), {
    stdin: rowsOf(rows, first),
    env: envFor(line),
    ...hurried(),
  });
  await line.stop();
  const books = it.books();
  const sent = numbersOf(rows, first).map((to) => books.get(to) ?? 0);
  return { lost, code: ran.code, err: ran.err, sent, requests: line.requests.length };
};

const paths: Readonly<Record<string, readonly string[]>> = {
  "G of one part": [],
  G: ["--staged", "--chunk", "2"],
  direct: ["--direct", "--chunk", "2", "--concurrency", "1"],
};

/** A lost answer leads to more requests: a probe, a repeat, a read. They are lost in their turn. */
const more = 3;

const pairsOf = (last: number): readonly (readonly number[])[] =>
  Array.from({ length: last }, (_, at) => at + 1).flatMap((other) =>
    Array.from({ length: other - 1 }, (_, at) => [at + 1, other]),
  );

test.each(Object.entries(paths))(
  "N06 path %s: the answers to any two requests are lost: exit 0, each row once",
  async (_, flags) => {
    const calm = await losing([], flags);
    expect(calm).toMatchObject({ code: 0, sent: once });
    const played = share(pairsOf(calm.requests + more), 6);
    for (const pair of played) {
      const { lost, code, sent, err } = await losing(pair, flags);
      expect({ lost, code, sent }, err).toEqual({ lost, code: 0, sent: once });
    }
    expect(new Set(played.flat()).size).toBe(calm.requests + more);
  },
  600_000,
);
