/** Who may import whom (levels of the folders), no cycles, one folder per package. */
import { describe, expect, test } from "vitest";
import { type Import, importsOf, packageOf } from "./imports.ts";
import { sourceOf, sourcesIn } from "./sources.ts";

const everything = [
  "errors",
  "version",
  "contract",
  "message",
  "durable",
  "client",
  "config",
  "output",
  "prompt",
  "sandbox",
  "bulk",
  "reconcile",
  "commands",
  "connect",
  "context",
  "process",
];

/** Folder or root file → what it may import at run time and as types. Its own folder always. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  errors: [],
  version: [],
  contract: [],
  message: ["errors", "contract"],
  durable: ["errors", "contract"],
  client: ["errors", "version", "contract", "message", "durable"],
  config: ["errors", "contract", "message", "durable"],
  output: ["errors", "contract", "message", "durable"],
  prompt: ["errors", "contract", "message", "durable"],
  sandbox: ["errors", "contract", "message", "durable"],
  bulk: ["errors", "contract", "message", "durable", "client"],
  reconcile: ["errors", "contract", "durable", "bulk"],
  commands: [
    "errors",
    "version",
    "contract",
    "message",
    "durable",
    "client",
    "config",
    "output",
    "prompt",
    "bulk",
    "reconcile",
  ],
  connect: everything,
  context: everything,
  process: ["config", "errors", "prompt"],
  main: everything,
};

/** Folder → what it may import beyond that as types only. */
const allowedTypes: Readonly<Record<string, readonly string[]>> = {
  bulk: ["client"],
  reconcile: ["client", "context"],
  commands: ["context"],
};

/** Single edges that cross the levels, each with its reason. */
const edges: readonly { readonly from: RegExp; readonly to: string; readonly typeOnly: boolean }[] =
  [
    // A setting names the output formats, and output alone knows them.
    { from: /^src\/config\/settings\.ts$/, to: "src/output/view.ts", typeOnly: true },
    // The commands that start and steer a sandbox open it themselves, by its door.
    { from: /^src\/commands\/sandbox\//, to: "src/sandbox/index.ts", typeOnly: false },
  ];

/** The only readers of the whole contract: any other command would load every area's schemas. */
const wholeContract = /^src\/(sandbox\/|commands\/(api|commands|completion|auth\/can)\.ts$)/;

/** Package → the one place that imports it. `valibot` is the language of the contract, and everywhere. */
const owners: Readonly<Record<string, string>> = {
  undici: "src/client/",
  "@inquirer/prompts": "src/prompt/",
  "@inquirer/core": "src/prompt/",
  "cli-table3": "src/output/",
  chalk: "src/output/",
  "fast-string-width": "src/output/",
  conf: "src/config/",
  libsql: "src/sandbox/store/",
  "node:sqlite": "src/sandbox/store/",
  "iconv-lite": "src/bulk/",
  commander: "src/commands/",
  "@valibot/to-json-schema": "src/commands/",
};

const areaOf = (path: string): string => path.replace(/^src\//, "").replace(/(\/.*|\.ts)$/, "");

const outOfLevel = (it: Import): boolean => {
  const from = areaOf(it.from);
  const to = areaOf(it.to);
  if (from === to || allowed[from]?.includes(to)) return false;
  if (it.typeOnly && allowedTypes[from]?.includes(to)) return false;
  return !edges.some(
    (edge) => edge.from.test(it.from) && edge.to === it.to && (it.typeOnly || !edge.typeOnly),
  );
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
  ...new Set(packages.map((it) => areaOf(it.from))),
];

const imports = sourcesIn("src").flatMap(importsOf);
const ours = imports.filter((it) => it.ours);
const packages = imports.filter((it) => !it.ours && it.to !== "valibot");

describe("levels", () => {
  test("every folder and root file of src has a level", () => {
    const areas = new Set(sourcesIn("src").map((it) => areaOf(it.path)));
    expect([...areas].filter((it) => !(it in allowed))).toEqual([]);
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

  test("no cycles, types included", () => {
    // The context is built from everything and everything above it sees its type: the one meeting point.
    const edgesOfCycles = ours.filter((it) => !(it.typeOnly && it.to === "src/context.ts"));
    expect(cycleIn(edgesOfCycles)).toEqual([]);
  });

  test("the rules see a wrong import, a type import and a cycle", () => {
    const bad = (path: string, text: string) => importsOf(sourceOf(path, text));
    const [up] = bad("src/message/a.ts", 'import type { Client } from "../client/client.ts";');
    expect(up && outOfLevel(up)).toBe(true);
    const [lazy] = bad("src/commands/a.ts", 'const open = () => import("../sandbox/index.ts");');
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

  test("a package is used by its public door", () => {
    const inside = packages.filter((it) => /\/(lib|dist|src|build)\//.test(it.to));
    expect(inside.map(show)).toEqual([]);
  });

  test("built-in modules are imported by their node: name", () => {
    const bare = packages.filter((it) =>
      ["fs", "path", "crypto", "os", "stream", "http", "net", "url", "util"].includes(it.to),
    );
    expect(bare.map(show)).toEqual([]);
  });

  test("the file system is touched by the folders that own files", () => {
    const files = /^src\/(durable|config|bulk|sandbox\/store)\/|^src\/(output\/files|context)\.ts$/;
    const users = packages.filter((it) => /^node:fs\b/.test(it.to) && !files.test(it.from));
    expect(users.map(show)).toEqual([]);
  });
});
