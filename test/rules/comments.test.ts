/** Comments give the reason itself: a clone has no other documents than its own. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { filesIn, root } from "./sources.ts";

/** Names of documents, and marks of a source outside the repository. */
const pointer =
  /\b(sending|sandbox|spec|performance|reliability|cli|style|design|glossary)\.md\b|\bfacts\/[a-z]|\bspecification [0-9]|\b(finding|facts) [0-9]|\[(spec|docs|sdk)[ \d.\]]/;

/** A fact of the service may name its source where nothing else explains it. */
const maxPointers = 10;

const pointersIn = (folder: string): string[] =>
  filesIn(folder)
    .filter((path) => /\.(ts|js|css|sql|md)$/.test(path) && path !== "test/rules/comments.test.ts")
    .flatMap((path) =>
      readFileSync(join(root, path), "utf8")
        .split("\n")
        .flatMap((line, at) => (pointer.test(line) ? [`${path}:${at + 1}`] : [])),
    );

test("src points to at most 10 places outside the repository, and test to none", () => {
  const src = pointersIn("src");
  expect(src.length, src.join("\n")).toBeLessThanOrEqual(maxPointers);
  expect(pointersIn("test")).toEqual([]);
});

test.each(["sending.md 3", "facts/auth-cash 2.5", "specification 4.3", "finding 13", "[spec 5.4]"])(
  "%s would be found",
  (text) => {
    expect(pointer.test(text)).toBe(true);
  },
);
