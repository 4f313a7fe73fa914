/** The source files as the rules see them: text, lines, syntax tree, imports. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseAst } from "vitest/node";

export const root = fileURLToPath(new URL("../..", import.meta.url));

/** A node of the syntax tree; its members depend on its type and are read with `nodeAt` and `text`. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [member: string]: unknown;
}

export interface Source {
  /** From the root of the project, with slashes. */
  readonly path: string;
  readonly text: string;
  readonly lines: number;
  readonly program: Node;
}

/** Reads one text as a source file; rules are tried on small wrong examples with it. */
export const sourceOf = (path: string, text: string): Source => {
  const program: unknown = parseAst(text, { lang: "ts" });
  if (!isNode(program)) throw new Error(`${path} has no syntax tree`);
  return { path, text, lines: text.split("\n").length - (text.endsWith("\n") ? 1 : 0), program };
};

/** The paths of all files below a folder, with slashes. */
export const filesIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((it) => it.isFile())
    .map((it) => join(it.parentPath, it.name).slice(root.length).replaceAll("\\", "/"))
    .sort();

/** Every TypeScript file below a folder, parsed; declarations alone are for the compiler only. */
export const sourcesIn = (folder: string): Source[] => {
  const found = parsed.get(folder) ?? parse(folder);
  parsed.set(folder, found);
  return [...found];
};

/** Of each folder: several rules look at the same one. */
const parsed = new Map<string, readonly Source[]>();

const parse = (folder: string): readonly Source[] =>
  filesIn(folder)
    .filter((path) => /(?<!\.d)\.ts$/.test(path))
    .map((path) => sourceOf(path, readFileSync(join(root, path), "utf8")));

/** Visits every node, parents first; `above` is the way down to it, and right during the visit alone. */
export const walk = (
  node: Node,
  visit: (node: Node, above: readonly Node[]) => void,
  above: Node[] = [],
): void => {
  visit(node, above);
  above.push(node);
  for (const member of Object.values(node)) {
    if (isNode(member)) walk(member, visit, above);
    else if (Array.isArray(member)) for (const it of member) if (isNode(it)) walk(it, visit, above);
  }
  above.pop();
};

/** All nodes that fit, each as `path:line`, for messages that can be clicked. */
export const places = (
  source: Source,
  fits: (node: Node, above: readonly Node[]) => boolean,
): string[] => {
  const found: string[] = [];
  walk(source.program, (node, above) => {
    if (fits(node, above)) found.push(`${source.path}:${lineAt(source, node.start)}`);
  });
  return found;
};

export const lineAt = (source: Source, offset: number): number =>
  source.text.slice(0, offset).split("\n").length;

export const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value && "start" in value;

/** A member that is a node, or undefined. */
export const nodeAt = (node: Node | undefined, member: string): Node | undefined => {
  const value = node?.[member];
  return isNode(value) ? value : undefined;
};

/** The name of an identifier, or the text of a literal; undefined for anything else. */
export const nameOf = (node: Node | undefined): string | undefined => {
  const value =
    node?.type === "Identifier" ? node.name : node?.type === "Literal" ? node.value : undefined;
  return typeof value === "string" ? value : undefined;
};
