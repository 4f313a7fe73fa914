/** Every dialogue of this folder, run as it stands. */
import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { patternOf, runTranscript, stepsOf } from "./transcript.ts";

const folder = new URL(".", import.meta.url);
const filesIn = (place: URL) => readdirSync(place).filter((name) => name.endsWith(".txt"));

test.each(filesIn(folder))("%s", async (name) => {
  await runTranscript(new URL(name, folder).pathname);
});

const inKorean = new URL("ko/", folder);

test.each(filesIn(inKorean))("ko/%s", async (name) => {
  await runTranscript(new URL(name, inKorean).pathname, { MSG_LANG: "ko" });
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
