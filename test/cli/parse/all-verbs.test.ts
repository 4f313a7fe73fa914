import { expect, test } from "vitest";
import { parseLine } from "../../../src/cli/parse/parse-line.ts";
import { table } from "../../../src/commands/table.ts";

test.each(Object.entries(table))("the flags of msg %s do not collide", async (path, entry) => {
  const { default: verb } = await entry.load();
  expect(parseLine(path, verb, []).flags).toEqual({});
});
