/** Help as a whole: of `msg`, of a group, of a command, of a topic. */
import { didYouMean, usageError } from "../../errors.ts";
import type { CommandTable } from "../command.ts";
import { createParser, declareGlobals, unknownFlag, wordsOf } from "../parse/argv.ts";
import { renderCommandHelp } from "./command-help.ts";
import { isCommandPath, renderGroupHelp } from "./group-help.ts";
import { topics } from "./topics.ts";

/**
 * The text for a line that names no command: the help of `msg`, of a group, of what stands behind
 * `help`. Throws usage where a word or a flag is not known.
 */
export const helpText = async (
  tree: CommandTable,
  path: string,
  line: readonly string[],
): Promise<string> => {
  const parser = declareGlobals(createParser(`msg ${path}`.trim()));
  const rest = Array.from(wordsOf(parser, line), ({ word }) => word);
  const words = rest.filter((word) => !word.startsWith("-"));
  const flag = rest.find((word) => word.startsWith("-"));
  const isHelp = path === "" && words[0] === "help";
  if (isHelp && words.length > 1) return await topicText(tree, words.slice(1).join(" "));
  if (words.length > 0 && !isHelp) throw unknownCommand(tree, `${path} ${words[0]}`.trim());
  if (flag !== undefined)
    throw unknownFlag(parser, flag, path === "" ? "commands and flags" : "its commands");
  if (path !== "") return renderGroupHelp(tree, path);
  const names = Object.keys(topics).join(", ");
  return `${renderGroupHelp(tree, path)}msg help <topic> tells of ${names}.\n`;
};

const unknownCommand = ({ table, groups }: CommandTable, typed: string): Error => {
  const hint = didYouMean(typed, [...Object.keys(table), ...Object.keys(groups)]);
  return usageError(`there is no command '${typed}'${hint}`, {
    code: "UnknownCommand",
    todo: "msg --help lists the commands",
  });
};

/** `msg help <topic>`, or the help of a command or of a group of commands. */
const topicText = async (tree: CommandTable, asked: string): Promise<string> => {
  const entry = Object.hasOwn(tree.table, asked) ? tree.table[asked] : undefined;
  if (entry) {
    return renderCommandHelp(tree, asked, entry, (await entry.load()).default);
  }
  const text = Object.hasOwn(topics, asked) ? topics[asked] : undefined;
  // The contract is loaded for this topic alone.
  if (asked === "limits")
    return `${text}\n${(await import("../api/limits.ts")).limitLines().join("\n")}\n`;
  if (text !== undefined) return text;
  if (isCommandPath(tree, asked)) return renderGroupHelp(tree, asked);
  const names = Object.keys(topics);
  throw usageError(`there is no topic or command '${asked}'${didYouMean(asked, names)}`, {
    code: "UnknownTopic",
    todo: `topics: ${names.join(", ")}; msg --help lists the commands`,
  });
};
