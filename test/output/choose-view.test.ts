/** Flags and the terminal decide how results are shown. */
import { expect, test } from "vitest";
import { printNotice } from "../../src/output/out.ts";
import { chooseView, type ViewChoice } from "../../src/output/view.ts";
import { outTo, sink, viewOf } from "./sink.ts";

const choose = (choice: Partial<ViewChoice> = {}) =>
  chooseView({ format: undefined, fields: undefined, noHeader: false, isTTY: false, ...choice });

test("a terminal gets a table, a pipe TSV without a header", () => {
  expect(choose({ isTTY: true })).toMatchObject({ format: "table", header: true });
  expect(choose()).toMatchObject({ format: "tsv", header: false });
});

test("a format that was chosen has a header unless --no-header", () => {
  for (const format of ["tsv", "csv", "table"] as const) {
    expect(choose({ format })).toMatchObject({ format, header: true });
    expect(choose({ format, noHeader: true })).toMatchObject({ header: false });
  }
  expect(choose({ isTTY: true, noHeader: true })).toMatchObject({ header: false });
});

test("--fields is a list of names; without a name it is an empty one", () => {
  expect(choose({ fields: "a, b.c,,d" }).fields).toEqual(["a", "b.c", "d"]);
  expect(choose({ fields: " ," }).fields).toEqual([]);
  expect(choose().fields).toBeUndefined();
});

test("a note is one safe line, and --quiet silences it", async () => {
  const into = sink();
  await printNotice(outTo(into), viewOf(), "no results\u001b[2J");
  await printNotice(outTo(into), viewOf({ quiet: true }), "silent");
  expect(into.text()).toBe("no results\\x1b[2J\n");
});
