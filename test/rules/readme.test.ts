/** The README says what is true: its map is the tree, its exit codes are those of errors.ts. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { exitCodes } from "../../src/errors.ts";
import { root } from "./sources.ts";

const rooms = readdirSync(join(root, "src")).filter((it) =>
  existsSync(join(root, "src", it, "README.md")),
);
const textOf = (room: string): string => readFileSync(join(root, "src", room, "README.md"), "utf8");

const readme = readFileSync(join(root, "README.md"), "utf8");

const mapped = readme
  .split("## Map")[1]
  ?.split("```")[1]
  ?.trim()
  .split("\n")
  .map((line) => line.split(/ {2,}/)[0]?.split(" ") ?? []);

test("the map has twelve lines, and names every part of src and nothing else", () => {
  const parts = readdirSync(join(root, "src"), { withFileTypes: true }).map(
    (it) => `src/${it.name}${it.isDirectory() ? "/" : ""}`,
  );
  expect(mapped).toHaveLength(12);
  expect(mapped?.flat().sort()).toEqual(["bin/msg.js", ...parts, "test/"].sort());
});

test("every exit code stands in the table, and no other", () => {
  const table = readme.split("## Exit codes")[1]?.split("##")[0] ?? "";
  const codes = [...table.matchAll(/\| (\d+) \|/g)].map(([, code]) => Number(code));
  expect(codes.sort((a, b) => a - b)).toEqual(
    [0, ...Object.values(exitCodes)].sort((a, b) => a - b),
  );
});

test("the first two commands are those that a fresh clone is tried with", () => {
  expect(readme).toContain(
    'npm ci && npx msg send --sandbox --to 01000000001 --from 0200000000 --text "안녕하세요"',
  );
  expect(readme).toContain("npm ci && npm test");
});

test("the README fits on a page or two, and those of the rooms on one", () => {
  expect(readme.split("\n").length).toBeLessThanOrEqual(125);
  const lines = rooms.map((it) => [it, textOf(it).trimEnd().split("\n").length] as const);
  expect(lines.length).toBeGreaterThanOrEqual(6);
  expect(lines.filter(([, count]) => count > 80)).toEqual([]);
});

test.each(rooms)("where a change in %s goes, there is a file", (room) => {
  const places = textOf(room).split("## Where a change goes")[1] ?? "";
  const paths = [...places.matchAll(/`([\w./-]+(?:\.ts|\/))`/g)].map(([, path = ""]) => path);
  const missing = paths.filter((path) =>
    [room, "."].every((folder) => !existsSync(join(root, "src", folder, path))),
  );
  expect(paths).not.toEqual([]);
  expect(missing).toEqual([]);
});
