/** Each help topic has its Korean, with the same commands, flags, codes and figures, and fits a terminal. */
import { expect, test } from "vitest";
import { wrapPage } from "../../../src/cli/help/group-help.ts";
import { topics } from "../../../src/cli/help/help-text.ts";
import { table } from "../../../src/commands/table.ts";
import { koreanTopics } from "../../../src/locale/ko/korean.ts";
import { runStates } from "../../../src/output/text/state-words.ts";
import { displayWidth } from "../../../src/output/text/width.ts";

const commands = Object.keys(table).sort((one, other) => other.length - one.length);

/** What is typed, and what programs read: flags, commands, variables, placeholders, codes, numbers. */
const wordsOf = (page: string): string[] => {
  const text = page.replace(/\s+/g, " ");
  const typed = [...text.matchAll(/(?=\bmsg ([a-z][a-z -]*))/g)].flatMap(
    ([, line = ""]) => commands.find((it) => `${line} `.startsWith(`${it} `)) ?? [],
  );
  const others = text.match(
    /--[a-z][a-z-]*|<[a-z|]+>|\b[A-Z]+_[A-Z_]+\b|\b[a-z]+_[a-z]+\b|(?<![\w.,])\d+(?:,\d{3})*(?![\w차])/g,
  );
  return [...new Set([...typed, ...(others ?? [])])].sort();
};

test.each(Object.keys(topics))("%s says the same in Korean", (name) => {
  expect(wordsOf(koreanTopics[name] ?? "")).toEqual(wordsOf(topics[name] ?? ""));
});

test("runs explains every state of a run", () => {
  for (const page of [topics.runs, koreanTopics.runs])
    expect([...(page ?? "").matchAll(/^ {2}([a-z]+) {2}/gm)].map(([, state]) => state)).toEqual(
      expect.arrayContaining([...runStates]),
    );
});

test("there is no Korean topic without an English one", () => {
  expect(Object.keys(koreanTopics).sort()).toEqual(Object.keys(topics).sort());
});

test.each([
  ...Object.entries(topics),
  ...Object.entries(koreanTopics).map(([name, page]) => [`${name} in Korean`, page] as const),
])("%s fits 80 columns, and narrower ones", (_name, page) => {
  const widths = (text: string) => text.split("\n").map(displayWidth);
  expect(Math.max(...widths(page))).toBeLessThanOrEqual(80);
  // Lines that are typed stay whole.
  const prose = wrapPage(page, 60)
    .split("\n")
    .filter((line) => !(line.startsWith(" ") && page.includes(`${line}\n`)));
  expect(Math.max(...prose.map(displayWidth))).toBeLessThanOrEqual(60);
});
