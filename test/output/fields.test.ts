/** `--fields` shows what was asked for, or says what could have been. */
import { expect, test } from "vitest";
import type { Format } from "../../src/contract/fields.ts";
import { MsgError } from "../../src/errors.ts";
import { selectFields } from "../../src/output/fields.ts";
import type { Column } from "../../src/output/view.ts";
import { list, record, viewOf } from "./sink.ts";

interface Row {
  readonly id: string;
  readonly status: string;
  readonly count: { readonly total: number; readonly sent: number };
}

const columns: readonly Column<Row>[] = [
  "id",
  { name: "status", value: (row) => `in words: ${row.status}` },
  { name: "left", value: (row) => row.count.total - row.count.sent },
];
const known = ["id", "status", "count"];
const row: Row = { id: "G1", status: "3000", count: { total: 5, sent: 2 } };

const select = (fields: readonly string[] | undefined, format: Format = "tsv") =>
  selectFields(viewOf({ fields, format }), columns, known);
const shown = (fields: readonly string[], format: Format) =>
  list({ fields, format, header: false }, select(fields, format), [row]);

test("without --fields the columns stay", () => {
  expect(select(undefined)).toBe(columns);
});

test("fields come in the order in which they were named, with paths into members", async () => {
  expect(await shown(["count.sent", "id", "left", "status"], "tsv")).toBe(
    "2\tG1\t3\tin words: 3000\n",
  );
  expect(await shown(["count.nothing.below"], "csv")).toBe('""\n');
});

test("JSON keeps the service's values and nests paths as the record does", async () => {
  const json = await record(
    { fields: ["status", "count.sent", "count.total", "left"], format: "json" },
    select(["status", "count.sent", "count.total", "left"], "json"),
    row,
  );
  expect(JSON.parse(json)).toEqual({ status: "3000", count: { sent: 2, total: 5 }, left: 3 });
});

test("a member asked for as a whole is not cut by a path into it", async () => {
  expect(await shown(["count", "count.sent"], "jsonl")).toBe('{"count":{"total":5,"sent":2}}\n');
});

test("a wrong name is a usage error that suggests and lists the valid ones", () => {
  const failure = (() => {
    try {
      return select(["id", "statsu"]);
    } catch (error) {
      return error;
    }
  })();
  expect(failure).toBeInstanceOf(MsgError);
  expect(failure).toMatchObject({
    exitCode: 2,
    message: "--fields: unknown field 'statsu'; did you mean 'status'?",
    todo: "valid names: id, status, count, left",
  });
  expect(() => select([])).toThrow("names no field");
});

test("where only the columns are known nothing else is taken", () => {
  const columns = [{ name: "check", value: () => "" }];
  expect(() => selectFields(viewOf({ fields: ["check"] }), columns, [])).not.toThrow();
  expect(() => selectFields(viewOf({ fields: ["chekc"] }), columns, [])).toThrow("unknown field");
});

test("records whose members are not known take any name", () => {
  expect(() => selectFields(viewOf({ fields: ["anything"] }), [], undefined)).not.toThrow();
});

test("inherited and dangerous names are plain members", async () => {
  const hostile: unknown = JSON.parse('{"__proto__":{"x":1},"a.b":2}');
  const fields = ["__proto__.x", "constructor", "a.b"];
  const chosen = selectFields(viewOf({ fields }), [], undefined);
  expect(await list({ format: "tsv", header: false, fields }, chosen, [hostile])).toBe("1\t\t2\n");
  expect(await list({ format: "jsonl", fields }, chosen, [hostile])).toBe(
    '{"__proto__":{"x":1},"a":{"b":2}}\n',
  );
  expect(Object.hasOwn(Object.prototype, "x")).toBe(false);
});
