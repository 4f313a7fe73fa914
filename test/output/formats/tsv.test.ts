/** TSV that a shell script can trust: one line per row, one tab between cells. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { anyText } from "../any-text.ts";
import { list, record } from "../sink.ts";

const tsv = (rows: readonly Record<string, unknown>[], header = false) =>
  list({ format: "tsv", header }, ["a", "b"], rows);

test("values are plain and the header is the members' names", async () => {
  expect(await tsv([{ a: 1_000_000, b: true }], true)).toBe("a\tb\n1000000\ttrue\n");
  expect(await tsv([{ a: { x: [1] }, b: null }])).toBe('{"x":[1]}\t\n');
  expect(await tsv([{ a: "2026-01-05T09:00:00.000Z", b: "+82" }])).toBe(
    "2026-01-05T09:00:00.000Z\t+82\n",
  );
});

test("a record is one line, an empty list none", async () => {
  expect(await record({ format: "tsv", header: false }, ["a", "b"], { a: 1, b: 2 })).toBe("1\t2\n");
  expect(await tsv([])).toBe("");
});

test("T03 line ends and tabs in a name are escaped, the row count is equal", async () => {
  expect(await tsv([{ a: "one\ntwo", b: "x\ty\r\n" }])).toBe("one\\ntwo\tx\\ty\\r\\n\n");
});

test("T01 T03 any text makes one line of as many cells as columns", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.record({ a: anyText, b: anyText })), async (rows) => {
      const text = await tsv(rows);
      expect(text.split("\n")).toHaveLength(rows.length + 1);
      for (const line of text.split("\n").slice(0, -1)) expect(line.split("\t")).toHaveLength(2);
      expect(text).not.toMatch(/(?![\n\t])\p{Cc}/u);
    }),
  );
});
