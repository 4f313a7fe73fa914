/** Rows of two plans are compared as they come, and kept only until their equal is found. */
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { compareRows, createPairs, type Slice } from "../../../src/send/plan-file/diff.ts";
import { shell } from "../../support/msg.ts";

const message = (to: number, text: string) => ({ to: `0105000${1000 + to}`, text });
type Row = readonly [to: number, text: string];

const compare = (before: readonly Row[], after: readonly Row[], slice: Slice, most: number) => {
  const counts = { added: 0, removed: 0, changed: 0 };
  const pairs = createPairs((kind) => (counts[kind] += 1), slice, most);
  for (let at = 0; at < Math.max(before.length, after.length); at += 1)
    for (const [side, row] of [["before", before[at]] as const, ["after", after[at]] as const])
      if (row) pairs.add(side, message(...row));
  pairs.end();
  return { ...counts, isOver: pairs.isOver() };
};
const all: Slice = { at: 0, of: 1 };
const rows = (count: number, text = "x"): Row[] =>
  Array.from({ length: count }, (_, at) => [at, text] as const);

test("a row that was put in before all others is one row", () => {
  const found = compare(rows(500), [[600, "x"], ...rows(500)], all, 4);
  expect(found).toEqual({ added: 1, removed: 0, changed: 0, isOver: false });
});

test("texts that all changed are counted with a few rows kept", () => {
  const found = compare(rows(500), rows(500, "y"), all, 4);
  expect(found).toEqual({ added: 0, removed: 0, changed: 500, isOver: false });
});

test("of several texts to one recipient equal ones are the same in any order", () => {
  const before: Row[] = [
    [1, "a"],
    [1, "b"],
    [1, "c"],
  ];
  const after: Row[] = [
    [1, "c"],
    [1, "d"],
    [1, "a"],
    [1, "e"],
  ];
  expect(compare(before, after, all, 100)).toMatchObject({ added: 1, removed: 0, changed: 1 });
});

test("too many that have no equal yet: nothing is kept, and the parts say the same", () => {
  const before = rows(60);
  const after = [...rows(60).reverse(), [70, "x"] as const];
  expect(compare(before, after, all, 10).isOver).toBe(true);
  const parts = Array.from({ length: 5 }, (_, at) => compare(before, after, { at, of: 5 }, 100));
  expect(parts.reduce((sum, { added }) => sum + added, 0)).toBe(1);
  expect(parts.reduce((sum, { removed, changed }) => sum + removed + changed, 0)).toBe(0);
});

test.each([3, 1_000])("plans in another order, with at most %i rows kept", async (most) => {
  const msg = shell();
  const plan = async (name: string, list: readonly Row[]): Promise<string> => {
    const lines = list.map((it) => message(...it)).map(({ to, text }) => `${to},${text}`);
    const file = join(msg.folder, `${name}.msgplan`);
    const words = ["send-many", "-", "--from", "0200000000", "--sandbox", "--plan-out", file];
    const ran = await msg(words, { stdin: ["to,text", ...lines, ""].join("\n") });
    expect(ran.code, ran.err).toBe(0);
    return file;
  };
  const before = await plan("before", [...rows(20), [30, "gone"]]);
  const after = await plan("after", [[31, "new"], ...rows(19).reverse(), [19, "other"]]);
  const found = await compareRows((path) => createReadStream(path), { before, after }, most);
  expect(found.counts).toEqual({ added: 1, removed: 1, changed: 1 });
  expect([...found.named.values()].sort()).toEqual(["added", "changed", "removed"]);
  expect(found.before.header.run.messages).toBe(21);
});

test("a country that is left out, empty or 82 is the same", async () => {
  const msg = shell();
  const plan = async (name: string, ...country: readonly string[]): Promise<string> => {
    const file = join(msg.folder, `${name}.msgplan`);
    const words = ["send-many", "-", "--from", "0200000000", "--sandbox", "--plan-out", file];
    const ran = await msg([...words, ...country], { stdin: "to,text\n01000000001,a\n" });
    expect(ran.code, ran.err).toBe(0);
    return file;
  };
  const none = await plan("none");
  const others = [await plan("empty", "--country", ""), await plan("korea", "--country", "82")];
  for (const other of others)
    expect((await msg(["run", "show", other, "--diff", none, "--json"])).json()).toEqual([]);
});
