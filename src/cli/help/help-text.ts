/** The whole help text of `msg`, a group, a command or a topic. */

import { didYouMean, usageError } from "../../errors.ts";
import { t, translatedTopic } from "../../locale/locale.ts";
import type { CommandTable } from "../command.ts";
import { createParser, declareGlobals, unknownFlag, unreadWords } from "../parse/argv.ts";
import { isCommandPath, renderGroupHelp, wrapPage } from "./group-help.ts";
import agents from "./topics/campaigns/agents.txt";
import approval from "./topics/campaigns/approval.txt";
import canary from "./topics/campaigns/canary.txt";
import manyMachines from "./topics/campaigns/many-machines.txt";
import plans from "./topics/campaigns/plans.txt";
import dates from "./topics/dates.txt";
import environment from "./topics/environment.txt";
import exitCodes from "./topics/exit-codes.txt";
import filters from "./topics/filters.txt";
import limits from "./topics/limits.txt";
import output from "./topics/output.txt";
import reliability from "./topics/reliability.txt";
import runs from "./topics/runs.txt";
import sandbox from "./topics/sandbox.txt";
import sending from "./topics/sending.txt";

/**
 * The text for a line that names no command: the help of `msg`, of a group, of what follows `help`.
 * Throws usage if a word or a flag is unknown.
 */
export const helpText = async (
  tree: CommandTable,
  path: string,
  line: readonly string[],
  columns: number,
): Promise<string> => {
  const parser = declareGlobals(createParser(`msg ${path}`.trim()));
  const rest = Array.from(unreadWords(parser, line), ({ word }) => word);
  const words = rest.filter((word) => !word.startsWith("-"));
  const flag = rest.find((word) => word.startsWith("-"));
  const isHelp = path === "" && words[0] === "help";
  if (isHelp && words.length > 1) return await topicText(tree, words.slice(1).join(" "), columns);
  // A word after a flag that is not known may be the flag's value.
  if (words.length > 0 && !isHelp && rest[0] !== flag) throw unknownCommand(tree, path, words[0]);
  if (flag !== undefined)
    throw unknownFlag(parser, flag, path === "" ? t`commands and flags` : t`its commands`);
  if (path !== "") return renderGroupHelp(tree, path, columns);
  const names = Object.keys(topics).join(", ");
  const about = wrapPage(`${t`msg help <topic> explains ${names}.`}\n`, columns);
  return `${renderGroupHelp(tree, path, columns)}${about}`;
};

const unknownCommand = ({ table, groups }: CommandTable, path: string, word = ""): Error => {
  const prefix = path === "" ? "" : `${path} `;
  const typed = prefix + word;
  const known = [...Object.keys(table), ...Object.keys(groups)];
  // The word alone is compared: a group in common does not make `message show` a `message list`.
  const near = known.filter((it) => {
    return it.startsWith(prefix) && didYouMean(word, [it.slice(prefix.length)]) !== "";
  });
  const [elsewhere = "", ...others] = known.filter((it) => it.endsWith(` ${word}`));
  const hint = didYouMean(typed, near) || (others.length === 0 ? didYouMean(elsewhere, known) : "");
  return usageError(t`there is no command '${typed}'${hint}`, {
    code: "UnknownCommand",
    todo: t`${`msg ${path}`.trim()} --help lists the commands`,
  });
};

/** `msg help <topic>`, or the help of a command or of a group of commands. */
const topicText = async (tree: CommandTable, asked: string, columns: number): Promise<string> => {
  const entry = Object.hasOwn(tree.table, asked) ? tree.table[asked] : undefined;
  if (entry) {
    const { renderCommandHelp } = await import("./command-help.ts");
    return renderCommandHelp(tree, asked, { entry, verb: (await entry.load()).default }, columns);
  }
  if (Object.hasOwn(topics, asked)) {
    const page = wrapPage(translatedTopic(asked) ?? topics[asked] ?? "", columns);
    // Only this topic loads the contract.
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

export const topics: Readonly<Record<string, string>> = {
  "exit-codes": exitCodes,
  environment,
  output,
  limits,
  sandbox,
  sending,
  runs,
  plans,
  approval,
  canary,
  agents,
  "many-machines": manyMachines,
  reliability,
  dates,
  filters,
};
