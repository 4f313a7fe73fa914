/** A verb's file is its path on the command line, and nothing is exported for tests alone. */
import { posix } from "node:path";
import { expect, test } from "vitest";
import { table } from "../../src/commands/table.ts";
import { importsOf } from "./imports.ts";
import {
  isNode,
  type Node,
  nameOf,
  nodeAt,
  type Source,
  sourceOf,
  sourcesIn,
  walk,
} from "./sources.ts";

const src = sourcesIn("src");

const listOf = (value: unknown): readonly Node[] =>
  Array.isArray(value) ? value.filter(isNode) : [];

/** Names of functions, classes and constants that a file exports, with `default` for a verb. */
const exportsOf = (source: Source): string[] => {
  const names: (string | undefined)[] = [];
  for (const node of listOf(source.program.body)) {
    if (node.type === "ExportDefaultDeclaration") names.push("default");
    if (node.type !== "ExportNamedDeclaration" || node.exportKind === "type") continue;
    const declaration = nodeAt(node, "declaration");
    if (declaration?.type === "FunctionDeclaration" || declaration?.type === "ClassDeclaration")
      names.push(nameOf(nodeAt(declaration, "id")));
    for (const it of listOf(declaration?.declarations)) names.push(nameOf(nodeAt(it, "id")));
  }
  return names.filter((name) => name !== undefined);
};

/** `path name` of everything that a file takes from other files; of a file loaded late, any name in it. */
const takenBy = (source: Source): string[] => {
  const taken: string[] = [];
  walk(source.program, (node) => {
    const specifier = nameOf(nodeAt(node, "source"));
    if (!specifier?.startsWith(".")) return;
    const path = posix.join(posix.dirname(source.path), specifier);
    for (const it of listOf(node.specifiers)) {
      // `import * as` takes everything: what of it is named nowhere else is needless all the same.
      if (it.type === "ImportNamespaceSpecifier") taken.push(`${path} *`);
      // `import { a as b }` and `export { a as b } from` name what they take in different places.
      const name = nameOf(nodeAt(it, "imported")) ?? nameOf(nodeAt(it, "local")) ?? "";
      taken.push(`${path} ${name}`);
    }
    if (node.type === "ImportExpression")
      taken.push(...namesOf(source).map((name) => `${path} ${name}`), `${path} default`);
  });
  return taken;
};

const namesOf = (source: Source): readonly string[] => {
  const names = new Set<string>();
  walk(source.program, (node) => {
    const name = node.type === "Identifier" ? nameOf(node) : undefined;
    if (name !== undefined) names.add(name);
  });
  return [...names];
};

/** How often each name stands in the sources: once is its declaration alone. */
const occurrences = (sources: readonly Source[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const source of sources)
    walk(source.program, (node) => {
      const name = node.type === "Identifier" ? nameOf(node) : undefined;
      if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
    });
  return counts;
};

/** Exports that no file takes, and those that only tests use: a test may look at what src uses itself. */
const needlessIn = (sources: readonly Source[], tests: readonly Source[] = []) => {
  const taken = new Set([...sources, ...tests].flatMap(takenBy));
  const isTaken = (path: string, name: string): boolean =>
    taken.has(`${path} ${name}`) || taken.has(`${path} *`);
  const counts = occurrences(sources);
  return sources.flatMap((it) =>
    exportsOf(it)
      .filter((name) => !isTaken(it.path, name) || counts.get(name) === 1)
      .map((name) => `${it.path} ${name}`),
  );
};

/** The file of each command: its words are its path. */
const verbFiles = Object.keys(table).map(
  (words) => `src/commands/${words.replaceAll(" ", "/")}.ts`,
);

test("every command of the table has its file, and every verb is in the table", () => {
  const verbs = src.filter(
    (it) => it.path.startsWith("src/commands/") && exportsOf(it).includes("default"),
  );
  expect(verbs.map((it) => it.path).sort()).toEqual(verbFiles.sort());
});

test("every file of src is reached from main", () => {
  const targets = new Map(
    src.map((it) => [
      it.path,
      importsOf(it)
        .filter((to) => to.ours)
        .map((to) => to.to),
    ]),
  );
  const reached = new Set(["src/main.ts", ...verbFiles]);
  for (const path of reached) for (const next of targets.get(path) ?? []) reached.add(next);
  expect(
    src.map((it) => it.path).filter((path) => !reached.has(path) && !path.endsWith(".d.ts")),
  ).toEqual([]);
});

test("nothing is exported that no other file takes, or that tests alone use", () => {
  // The door that bin/msg.js calls, and the specification's table.
  const known = /^src\/(main\.ts run|contract\/needs\.ts .*)$/;
  // A record of all commands stands for each of them.
  const verb = /^src\/commands\/.* default$/;
  const needless = needlessIn(src, sourcesIn("test"));
  expect(needless.filter((it) => !known.test(it) && !verb.test(it))).toEqual([]);
  const one = sourceOf("a.ts", "export const used = 1;\nexport function own() { return used; }");
  const two = sourceOf("b.ts", 'import { used as it } from "./a.ts";\nit(own);');
  expect(needlessIn([one, two])).toEqual(["a.ts own"]);
  const late = sourceOf("b.ts", 'const { used, own } = await import("./a.ts");\nused(own);');
  expect(needlessIn([one, late])).toEqual([]);
  const tests = [sourceOf("t.ts", 'import { used, own } from "./a.ts";')];
  expect(needlessIn([one], tests)).toEqual(["a.ts own"]);
});
