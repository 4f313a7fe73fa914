/**
 * How help is laid out; and the help of `msg` and of a group of commands, printed from the table alone,
 * without loading a command.
 */
import { t, translated } from "../../locale/locale.ts";
import { displayWidth, wrapWords } from "../../output/text/width.ts";
import type { CommandTable } from "../command.ts";
import { type GlobalFlag, globalFlags } from "../parse/global-flags.ts";

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

/** A summary as the first lines of help. */
export const asSentence = (summary: string, columns: number): string[] =>
  wrapWords(t`${translated(summary)}.`, columns);

/** Parts, each made of its lines, with an empty line between two. */
export const joinSections = (parts: readonly (readonly string[])[]): string =>
  `${parts.map((lines) => lines.join("\n")).join("\n\n")}\n`;

type Row = readonly [left: string, right: string];

/** Where the second column begins if the first one takes the whole line. */
const hang = 6;

/** The second column is next to the first if that takes at most about half of the line. */
const table = (rows: readonly Row[], columns: number): string[] => {
  const limit = columns / 2 + 4;
  const widths = rows.filter(([, right]) => right !== "").map(([left]) => displayWidth(left));
  const at = Math.max(hang, ...widths.filter((it) => it <= limit).map((it) => it + 2));
  return rows.flatMap(([left, right]) => {
    if (right === "") return [left];
    const isBeside = displayWidth(left) + 2 <= at;
    const indent = isBeside ? at : hang;
    const [first = "", ...more] = wrapWords(right, columns - indent);
    const below = more.map((it) => " ".repeat(indent) + it);
    if (!isBeside) return [...brokenChoices(left, columns), " ".repeat(indent) + first, ...below];
    return [left + " ".repeat(at - displayWidth(left)) + first, ...below];
  });
};

/** Breaks a `--state <open|done>` that is wider than the line: its words continue below the first one. */
const brokenChoices = (flag: string, columns: number): string[] => {
  const [, head, choices] = /^(.*<)(\S+\|\S+>)$/.exec(flag) ?? [];
  if (head === undefined || choices === undefined || displayWidth(flag) <= columns) return [flag];
  const indent = displayWidth(head);
  const lines = wrapWords(choices.split(/(?<=\|)/), columns - indent, "");
  return lines.map((it, at) => (at === 0 ? head : " ".repeat(indent)) + it);
};

/** Two columns; the second wraps below itself. */
export const alignColumns = (rows: readonly Row[], columns: number): string[] =>
  table(
    rows.map(([left, right]): Row => [`  ${left}`, right]),
    columns,
  );

/** Words below a heading; parts in a list stay whole. */
export const indented = (words: string | readonly string[], columns: number): string[] =>
  wrapWords(words, columns - 2).map((it) => `  ${it}`);

/** A page of paragraphs and tables, wrapped again if one of its lines is too long. */
export const wrapPage = (page: string, columns: number): string => {
  const lines = page.replace(/\n$/, "").split("\n");
  if (lines.every((it) => displayWidth(it) <= columns)) return page;
  const blocks = blocksOf(lines);
  const wrapped = blocks.flatMap((it) =>
    typeof it === "string" ? wrapWords(it, columns) : table(it, columns),
  );
  return `${wrapped.join("\n")}\n`;
};

/** Paragraphs as one line each, and the tables between them. */
const blocksOf = (lines: readonly string[]): (string | Row[])[] => {
  const blocks: (string | Row[])[] = [];
  for (const line of lines) {
    const last = blocks.at(-1);
    if (line.startsWith(" ")) {
      const rows = Array.isArray(last) ? last : [];
      if (rows !== last) blocks.push(rows);
      addRow(rows, line);
    } else if (typeof last === "string" && last !== "" && line !== "")
      blocks[blocks.length - 1] = `${last} ${line}`;
    else blocks.push(line);
  }
  return blocks;
};

/** The last gap of a line separates its columns; a line that begins further right continues the row before. */
const addRow = (rows: Row[], line: string): void => {
  const [left, right] = rows.at(-1) ?? ["", ""];
  const start = line.length - line.trimStart().length;
  // What is below a command describes it; what is below other lines, such as those of a file, is the next line.
  const isBelow =
    right === "" ? start === hang && /^\s+(\d\s+)?msg /.test(left) : start >= displayWidth(left);
  if (left !== "" && isBelow) rows[rows.length - 1] = [left, `${right} ${line.trim()}`.trimStart()];
  else {
    const [, own = line, words = ""] = /^(\s+\S.*\S|\s+\S) {2,}(\S.*)$/.exec(line) ?? [];
    rows.push([own, words]);
  }
};
