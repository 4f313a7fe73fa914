/** State and surroundings are handed in: no hidden globals, no module-level `let`, no casts. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  filesIn,
  isNode,
  type Node,
  nameOf,
  nodeAt,
  places,
  root,
  type Source,
  sourceOf,
  sourcesIn,
  walk,
} from "./sources.ts";

const src = sourcesIn("src");

/** The process is taken apart in one file. */
const surroundings = /^src\/app\/process\.ts$/;

/** Global → the files that own it. Everybody else gets what they need as an argument. */
const owners: Readonly<Record<string, readonly RegExp[]>> = {
  process: [surroundings],
  console: [],
  fetch: [],
  setTimeout: [surroundings],
  setInterval: [surroundings],
  "Date.now": [surroundings],
  "new Date()": [surroundings],
  "performance.now": [surroundings],
  "Math.random": [],
  eval: [],
  Function: [],
};

/** The modules behind the same globals. */
const modules = ["node:process", "node:timers", "node:timers/promises", "node:console"];

const isMemberName = (node: Node, above: readonly Node[]): boolean => {
  const parent = above.at(-1);
  if (parent?.computed === true) return false;
  return nodeAt(parent, "property") === node || nodeAt(parent, "key") === node;
};

const inType = (above: readonly Node[]): boolean =>
  above.some((it) => it.type.startsWith("TS") && !it.type.endsWith("Expression"));

/** The name of the global that a node reads, if it is one of the table's. */
const globalAt = (node: Node, above: readonly Node[]): string | undefined => {
  if (inType(above)) return undefined;
  if (
    node.type === "NewExpression" &&
    nameOf(nodeAt(node, "callee")) === "Date" &&
    emptyList(node.arguments)
  )
    return "new Date()";
  if (node.type === "MemberExpression")
    return [nameOf(nodeAt(node, "object")), nameOf(nodeAt(node, "property"))].join(".");
  return node.type === "Identifier" && !isMemberName(node, above) ? nameOf(node) : undefined;
};

const emptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

const strayGlobals = (source: Source): string[] => {
  const local = localNames(source);
  return places(source, (node, above) => {
    const found = globalAt(node, above);
    const mine = found !== undefined && Object.hasOwn(owners, found) ? owners[found] : undefined;
    return (
      mine !== undefined && !local.has(found ?? "") && !mine.some((it) => it.test(source.path))
    );
  });
};

/** Names that a file declares, imports or takes as parameters: an argument called `process` is no global. */
const localNames = (source: Source): ReadonlySet<string> => {
  const names = new Set<string>();
  walk(source.program, (node) => {
    for (const pattern of declaredBy(node)) for (const name of namesIn(pattern)) names.add(name);
  });
  return names;
};

const declaredBy = (node: Node): readonly Node[] => {
  if (node.type === "VariableDeclarator") return [nodeAt(node, "id")].filter(isNode);
  if (node.type.startsWith("Import")) return [nodeAt(node, "local")].filter(isNode);
  return Array.isArray(node.params) ? node.params.filter(isNode) : [];
};

const namesIn = (pattern: Node): readonly string[] => {
  const names: string[] = [];
  walk(pattern, (node, above) => {
    const isKey = nodeAt(above.at(-1), "key") === node && nodeAt(above.at(-1), "value") !== node;
    const isDefault = above.some(
      (it) => it.type === "AssignmentPattern" && nodeAt(it, "right") === node,
    );
    const name = nameOf(node);
    if (node.type === "Identifier" && name !== undefined && !isKey && !isDefault && !inType(above))
      names.push(name);
  });
  return names;
};

/** Casts that stand for a check that the compiler cannot follow: file → how many, and why. */
const casts: Readonly<Record<string, readonly [count: number, why: string]>> = {
  "src/client/codec.ts": [
    2,
    "where the type of an input ends and that of a reply begins: answers are not validated",
  ],
  "src/client/pages.ts": [1, "where the type of a row begins, as that of a reply does"],
  "src/contract/endpoint.ts": [1, "Object.fromEntries forgets the names of the members"],
  "src/contract/fields.ts": [1, "Object.fromEntries forgets the names of the members"],
  "src/cli/command.ts": [2, "the types of a declaration end where the machinery takes it over"],
  "src/cli/parse/input.ts": [1, "the input of an endpoint that is known only as a value"],
  "src/send/messages/message-flags.ts": [1, "Object.fromEntries forgets the names of the members"],
  "src/contract/message-records.ts": [1, "toLowerCase forgets literal types"],
  "src/output/columns.ts": [
    1,
    "columns are declared for the rows that the same command hands over",
  ],
  "src/sandbox/router.ts": [1, "dispatch: the one place where a name becomes a function"],
  "src/sandbox/store/driver.ts": [
    3,
    "two database engines behind one interface; rows have the shape of their query",
  ],
};

const isCast = (node: Node): boolean => {
  if (node.type === "TSTypeAssertion" || node.type === "TSNonNullExpression") return true;
  return (
    node.type === "TSAsExpression" &&
    nameOf(nodeAt(nodeAt(node, "typeAnnotation"), "typeName")) !== "const"
  );
};

const moduleLet = (node: Node, above: readonly Node[]): boolean =>
  node.type === "VariableDeclaration" &&
  node.kind !== "const" &&
  node.declare !== true &&
  above.every((it) => it.type === "Program" || it.type === "ExportNamedDeclaration");

describe("surroundings", () => {
  test("globals of the process appear only where they are owned", () => {
    expect(src.flatMap(strayGlobals)).toEqual([]);
  });

  test("nor do the modules behind them", () => {
    const users = src.filter((it) => modules.some((name) => it.text.includes(`"${name}"`)));
    expect(users.map((it) => it.path).filter((path) => !surroundings.test(path))).toEqual([]);
  });

  test("the flags of V8 are left as they are", () => {
    const flagged = ["src", "bin"].flatMap(filesIn).concat(".build.mjs");
    const setting = flagged.filter((path) =>
      readFileSync(join(root, path), "utf8").includes("setFlagsFromString"),
    );
    expect(setting).toEqual([]);
  });

  test("no state at the level of a module", () => {
    expect(src.flatMap((it) => places(it, moduleLet))).toEqual([]);
  });

  test("the rules see each of these", () => {
    const bad = sourceOf(
      "src/a.ts",
      "let n = 1;\nconst t = Date.now();\nconst d = new Date();\nprocess.exit();",
    );
    expect(strayGlobals(bad)).toEqual(["src/a.ts:2", "src/a.ts:3", "src/a.ts:4"]);
    expect(places(bad, moduleLet)).toEqual(["src/a.ts:1"]);
    const handed = sourceOf(
      "src/a.ts",
      "const f = (process: P) => { const { fetch } = a; process.on(fetch); };",
    );
    expect(strayGlobals(handed)).toEqual([]);
    const good = sourceOf(
      "src/a.ts",
      "const a = { process: it.process };\ntype F = typeof fetch;\nconst d = new Date(0);",
    );
    expect(strayGlobals(good)).toEqual([]);
  });
});

describe("claims to the compiler", () => {
  test("casts stand only where the list says so, with a reason", () => {
    const counted = [...src, ...sourcesIn("test")]
      .map((it) => ({ path: it.path, found: places(it, isCast) }))
      .filter(({ path, found }) => found.length > (casts[path]?.[0] ?? 0));
    expect(counted.flatMap((it) => it.found)).toEqual([]);
  });

  test("the list of casts is not longer than the casts", () => {
    const unused = Object.entries(casts).filter(([path, [count]]) => {
      const source = src.find((it) => it.path === path);
      return !source || places(source, isCast).length < count;
    });
    expect(unused).toEqual([]);
  });

  test("no any, no default export beside the verbs, no export *", () => {
    const anyType = (node: Node) =>
      node.type === "TSAnyKeyword" || node.type === "ExportAllDeclaration";
    expect([...src, ...sourcesIn("test")].flatMap((it) => places(it, anyType))).toEqual([]);
    const defaults = src.filter(
      (it) => places(it, (node) => node.type === "ExportDefaultDeclaration").length > 0,
    );
    // A declaration file says what a library exports, not what we do.
    const ours = defaults.filter((it) => !it.path.endsWith(".d.ts"));
    expect(ours.map((it) => it.path).filter((path) => !path.startsWith("src/commands/"))).toEqual(
      [],
    );
  });

  test("the rules see a cast and leave `as const` alone", () => {
    const source = sourceOf(
      "a.ts",
      "const a = [1] as const;\nconst b = a as never;\nconst c = b!;",
    );
    expect(places(source, isCast)).toEqual(["a.ts:2", "a.ts:3"]);
  });
});
