/** What others have sent of a list: balance and quota are compared with the rest, ceilings with the whole. */

import { expect, test } from "vitest";
import { ended, program } from "../e2e/program.ts";
import { shell } from "../support/msg.ts";
import { envFor, numbersOf, rowsOf, sending } from "./books.ts";
import { openLine, type Passing } from "./line.ts";
import { oneService } from "./one-service.ts";

const rows = 6;
/** Won for one of them. */
const price = 20;
const { opened, nextBatch } = oneService();

const set = async (settings: object): Promise<void> => {
  const answer = await fetch(`${opened().baseUrl}/_sandbox/settings`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(settings),
  });
  expect(answer.status).toBe(200);
};

const isSend = ({ method, path }: Passing): boolean => method === "POST" && path.endsWith("/send");

/** One group of three is sent, and the machine is lost. */
const sendPart = async (words: readonly string[], stdin: string): Promise<void> => {
  const killing = { sends: 0, kill: (): void => undefined };
  const line = await openLine({
    to: opened().baseUrl,
    on: (passing, moment) => {
      if (!isSend(passing) || moment !== "arrived") return;
      killing.sends += 1;
      if (killing.sends === 2) killing.kill();
    },
    harm: (passing) => (isSend(passing) && killing.sends > 0 ? "dropBefore" : undefined),
  });
  const child = program().start(words, { stdin, env: envFor(line) });
  killing.kill = () => child.kill("SIGKILL");
  await ended(child);
  await line.stop();
};

test.each([
  ["without a key", []],
  ["with a key", ["--once", "july"]],
] as const)("%s: the rest is sent with what is there for it", async (_name, more) => {
  const first = nextBatch();
  const stdin = rowsOf(rows, first);
  const sent = (): number[] => opened().countsOf(numbersOf(rows, first));
  const words = sending("--chunk", "2", "--group-size", "2", "--json", ...more);
  await set({ balance: rows * price, point: 0, quota: 1_000_000 });
  await sendPart(words, stdin);
  expect(sent()).toEqual([1, 1, 0, 0, 0, 0]);
  const later = await openLine({
    to: opened().baseUrl,
    date: () => new Date(Date.now() + 120_000),
  });
  const env = envFor(later);
  const dear = await shell()([...words, "--max-cost", `${rows * price - 1}`], { stdin, env });
  expect([dear.code, sent()], dear.err).toEqual([7, [1, 1, 0, 0, 0, 0]]);
  expect(dear.err).toContain("CostAboveCeiling");
  for (const shown of ["-n", "--estimate"]) {
    const enough = await shell()([...words, shown], { stdin, env });
    expect([enough.code, sent()], enough.err).toEqual([0, [1, 1, 0, 0, 0, 0]]);
    const over = await shell()([...words, shown, "--max-recipients", "5"], { stdin, env });
    expect([over.code, over.err], over.err).toEqual([7, expect.stringContaining("TooMany")]);
  }
  const told = await shell()(words, { stdin, env });
  expect([told.code, sent()], told.err).toEqual([0, [1, 1, 1, 1, 1, 1]]);
  await set({ balance: 0, point: 0 });
  const over = await shell()(words, { stdin, env });
  await later.stop();
  expect([over.code, sent()], over.err).toEqual([more.length > 0 ? 0 : 7, [1, 1, 1, 1, 1, 1]]);
});
