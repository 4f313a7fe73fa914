/** Several processes on one sandbox at once: the books balance. */

import * as v from "valibot";
import { expect, test } from "vitest";
import { program, sendTo } from "./program.ts";

const msg = program();

const Balance = v.object({ balance: v.number(), point: v.number() });

const books = async () => {
  const { out } = await msg(["balance", "--sandbox", "--json"]);
  const { balance, point } = v.parse(Balance, JSON.parse(out));
  return balance + point;
};

const rows = (first: number, count: number): string =>
  Array.from({ length: count }, (_, at) =>
    JSON.stringify({ to: `010${10_000_000 + first + at}`, text: "a" }),
  ).join("\n");

test("two runs of 100 and eight single sends at once cost what they say, and each is kept once", async () => {
  const before = await books();
  const many = (first: number) =>
    msg(["send-many", "-", "--from", "0200000000", "--sandbox", "--json"], {
      stdin: rows(first, 100),
    });
  const singles = Array.from({ length: 8 }, (_, at) => msg(sendTo(`0102000000${at}`, "--json")));
  const ends = await Promise.all([many(0), many(1_000), ...singles]);
  expect(ends.map((it) => [it.code, it.err])).toEqual(ends.map(() => [0, ""]));
  const listed = await msg(
    "message list --sandbox --all -o tsv --no-header --fields messageId".split(" "),
  );
  const ids = listed.out.trim().split("\n");
  expect(ids).toHaveLength(208);
  expect(new Set(ids).size).toBe(208);
  const price = (before - (await books())) / 208;
  expect(price).toBeGreaterThan(0);
  expect(Number.isInteger(price)).toBe(true);
});

test("a sandbox that two processes create at once is one sandbox", async () => {
  const fresh = program();
  const ends = await Promise.all(
    Array.from({ length: 4 }, () => fresh(["balance", "--sandbox", "--json"])),
  );
  expect(ends.map((it) => [it.code, it.err])).toEqual(ends.map(() => [0, ""]));
  expect(new Set(ends.map((it) => it.out)).size).toBe(1);
});
