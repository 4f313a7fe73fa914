/** T05 Colours appear where they were asked for and nowhere else. */
import { describe, expect, test } from "vitest";
import { wantsColour } from "../../../src/output/text/style.ts";
import { list } from "../sink.ts";

const wants = (env: Record<string, string>, isTTY = true, noColour = false) =>
  wantsColour({ env, isTTY, noColour });

describe("wantsColour", () => {
  test("a terminal is coloured, a pipe is not", () => {
    expect(wants({ TERM: "xterm-256color" })).toBe(true);
    expect(wants({ TERM: "xterm-256color" }, false)).toBe(false);
  });

  test("T05 NO_COLOR, TERM=dumb, CLICOLOR=0 and --no-color refuse", () => {
    expect(wants({ NO_COLOR: "1" })).toBe(false);
    expect(wants({ TERM: "dumb" })).toBe(false);
    expect(wants({ CLICOLOR: "0" })).toBe(false);
    expect(wants({}, true, true)).toBe(false);
  });

  test("FORCE_COLOR colours a pipe; refusals still win", () => {
    expect(wants({ FORCE_COLOR: "1" }, false)).toBe(true);
    expect(wants({ FORCE_COLOR: "1", TERM: "dumb" }, false)).toBe(true);
    expect(wants({ FORCE_COLOR: "0" })).toBe(false);
    expect(wants({ FORCE_COLOR: "false" })).toBe(false);
    expect(wants({ FORCE_COLOR: "1", NO_COLOR: "1" })).toBe(false);
    expect(wants({ FORCE_COLOR: "1" }, true, true)).toBe(false);
  });

  test("empty means unset", () => {
    expect(wants({ NO_COLOR: "", FORCE_COLOR: "", CLICOLOR: "" })).toBe(true);
    expect(wants({ NO_COLOR: "", FORCE_COLOR: "" }, false)).toBe(false);
  });
});

test("colours reach tables even in a pipe, never TSV, CSV or JSON", async () => {
  const rows = [{ id: "1" }];
  const drawn = (format: "table" | "tsv" | "csv" | "json" | "jsonl") =>
    list({ format }, ["id"], rows, { colour: true });
  expect(await drawn("table")).toBe("\u001b[1mID\u001b[22m\n1\n");
  for (const format of ["tsv", "csv", "json", "jsonl"] as const)
    expect(await drawn(format)).not.toContain("\u001b");
});

test("T05 without colours a table holds no escape", async () => {
  for (const tty of [20, 0, 80]) {
    const text = await list({}, ["id"], [{ id: "1" }], { tty });
    expect(text).not.toContain("\u001b");
    expect(text).toContain("1");
  }
});
