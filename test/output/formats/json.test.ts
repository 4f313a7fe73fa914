/** JSON is the service's own record, untouched, and safe to print. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { anyText } from "../any-text.ts";
import { list, record } from "../sink.ts";

const rows = [{ id: "1", at: "2026-01-05T09:00:00.000Z", n: 1_000_000, o: { deep: [true] } }, {}];

test("a list is the array that JSON.stringify would write", async () => {
  expect(await list({ format: "json" }, ["id"], rows)).toBe(`${JSON.stringify(rows, null, 2)}\n`);
  expect(await list({ format: "json" }, ["id"], [])).toBe("[]\n");
});

test("--envelope holds the rows and how the list goes on", async () => {
  expect(await list({ format: "json", envelope: true }, ["id"], rows)).toBe(
    `${JSON.stringify({ items: rows, nextKey: null }, null, 2)}\n`,
  );
  expect(await list({ format: "json", envelope: true }, ["id"], [])).toBe(
    `${JSON.stringify({ items: [], nextKey: null }, null, 2)}\n`,
  );
});

test("a record is an object, JSONL one text per line", async () => {
  expect(await record({ format: "json" }, [], rows[0])).toBe(
    `${JSON.stringify(rows[0], null, 2)}\n`,
  );
  const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join("");
  expect(await list({ format: "jsonl" }, [], rows)).toBe(lines);
  expect(await record({ format: "jsonl" }, [], "text")).toBe('"text"\n');
});

test("T01 controls, C1 and line separators are escaped", async () => {
  const text = await list({ format: "jsonl" }, [], ["\u001b\u007f\u009b\u2028\u2029\u202e"]);
  expect(text).toBe('"\\u001b\\u007f\\u009b\\u2028\\u2029\u202e"\n');
});

test("any record comes back equal and without a control byte", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(fc.jsonValue(), anyText)),
      fc.boolean(),
      async (values, envelope) => {
        const text = await list({ format: "json", envelope }, [], values);
        const expected: unknown = JSON.parse(JSON.stringify(values));
        expect(JSON.parse(text)).toEqual(envelope ? { items: expected, nextKey: null } : expected);
        expect(text).not.toMatch(/(?!\n)\p{Cc}/u);
        const lines = await list({ format: "jsonl" }, [], values);
        expect(
          lines
            .split("\n")
            .slice(0, -1)
            .map((line): unknown => JSON.parse(line)),
        ).toEqual(expected);
      },
    ),
  );
});
