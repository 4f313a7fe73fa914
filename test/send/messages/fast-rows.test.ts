/** The quick way of rows is the whole way: same bodies, same verdicts, whatever the rows hold. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { diskFiles, type Files } from "../../../src/durable/files.ts";
import { template } from "../../../src/message/variables.ts";
import { createFastRows } from "../../../src/send/messages/fast-rows.ts";
import type { BodiesOptions } from "../../../src/send/plan/bodies.ts";
import { makePlan, type PlanOptions } from "../../../src/send/plan/make-plan.ts";
import { mapColumns } from "../../../src/send/sources/columns.ts";
import { countOf } from "../../support/share.ts";
import { rowsOf } from "../source.ts";

const folder = mkdtempSync(join(tmpdir(), "msg-quick-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What is written is read again at once: nothing of it has to outlive the power. */
const files: Files = { ...diskFiles, syncData: () => undefined };

type Chosen = Pick<PlanOptions, "defaults" | "dedupe" | "variables" | "map" | "strict"> &
  Pick<BodiesOptions, "run" | "rows">;

/** Nobody has this number; but where a list of exclusions is given, every row goes the whole way. */
const nobody = new Set(["0"]);

const planned = async (content: string, exclude: ReadonlySet<string>, chosen: Chosen) => {
  const { run, rows, ...options } = chosen;
  const path = join(folder, "plan.jsonl");
  rmSync(path, { force: true });
  const told: unknown[] = [];
  const plan = await makePlan(rowsOf(content, {}, 40), {
    ...{ ...options, exclude, name: "list", identity: ["a run"] },
    bodies: { files, path, rows, run, members: () => ({ strict: false }) },
    onSkipped: (row) => told.push(row),
    onProgress: () => undefined,
  });
  const { counts, ...rest } = plan;
  const priced = [...counts].map(([country, types]) => [country, [...types].sort()]).sort();
  return { ...rest, priced, told, bodies: readFileSync(path, "utf8") };
};

const units = fc.constantFrom(
  ...["a", "가", "é", " ", "#", "#{name}", "{", "}", '"', "\\", "\n", "\t", "\u0001"],
  ...["\u007f", "\u0085", "\u2028", "😀", "\ud83d", ",", "x".repeat(40), "나".repeat(44)],
  ...["\r", "\ufeff", "\u00a0", "\u200b", "\udc00", "\u1112\u1161\u11ab", "e\u0301", "\t"],
);
const text = fc.string({ unit: units, maxLength: 6 });
const long = fc.constantFrom("y".repeat(89), "y".repeat(90), "y".repeat(91), "다".repeat(1000), "");
const number = fc.oneof(
  fc.integer({ min: 0, max: 9 }).map((last) => `0100000000${last}`),
  fc.constantFrom("010-0000-0001", " 01000000001", "0100000001", "021234567", "+821000000002", ""),
  fc.constantFrom("010000000a1", "01000000001 ", "０１０００００００１１", "15880000"),
);
const rows = fc.array(fc.tuple(number, fc.oneof(text, long), fc.oneof(text, long)), {
  minLength: 1,
  maxLength: 12,
});
const headers = fc.constantFrom(
  "to,name,other",
  "to,name,text",
  "to,name,subject",
  "to,text,type",
  ...["to,constructor,name", "to,__proto__,other", "\uFEFFTo, name ,TEXT", "name,to,name\u0301"],
);

const template1 = fc
  .array(
    fc.oneof(
      text,
      fc.constantFrom("#{name}", "#{other}", "#{shop}", "#{__proto__}", "#{valueOf}", "#{to}"),
    ),
  )
  .map((parts) => parts.join(""));
const defaults = fc.record(
  {
    from: fc.constantFrom("0200000000", "02-000-0000", "abc"),
    text: template1,
    type: fc.constantFrom("SMS", "sms", "LMS", "MMS", "ATA", "XYZ"),
    country: fc.constantFrom("82", "1"),
    subject: fc.constantFrom("공지", "#{name}", "s".repeat(41)),
    imageId: fc.constant("F1"),
    autoTypeDetect: fc.boolean(),
    customFields: fc.constantFrom({ order: "1" }, { order: "#{name}" }),
    replacementText: fc.constant("instead"),
  },
  { requiredKeys: ["from"] },
);
/** What most rows can go the quick way with. */
const usual = fc.record({
  from: fc.constant("0200000000"),
  text: fc.oneof(fc.constantFrom("#{name}님", "안녕하세요"), template1),
});
const chosen = fc.record({
  defaults: fc.oneof(defaults, usual),
  dedupe: fc.constantFrom("to" as const, "to" as const, "off" as const, "to+text" as const),
  variables: fc.constantFrom(
    { shop: '"store"', other: "o" },
    { shop: "s", other: "#{name}" },
    { name: "n" },
  ),
  map: fc.constantFrom(undefined, { text: "name" }, { shop: "name" }, { name: "other" }),
  strict: fc.constantFrom(undefined, undefined, false, true),
  run: fc.constantFrom(undefined, "20260105-180000000-000000"),
  rows: fc.constantFrom(undefined, 1, 2),
});

const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;
const tableOf = (header: string, cells: readonly (readonly string[])[]): string =>
  [header, ...cells.map((row) => row.map(quoted).join(","))].join("\n");

/** The rows as objects: as lines or as a list, a cell of digits alone as a number where `numbers` asks. */
const objectsOf = (
  header: string,
  cells: readonly (readonly string[])[],
  { numbers, list }: { readonly numbers: boolean; readonly list: boolean },
): string => {
  const names = header.split(",");
  const memberOf = (cell = ""): unknown =>
    numbers && /^[1-9]\d{0,14}$/.test(cell) ? Number(cell) : cell;
  const objects = cells.map((row) =>
    JSON.stringify(Object.fromEntries(names.map((name, at) => [name, memberOf(row[at])]))),
  );
  return list ? `[${objects.join(", ")}]` : objects.join("\n");
};

const outcome = async (content: string, exclude: ReadonlySet<string>, options: Chosen) =>
  planned(content, exclude, options).catch((error: unknown) => String(error));

test("rows make the same bodies and meet the same verdicts on either way", async () => {
  await fc.assert(
    fc.asyncProperty(headers, rows, chosen, async (header, cells, options) => {
      const content = tableOf(header, cells);
      const quick = await outcome(content, new Set(), options);
      expect(quick).toEqual(await outcome(content, nobody, options));
    }),
    { numRuns: countOf(600, 200) },
  );
});

test("what may go out in place of a message is counted on either way", async () => {
  const options: Chosen = {
    ...{ defaults: { from: "0200000000", text: "#{name}", replacements: [{ text: "instead" }] } },
    ...{ dedupe: "to", variables: undefined, map: undefined, strict: undefined, rows: undefined },
    run: undefined,
  };
  const content = tableOf("to,name", [["01000000001", "a"]]);
  const quick = await planned(content, new Set(), options);
  expect(quick.fallback).toEqual(new Map([["82", new Map([["sms", 1]])]]));
  expect(quick).toEqual(await planned(content, nobody, options));
});

const members = fc.constantFrom(
  ...["to,name,other", "to,name,text", "to,text,type", "name,other,TO"],
  ...["to,name,customFields", "to,other,to ", "to,text,Text", "to,__proto__,name", "to,2,1"],
);
const written = fc.record({ numbers: fc.boolean(), list: fc.boolean() });

test("rows of JSON make the same bodies and meet the same verdicts on either way", async () => {
  await fc.assert(
    fc.asyncProperty(members, rows, written, chosen, async (header, cells, how, options) => {
      const content = objectsOf(header, cells, how);
      const quick = await outcome(content, new Set(), options);
      expect(quick).toEqual(await outcome(content, nobody, options));
    }),
    { numRuns: countOf(600, 200) },
  );
});

test("a body that becomes too large ends before the message that it cannot hold", async () => {
  const cells = Array.from({ length: 9_000 }, (_, at) => [
    `0105${String(at).padStart(7, "0")}`,
    "라".repeat(at % 2 === 0 ? 990 : 40),
    at % 3 === 0 ? "\n." : ".",
  ]);
  const options: Chosen = {
    ...{ defaults: { from: "0200000000", text: "#{name}#{other}" }, dedupe: "to" },
    ...{ variables: undefined, map: undefined, strict: undefined, rows: undefined },
    run: "20260105-180000000-000000",
  };
  const content = tableOf("to,name,other", cells);
  const quick = await planned(content, new Set(), options);
  expect(quick.chunks.length).toBeGreaterThan(1);
  expect(quick).toEqual(await planned(content, nobody, options));
});

test("the usual list goes the quick way", () => {
  const columns = mapColumns(["to", "name"], { name: "list" });
  const quick = createFastRows({
    columns,
    parts: template("#{name}님, 안녕하세요").parts,
    values: {},
    check: (to, text) => ({ to, from: "0200000000", text }),
  });
  expect(quick?.read(["01000000001", "고객"])).toMatchObject({ mobile: 1 });
});
