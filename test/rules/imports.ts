/** What a file imports: its own files and packages, types included. */
import { posix } from "node:path";
import { type Node, nameOf, nodeAt, type Source, walk } from "./sources.ts";

export interface Import {
  readonly from: string;
  /** A path of the project for `./x.ts`, else the specifier as written. */
  readonly to: string;
  readonly ours: boolean;
  /** True where nothing is left of it at run time. */
  readonly typeOnly: boolean;
  /** True where it is loaded when it is needed. */
  readonly late: boolean;
}

/** Static, dynamic and type imports and re-exports of a file. */
export const importsOf = (source: Source): Import[] => {
  const found: Import[] = [];
  walk(source.program, (node) => {
    const specifier = specifierOf(node);
    if (specifier === undefined) return;
    const ours = specifier.startsWith(".");
    const late = node.type === "ImportExpression";
    const to = ours ? posix.join(posix.dirname(source.path), specifier) : specifier;
    found.push({ from: source.path, to, ours, typeOnly: isTypeOnly(node), late });
  });
  return found;
};

/** The package of a specifier: `libsql/x` → `libsql`, `@hono/node-server` as it is. */
export const packageOf = (specifier: string): string =>
  specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");

const withSource = [
  "ImportDeclaration",
  "ExportNamedDeclaration",
  "ExportAllDeclaration",
  "ImportExpression",
  "TSImportType",
];

const specifierOf = (node: Node): string | undefined =>
  withSource.includes(node.type)
    ? (nameOf(nodeAt(node, "source")) ?? nameOf(nodeAt(node, "argument")))
    : undefined;

const isTypeOnly = (node: Node): boolean => {
  if (node.type === "TSImportType") return true;
  if (node.importKind === "type" || node.exportKind === "type") return true;
  const names = node.specifiers;
  return (
    Array.isArray(names) &&
    names.length > 0 &&
    names.every((it: Node) => it.importKind === "type" || it.exportKind === "type")
  );
};
