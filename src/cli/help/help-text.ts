/** The whole help text of `msg`, a group, a command or a topic. */

import { factsOf, isOptional, type Operator } from "../../contract/fields.ts";
import { didYouMean, usageError } from "../../errors.ts";
import { t, translated, translatedTopic } from "../../locale/locale.ts";
import { secretsOf } from "../ask-missing.ts";
import type { CommandEntry, CommandTable, Verb } from "../command.ts";
import { createParser, declareGlobals, unknownFlag, unreadWords } from "../parse/argv.ts";
import { type Option, optionsOf, placeholder, shownName } from "../parse/flags.ts";
import { flagsOf } from "../parse/verb-flags.ts";
import { needsOfVerb } from "../permissions.ts";
import {
  alignColumns,
  asSentence,
  indented,
  isCommandPath,
  joinSections,
  renderGroupHelp,
  wrapPage,
} from "./group-help.ts";
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
  if (entry)
    return renderCommandHelp(tree, asked, { entry, verb: (await entry.load()).default }, columns);
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

/** The help of one command, for a screen of this many columns. */
const renderCommandHelp = (
  tree: CommandTable,
  path: string,
  { entry, verb }: { readonly entry: CommandEntry; readonly verb: Verb },
  columns: number,
): string => {
  const args = optionsOf(verb.args);
  const words = args.map(wordOf);
  const described = args.map((it): [string, string] => [it.name, translated(it.description)]);
  const below = Object.entries(tree.table)
    .filter(([name]) => name.startsWith(`${path} `))
    .map(([name, { summary }]): [string, string] => [name, translated(summary)]);
  const needs = needsOfVerb(verb);
  const flags = flagsOf(verb).map((option) => flagLine(option, verb));
  return joinSections([
    asSentence(entry.summary, columns),
    [t`Usage`, `  ${["msg", path, ...words, "[flags]"].join(" ")}`],
    ...sectionOf(t`Arguments`, described, columns),
    ...sectionOf(t`Flags`, flags, columns),
    [t`Examples`, ...verb.examples.map((line) => `  ${line}`)],
    ...sectionOf(t`Commands`, below, columns),
    ...(needs === null ? [] : [[t`Needs`, ...indented(needs, columns)]]),
    [t`Exit codes`, ...indented(exitCodesOf(verb), columns)],
    [t`msg --help lists the flags that every command takes.`],
  ]);
};

/** A section of the help; none if it has no rows. */
const sectionOf = (
  title: string,
  rows: readonly [string, string][],
  columns: number,
): string[][] => (rows.length > 0 ? [[title, ...alignColumns(rows, columns)]] : []);

const wordOf = (option: Option): string => {
  const name = option.repeats ? `${option.name}…` : option.name;
  return isOptional(option.schema) ? `[${name}]` : `<${name}>`;
};

/** Each with the dot after it. */
const exitCodesOf = ({ writes, exits, flags }: Verb): string[] => {
  const groups = [
    t`0 ok · 2 usage`,
    ...(writes === true || exits.includes(3) ? [t`3 partly refused`] : []),
    t`4 credentials · 5 not allowed · 6 not found`,
    ...(writes === true || exits.includes(7) ? [t`7 stopped`] : []),
    ...("within" in flags ? [t`8 still pending`] : []),
    writes === true ? t`9 not sent · 10 refused · 11 outcome unknown` : t`9 network · 10 refused`,
    ...(exits.includes(11) ? [t`11 outcome unknown`] : []),
  ];
  const codes = groups.join(" · ").split(" · ");
  return codes.map((it, at) => (at < codes.length - 1 ? `${it} ·` : it));
};

const flagLine = (option: Option, verb: Verb): [string, string] => {
  const value = option.isSwitch ? "" : ` <${placeholder(option.schema)}>`;
  const { operators } = factsOf(option.schema);
  const notes = [
    option.required &&
      (verb.takesInput && option.key in verb.questions ? t`asked for on a terminal` : t`required`),
    operators ? operatorsNote(operators) : option.repeats && t`may be repeated`,
  ].filter(Boolean);
  return [
    `${option.short ? `-${option.short}, ` : ""}--${shownName(option)}${value}`,
    `${describeFlag(option, verb)}${notes.length > 0 ? ` (${notes.join("; ")})` : ""}`,
  ];
};

/** The words of a flag; only --input can give secrets. */
const describeFlag = ({ key, description }: Option, { endpoint }: Verb): string => {
  const members = translated(description);
  const secrets = key === "input" ? secretsOf(endpoint).map(([name]) => name) : [];
  return secrets.length === 0
    ? members
    : t`${members}; also ${secrets.join(", ")}, which a terminal asks for`;
};

/** `also gte:… lt:…, once each`: prefixes for a value other than "equal". */
const operatorsNote = (operators: readonly Operator[]): string | false => {
  const others = operators.filter((name) => name !== "eq").map((name) => `${name}:…`);
  return others.length > 0 && t`also ${others.join(" ")}, once each`;
};
