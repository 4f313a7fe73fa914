/** Who may import whom (levels of the folders), no cycles, one folder per package. */
import { describe, expect, test } from "vitest";
import { type Import, importsOf, packageOf } from "./imports.ts";
import { sourceOf, sourcesIn } from "./sources.ts";

/**
 * Folder or root file of src → its level. A file imports only what lies below its own level, and its
 * own folder. Two sub-folders have a level of their own, since what lies between needs them.
 */
const level: Readonly<Record<string, number>> = {
  // Every sentence is said through it, those of errors as well.
  locale: -1,
  errors: 0,
  version: 0,
  json: 0,
  markup: 0,
  contract: 0,
  message: 1,
  durable: 1,
  // Pure: the machine knows the contract alone.
  "send/protocol": 1,
  output: 2,
  client: 3,
  config: 3,
  prompt: 3,
  sandbox: 3,
  // What the engines are handed; names types of level 3.
  ports: 4,
  session: 5,
  "send/store": 5,
  send: 6,
  // What an operator decides, and money: both stand on the protocol of a send.
  reconcile: 7,
  payments: 8,
  cli: 10,
  mcp: 11,
  commands: 12,
  app: 13,
  main: 14,
};

/** The command framework knows neither engines nor verbs: what moves money is handed to it. */
const highestOfCli = 4;

/** Who opens the sandbox: the composition root, and the commands that start and steer one. */
const opensSandbox = /^src\/(app|commands\/sandbox)\//;

/** The only readers of the whole contract: any other command would load every area's schemas. */
const wholeContract =
  /^src\/(sandbox\/|cli\/api\/|commands\/(api|commands|completion|auth\/can)\.ts$)/;

/** What only documents of the sandbox need: its sheets, its pages and their Korean. */
const documents = /^src\/(output\/workbook|sandbox\/pages\/index)\.ts$|^src\/locale\/ko\//;

/** Package → the one place that imports it. `valibot` is the language of the contract, and everywhere. */
const owners: Readonly<Record<string, string>> = {
  "@inquirer/core": "src/prompt/",
  "@inquirer/input": "src/prompt/",
  "@inquirer/password": "src/prompt/",
  "cli-table3": "src/output/",
  chalk: "src/output/",
  "fast-string-width": "src/output/",
  fflate: "src/output/",
  conf: "src/config/",
  libsql: "src/sandbox/store/",
  "node:sqlite": "src/sandbox/store/",
  "iconv-lite": "src/send/sources/",
  "@modelcontextprotocol/sdk": "src/mcp/",
  commander: "src/cli/",
  "@valibot/to-json-schema": "src/cli/api/",
};

const areaOf = (path: string): string => {
  const [first = "", second, ...rest] = path.replace(/^src\//, "").split("/");
  const inner = `${first}/${second}`;
  return rest.length > 0 && inner in level ? inner : first.replace(/\.ts$/, "");
};

/** The folder of src that a file stands in. */
const roomOf = (path: string): string => areaOf(path).replace(/\/.*/, "");

const outOfLevel = (it: Import): boolean => {
  const from = areaOf(it.from);
  const to = areaOf(it.to);
  if (from === to) return false;
  if (to === "sandbox") return it.to !== "src/sandbox/index.ts" || !opensSandbox.test(it.from);
  const highest = from === "cli" ? highestOfCli : (level[from] ?? Number.NEGATIVE_INFINITY) - 1;
  return (level[to] ?? Number.POSITIVE_INFINITY) > highest;
};

const show = (it: Import): string => `${it.from} imports ${it.to}${it.typeOnly ? " (types)" : ""}`;

const groupedBy = (
  imports: readonly Import[],
  key: (it: Import) => string,
): Map<string, Import[]> => {
  const groups = new Map<string, Import[]>();
  for (const it of imports) groups.set(key(it), [...(groups.get(key(it)) ?? []), it]);
  return groups;
};

/** The files of the first cycle that is found, in order, or none. */
const cycleIn = (imports: readonly Import[]): readonly string[] => {
  const next = groupedBy(imports, (it) => it.from);
  const done = new Set<string>();
  const visit = (file: string, way: readonly string[]): readonly string[] => {
    if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
    if (done.has(file)) return [];
    for (const { to } of next.get(file) ?? []) {
      const found = visit(to, [...way, file]);
      if (found.length > 0) return found;
    }
    done.add(file);
    return [];
  };
  for (const file of next.keys()) {
    const found = visit(file, []);
    if (found.length > 0) return found;
  }
  return [];
};

const foldersOf = (packages: readonly Import[]): string[] => [
  ...new Set(packages.map((it) => roomOf(it.from))),
];

const sources = sourcesIn("src").filter((it) => !it.path.endsWith(".d.ts"));
const imports = sources.flatMap(importsOf);
const ours = imports.filter((it) => it.ours);
const packages = imports.filter((it) => !it.ours && it.to !== "valibot");

describe("levels", () => {
  test("every folder and root file of src has a level", () => {
    const areas = new Set(sources.map((it) => areaOf(it.path)));
    expect([...areas].filter((it) => !(it in level))).toEqual([]);
  });

  test("a folder imports only what lies below it", () => {
    expect(ours.filter(outOfLevel).map(show)).toEqual([]);
  });

  test("nothing imports main", () => {
    expect(ours.filter((it) => it.to === "src/main.ts").map(show)).toEqual([]);
  });

  test("the whole contract is read by the sandbox and the tools that list it alone", () => {
    const readers = ours.filter((it) => it.to === "src/contract/index.ts" && !it.typeOnly);
    expect(readers.filter((it) => !wholeContract.test(it.from)).map(show)).toEqual([]);
  });

  test("a sandbox is ready before what only documents need is loaded", () => {
    const early = ours.filter((it) => !it.late && !it.typeOnly);
    const loaded = new Set(["src/sandbox/index.ts", "src/sandbox/http/server.ts"]);
    for (const file of loaded)
      for (const { to } of early.filter(({ from }) => from === file)) loaded.add(to);
    expect([...loaded].filter((it) => documents.test(it))).toEqual([]);
  });

  test("no cycles, types included", () => {
    expect(cycleIn(ours)).toEqual([]);
  });

  test("the rules see a wrong import, a type import and a cycle", () => {
    const bad = (path: string, text: string) => importsOf(sourceOf(path, text));
    const [up] = bad("src/message/a.ts", 'import type { Client } from "../client/client.ts";');
    expect(up && outOfLevel(up)).toBe(true);
    const [lazy] = bad("src/send/a.ts", 'const open = () => import("../sandbox/index.ts");');
    expect(lazy && outOfLevel(lazy)).toBe(true);
    const both = [
      ...bad("src/a.ts", 'export { b } from "./b.ts";'),
      ...bad("src/b.ts", 'type A = import("./a.ts").A;'),
    ];
    expect(cycleIn(both)).toEqual(["src/a.ts", "src/b.ts", "src/a.ts"]);
  });
});

describe("packages", () => {
  test("a package is imported where it belongs", () => {
    const strayed = packages.filter((it) => {
      const owner = owners[it.to] ?? owners[packageOf(it.to)];
      return owner !== undefined && !it.from.startsWith(owner);
    });
    expect(strayed.map(show)).toEqual([]);
  });

  test("a package without a place in the table is imported in one folder", () => {
    const others = packages.filter((it) => !it.to.startsWith("node:"));
    const byPackage = [...groupedBy(others, (it) => packageOf(it.to))];
    const spread = byPackage.filter(([, users]) => foldersOf(users).length > 1);
    expect(spread.map(([name, users]) => `${name}: ${foldersOf(users).join(", ")}`)).toEqual([]);
  });

  test("built-in modules are imported by their node: name", () => {
    const bare = packages.filter((it) =>
      ["fs", "path", "crypto", "os", "stream", "http", "net", "url", "util"].includes(it.to),
    );
    expect(bare.map(show)).toEqual([]);
  });

  test("the file system is touched by the folders that own files", () => {
    const files =
      /^src\/(durable|config|sandbox\/store)\/|^src\/(output\/save-file|send\/sources\/open-source)\.ts$/;
    const users = packages.filter((it) => /^node:fs\b/.test(it.to) && !files.test(it.from));
    expect(users.map(show)).toEqual([]);
  });
});
