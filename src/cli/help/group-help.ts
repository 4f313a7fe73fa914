/**
 * The help of `msg` and of a group of commands, printed from the table alone: it is shown without
 * loading a command, or what reads one.
 */

import type { CommandTable } from "../command.ts";
import { type GlobalFlag, globalFlags } from "../parse/globals.ts";
import { alignColumns, joinSections } from "./help-lines.ts";

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
