/** Size and names: short files, short functions, no drawers. */
import { basename, posix } from "node:path";
import { expect, test } from "vitest";
import {
  filesIn,
  lineAt,
  type Node,
  nodeAt,
  type Source,
  sourceOf,
  sourcesIn,
  walk,
} from "./sources.ts";

/** Pure tables of data, which are read by their keys and never from top to bottom. */
const table = /^src\/(commands\/table|.*-table|(.*\/)?schema[\w-]*)\.ts$/;

const max = {
  src: 300,
  test: 400,
  median: 102,
  files: 520,
  lines: 40,
  depth: 3,
  short: 25,
  inFolder: 12,
};

/** A file of fewer lines belongs into its one reader, unless it is a verb or a type that many read. */
const shortLines = 15;

/** Folders with more files: each file is one verb, area, rule, page or table of the same kind. */
const wideFolders =
  /^src\/(commands(\/.*)?|contract|locale\/ko|message|sandbox\/(handlers|rules|store|pages))$/;

const src = sourcesIn("src");

const tooLong = (sources: readonly Source[], limit: number): string[] =>
  sources
    .filter((it) => it.lines > limit && !table.test(it.path))
    .map((it) => `${it.path} has ${it.lines} lines`);

const functions = ["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"];

const longFunctions = (source: Source): string[] => {
  const found: string[] = [];
  walk(source.program, (node) => {
    if (!functions.includes(node.type)) return;
    const lines = lineAt(source, node.end) - lineAt(source, node.start) + 1;
    if (lines > max.lines)
      found.push(`${source.path}:${lineAt(source, node.start)} has ${lines} lines`);
  });
  return found;
};

const blocks = [
  "IfStatement",
  "ForStatement",
  "ForOfStatement",
  "ForInStatement",
  "WhileStatement",
  "DoWhileStatement",
  "SwitchStatement",
  "TryStatement",
];

/** Statements that nest inside one function; `else if` goes on at the same depth. */
const depthOf = (node: Node, above: readonly Node[]): number => {
  const start = above.findLastIndex((it) => functions.includes(it.type));
  const way = [...above.slice(start + 1), node];
  const nested = way.filter((it, at) => blocks.includes(it.type) && !isElseIf(it, way[at - 1]));
  return nested.length;
};

const isElseIf = (node: Node, parent: Node | undefined): boolean =>
  node.type === "IfStatement" &&
  parent?.type === "IfStatement" &&
  nodeAt(parent, "alternate") === node;

const deepBlocks = (source: Source): string[] => {
  const found: string[] = [];
  walk(source.program, (node, above) => {
    if (blocks.includes(node.type) && depthOf(node, above) > max.depth)
      found.push(`${source.path}:${lineAt(source, node.start)} nests ${depthOf(node, above)} deep`);
  });
  return found;
};

test("no file of src is longer than 300 lines", () => {
  expect(tooLong(src, max.src)).toEqual([]);
});

test("no file of test is longer than 400 lines", () => {
  expect(tooLong(sourcesIn("test"), max.test)).toEqual([]);
});

test("src has at most 520 files, and half of them have at most 102 lines", () => {
  const lines = src.map((it) => it.lines).sort((a, b) => a - b);
  expect(lines.length).toBeLessThanOrEqual(max.files);
  expect(lines[Math.floor(lines.length / 2)]).toBeLessThanOrEqual(max.median);
});

test("at most 25 files of src have fewer than 15 lines", () => {
  const short = src.filter((it) => it.lines < shortLines).map((it) => it.path);
  expect(short.length, short.join("\n")).toBeLessThanOrEqual(max.short);
});

test("a folder of src holds at most 12 files, but for folders whose files are of one kind", () => {
  const folders = filesIn("src").map((path) => posix.dirname(path));
  const wide = [...new Set(folders)].filter((folder) => {
    const count = folders.filter((it) => it === folder).length;
    return count > max.inFolder && !wideFolders.test(folder);
  });
  expect(wide).toEqual([]);
});

test("a function fits on a screen: at most 40 lines", () => {
  expect(src.flatMap(longFunctions)).toEqual([]);
  expect(longFunctions(sourceOf("a.ts", `const a = () => {${"\n".repeat(41)}};`))).toHaveLength(1);
});

test("statements nest at most three deep", () => {
  expect(src.flatMap(deepBlocks)).toEqual([]);
  const chain = sourceOf("a.ts", "if (a) b(); else if (c) d(); else if (e) f(); else if (g) h();");
  expect(deepBlocks(chain)).toEqual([]);
  const deep = sourceOf(
    "a.ts",
    "for (;;) { if (a) { while (b) { try { c(); } finally { d(); } } } }",
  );
  expect(deepBlocks(deep)).toEqual(["a.ts:1 nests 4 deep"]);
});

test("no file or folder is named like a drawer", () => {
  const drawers = ["lib", "utils", "util", "helpers", "helper", "common", "misc", "shared"];
  const named = [...filesIn("src"), ...filesIn("test")].filter((path) =>
    path.split("/").some((part) => drawers.includes(basename(part).replace(/\..*$/, ""))),
  );
  expect(named).toEqual([]);
});

test("a folder has at most one index, and it is in src", () => {
  const indexes = [...filesIn("src"), ...filesIn("test")].filter((path) =>
    /\/index\.ts$/.test(path),
  );
  expect(indexes.filter((path) => !/^src\/[a-z]+(\/[a-z]+)?\/index\.ts$/.test(path))).toEqual([]);
});

test("every file says in its first lines what it is for", () => {
  // A verb that is only a declaration says it in the table of commands.
  const silent = src.filter(
    (it) => !it.path.startsWith("src/commands/") && !/^\/[*/]/.test(it.text),
  );
  expect(silent.map((it) => it.path)).toEqual([]);
});
