/** Rows of two plans are compared whatever their order, in memory that does not grow with them. */
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { compareRows } from "../../../src/send/plan-file/diff.ts";
import { shell } from "../../support/msg.ts";

type Row = readonly [to: number, text: string];

const rows = (count: number, text = "x"): Row[] =>
  Array.from({ length: count }, (_, at) => [at, text] as const);

const planned = async (msg: ReturnType<typeof shell>, name: string, list: readonly Row[]) => {
  const lines = list.map(([to, text]) => `0105000${1000 + to},${text}`);
  const file = join(msg.folder, `${name}.msgplan`);
  const words = ["send-many", "-", "--from", "0200000000", "--sandbox", "--plan-out", file];
  const flags = ["--dedupe", "off", "--allow-duplicates"];
  const ran = await msg([...words, ...flags], { stdin: ["to,text", ...lines, ""].join("\n") });
  expect(ran.code, ran.err).toBe(0);
  return file;
};

const changes: Readonly<Record<string, readonly [before: Row[], after: Row[], counts: object]>> = {
  "a row that was put in before all others": [
    rows(20),
    [[30, "x"], ...rows(20)],
    { added: 1, removed: 0, changed: 0 },
  ],
  "texts that all changed": [rows(20), rows(20, "y"), { added: 0, removed: 0, changed: 20 }],
  "several texts to one recipient, in another order": [
    [1, 1, 1].map((to, at) => [to, `${at}`]),
    ["2", "a", "0", "b"].map((text) => [1, text]),
    { added: 1, removed: 0, changed: 1 },
  ],
  "another order": [
    [...rows(20), [30, "gone"]],
    [[31, "new"], ...rows(19).reverse(), [19, "other"]],
    { added: 1, removed: 1, changed: 1 },
  ],
};

test.each(Object.keys(changes))("%s: counted the same if few rows are held", async (name) => {
  const msg = shell();
  const [before = [], after = [], counts] = changes[name] ?? [];
  const plans = {
    before: await planned(msg, "before", before),
    after: await planned(msg, "after", after),
  };
  for (const maxRows of [3, 1_000]) {
    const read: string[] = [];
    const found = await compareRows(
      (path) => {
        read.push(path);
        return createReadStream(path);
      },
      plans,
      maxRows,
    );
    expect(found.counts).toEqual(counts);
    expect(read).toHaveLength(2 * Math.ceil(before.length / maxRows));
    expect(found.before.header.run.messages).toBe(before.length);
  }
});

test("the first recipients of each kind are named", async () => {
  const msg = shell();
  const plans = {
    before: await planned(msg, "before", [...rows(12), [30, "gone"]]),
    after: await planned(msg, "after", [[31, "new"], ...rows(12, "y")]),
  };
  const { named } = await compareRows((path) => createReadStream(path), plans);
  const kinds = [...named.values()].sort();
  expect(kinds).toEqual(["added", ...Array.from({ length: 10 }, () => "changed"), "removed"]);
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
