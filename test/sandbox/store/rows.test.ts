/** Rows that are written by the names of their columns. */
import { expect, test } from "vitest";
import { openDatabase } from "../../../src/sandbox/store/driver.ts";
import { createTable } from "../../../src/sandbox/store/rows.ts";

test("an update writes only what differs from the row before, and nothing where nothing does", () => {
  const database = openDatabase(":memory:");
  database.exec("CREATE TABLE pairs (seq INTEGER PRIMARY KEY, one INTEGER, two INTEGER)");
  const pairs = createTable<{ seq: number; one: number; two: number }>(database, "pairs", "seq");
  const before = { seq: 1, one: 1, two: 1 };
  pairs.insert(before);
  pairs.update({ ...before, two: 2 });
  pairs.update({ ...before, one: 3 }, before);
  pairs.update(before, before);
  expect(pairs.read(1)).toEqual({ seq: 1, one: 3, two: 2 });
  database.close();
});
