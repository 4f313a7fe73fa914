/** Help as a whole: of `msg`, of a group, of a command, of a topic. */
import { didYouMean, usageError } from "../../errors.ts";
import { spokenTopic, t } from "../../locale/locale.ts";
import type { CommandTable } from "../command.ts";
import { createParser, declareGlobals, unknownFlag, wordsOf } from "../parse/argv.ts";
import { renderCommandHelp } from "./command-help.ts";
import { isCommandPath, renderGroupHelp } from "./group-help.ts";
import { topics } from "./topics.ts";
import { wrapPage } from "./wrap.ts";

/**
 * The text for a line that names no command: the help of `msg`, of a group, of what follows `help`.
 * Throws usage where a word or a flag is not known.
 */
export const helpText = async (
  tree: CommandTable,
  path: string,
  line: readonly string[],
  columns: number,
): Promise<string> => {
  const parser = declareGlobals(createParser(`msg ${path}`.trim()));
  const rest = Array.from(wordsOf(parser, line), ({ word }) => word);
  const words = rest.filter((word) => !word.startsWith("-"));
  const flag = rest.find((word) => word.startsWith("-"));
  const isHelp = path === "" && words[0] === "help";
  if (isHelp && words.length > 1) return await topicText(tree, words.slice(1).join(" "), columns);
  if (words.length > 0 && !isHelp) throw unknownCommand(tree, `${path} ${words[0]}`.trim());
  if (flag !== undefined)
    throw unknownFlag(parser, flag, path === "" ? t`commands and flags` : t`its commands`);
  if (path !== "") return renderGroupHelp(tree, path, columns);
  const names = Object.keys(topics).join(", ");
  const about = wrapPage(`${t`msg help <topic> explains ${names}.`}\n`, columns);
  return `${renderGroupHelp(tree, path, columns)}${about}`;
};

const unknownCommand = ({ table, groups }: CommandTable, typed: string): Error => {
  const hint = didYouMean(typed, [...Object.keys(table), ...Object.keys(groups)]);
  return usageError(t`there is no command '${typed}'${hint}`, {
    code: "UnknownCommand",
    todo: t`msg --help lists the commands`,
  });
};

/** `msg help <topic>`, or the help of a command or of a group of commands. */
const topicText = async (tree: CommandTable, asked: string, columns: number): Promise<string> => {
  const entry = Object.hasOwn(tree.table, asked) ? tree.table[asked] : undefined;
  if (entry) {
    return renderCommandHelp(tree, asked, { entry, verb: (await entry.load()).default }, columns);
  }
  if (Object.hasOwn(topics, asked)) {
    const page = wrapPage(spokenTopic(asked) ?? topics[asked] ?? "", columns);
    // The contract is loaded for this topic alone.
    if (asked !== "limits") return page;
    const { limitLines } = await import("../api/limits.ts");
    return `${page}\n${limitLines(columns).join("\n")}\n`;
  }
  if (isCommandPath(tree, asked)) return renderGroupHelp(tree, asked, columns);
  const names = Object.keys(topics);
  throw usageError(t`there is no topic or command '${asked}'${didYouMean(asked, names)}`, {
    code: "UnknownTopic",
    todo: t`topics: ${names.join(", ")}; msg --help lists the commands`,
  });
};
