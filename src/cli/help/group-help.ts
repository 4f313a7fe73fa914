/**
 * How help is laid out; and the help of `msg` and of a group of commands, printed from the table alone,
 * without loading a command.
 */
import type { CommandTable } from "../command.ts";
import { type GlobalFlag, globalFlags } from "../parse/globals.ts";

/** The help of `msg`, or of the group that the words name. */
export const renderGroupHelp = ({ table, groups }: CommandTable, path: string): string => {
  const depth = path === "" ? 0 : path.split(" ").length;
  const prefix = path === "" ? "" : `${path} `;
  const below = Object.entries(table).filter(([name, it]) => name.startsWith(prefix) && !it.hidden);
  const names = [
    ...new Set(
      below.map(([name]) =>
        name
          .split(" ")
          .slice(0, depth + 1)
          .join(" "),
      ),
    ),
  ];
  const lines = names.map((name): [string, string] => [
    name,
    table[name]?.summary ?? groups[name] ?? "",
  ]);
  const title = groups[path] ?? "Operate an account of a messaging service";
  return joinSections([
    [`${title}.`],
    ["Usage", `  msg ${prefix}<command> [flags]`],
    ["Commands", ...alignColumns(lines)],
    ...(path === ""
      ? [["Flags of every command", ...alignColumns(globalFlags.map(globalLine))]]
      : []),
    [`msg ${prefix}<command> --help shows one command.`],
  ]);
};

const globalLine = (flag: GlobalFlag): [string, string] => [
  `${flag.short ? `-${flag.short}, ` : "    "}--${flag.name}${flag.value ? ` <${flag.value}>` : ""}`,
  flag.description,
];

/** Two columns, the second one below itself. */
export const alignColumns = (lines: readonly (readonly [string, string])[]): string[] => {
  const width = Math.max(...lines.map(([left]) => left.length));
  return lines.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`.trimEnd());
};

/** Parts, each of its lines, with an empty line between two. */
export const joinSections = (parts: readonly (readonly string[])[]): string =>
  `${parts.map((lines) => lines.join("\n")).join("\n\n")}\n`;
