/** The help of `msg` and of a group of commands, printed from the table alone, without loading a command. */
import { t, translated } from "../../locale/locale.ts";
import type { CommandTable } from "../command.ts";
import { type GlobalFlag, globalFlags } from "../parse/global-flags.ts";
import { alignColumns, asSentence, joinSections } from "./layout.ts";

/** Whether words name a command, or a group of commands. */
export const isCommandPath = ({ table }: CommandTable, path: string): boolean =>
  Object.hasOwn(table, path) || Object.keys(table).some((name) => name.startsWith(`${path} `));

const programSummary = "Operate an account of a messaging service";

/** The help of `msg`, or of the group that the words name, for a screen of this many columns. */
export const renderGroupHelp = (tree: CommandTable, path: string, columns: number): string => {
  const prefix = path === "" ? "" : `${path} `;
  const title = tree.groups[path] ?? programSummary;
  const commands = wordsBelow(tree, path).map(({ word, description }): [string, string] => [
    prefix + word,
    description,
  ]);
  return joinSections([
    asSentence(title, columns),
    [t`Usage`, `  msg ${prefix}<command> [flags]`],
    [t`Commands`, ...alignColumns(commands, columns)],
    ...(path === ""
      ? [[t`Flags of every command`, ...alignColumns(globalFlags.map(globalLine), columns)]]
      : []),
    [t`msg ${prefix}<command> --help shows one command.`],
  ]);
};

const globalLine = (flag: GlobalFlag): [string, string] => [
  `${flag.short ? `-${flag.short}, ` : "    "}--${flag.name}${flag.value ? ` <${flag.value}>` : ""}`,
  translated(flag.description),
];

/** A word that may come next on a line, and what it is. */
export interface NextWord {
  readonly word: string;
  readonly description: string;
}

/** The words that come next after a group, in the order of help. */
export const wordsBelow = ({ table, groups }: CommandTable, path: string): NextWord[] => {
  const prefix = path === "" ? "" : `${path} `;
  const words = Object.entries(table)
    .filter(([name, it]) => name.startsWith(prefix) && !it.hidden)
    .map(([name]) => name.slice(prefix.length).split(" ")[0] ?? "");
  return [...new Set(words)].map((word) => ({
    word,
    description: translated(table[prefix + word]?.summary ?? groups[prefix + word] ?? ""),
  }));
};
