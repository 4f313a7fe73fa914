/** Every dialogue of this folder, run as it stands. */
import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { patternOf, runTranscript, stepsOf } from "../support/transcript.ts";

const folder = new URL(".", import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith(".txt"));

test.each(files)("%s", async (name) => {
  await runTranscript(new URL(name, folder).pathname);
});

test("a transcript is read as commands, output, exit code, errors and remarks", () => {
  const text = "# Title\n\n$ msg a | cat\none\t…\n\n# Remark\n$ msg b\n[2] stderr: wrong\n…\n";
  expect(stepsOf(text)).toEqual([
    { line: 3, command: "msg a | cat", out: ["one\t…"], code: 0, err: undefined },
    { line: 7, command: "msg b", out: [], code: 2, err: ["wrong", "…"] },
  ]);
});

test("what differs from a transcript fails it", async () => {
  expect(patternOf(["a … c", "…", "d"]).test("a b c\nx\ny\nd\n")).toBe(true);
  expect(patternOf(["a … c"]).test("a b d\n")).toBe(false);
  expect(patternOf(["a"]).test("a\nb\n")).toBe(false);
  expect(patternOf([]).test("a\n")).toBe(false);
});
