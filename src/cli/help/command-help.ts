/** The help of one command, printed from its declaration. */
import { factsOf, isOptional, type Operator } from "../../contract/fields.ts";
import type { CommandEntry, CommandTable, Verb } from "../command.ts";
import { type Option, optionsOf, placeholder, shownName } from "../parse/flags.ts";
import { flagsOf, inputFlag } from "../parse/verb-flags.ts";
import { needsOfVerb } from "../permissions.ts";
import { alignColumns, joinSections } from "./group-help.ts";

/** The help of one command. */
export const renderCommandHelp = (
  tree: CommandTable,
  path: string,
  entry: CommandEntry,
  verb: Verb,
): string => {
  const args = optionsOf(verb.args);
  const words = args.map(wordOf);
  const flags = flagsOf(verb).map((option) => flagLine(option, verb));
  if (verb.takesInput)
    flags.push([`--${inputFlag.name} <${inputFlag.value}>`, inputFlag.description]);
  return joinSections([
    [`${entry.summary}.`],
    ["Usage", `  ${["msg", path, ...words, "[flags]"].join(" ")}`],
    ...(args.length > 0
      ? [
          [
            "Arguments",
            ...alignColumns(args.map((it): [string, string] => [it.name, it.description])),
          ],
        ]
      : []),
    ...(flags.length > 0 ? [["Flags", ...alignColumns(flags)]] : []),
    ["Examples", ...verb.examples.map((line) => `  ${line}`)],
    ...belowLines(tree, path),
    ...needsLines(verb),
    ["Exit codes", `  ${exitLine(verb)}`],
    ["msg --help lists the flags that every command takes."],
  ]);
};

/** Commands whose words begin with this one's. */
const belowLines = ({ table }: CommandTable, path: string): string[][] => {
  const below = Object.entries(table).filter(([name]) => name.startsWith(`${path} `));
  const lines = below.map(([name, { summary }]): [string, string] => [name, summary]);
  return lines.length > 0 ? [["Commands", ...alignColumns(lines)]] : [];
};

const wordOf = (option: Option): string => {
  const name = option.repeats ? `${option.name}…` : option.name;
  return isOptional(option.schema) ? `[${name}]` : `<${name}>`;
};

const needsLines = (verb: Verb): string[][] => {
  const needs = needsOfVerb(verb);
  return needs === null ? [] : [["Needs", `  ${needs}`]];
};

const exitLine = ({ writes, flags }: Verb): string =>
  [
    "0 ok · 2 usage",
    ...(writes ? ["3 partly refused"] : []),
    "4 credentials · 5 not allowed · 6 not found",
    ...(writes ? ["7 stopped"] : []),
    ...("within" in flags ? ["8 still pending"] : []),
    writes ? "9 not sent · 10 refused · 11 outcome unknown" : "9 network · 10 refused",
  ].join(" · ");

const flagLine = (option: Option, verb: Verb): [string, string] => {
  const value = option.isSwitch ? "" : ` <${placeholder(option.schema)}>`;
  const { operators } = factsOf(option.schema);
  const notes = [
    option.required &&
      (verb.takesInput && option.key in verb.questions ? "asked for on a terminal" : "required"),
    operators ? operatorsNote(operators) : option.repeats && "may be repeated",
  ].filter(Boolean);
  return [
    `${option.short ? `-${option.short}, ` : ""}--${shownName(option)}${value}`,
    `${option.description}${notes.length > 0 ? ` (${notes.join("; ")})` : ""}`,
  ];
};

/** `also gte:… lt:…, once each`: what may stand in front of a value that is more than equal. */
const operatorsNote = (operators: readonly Operator[]): string =>
  `also ${operators
    .filter((name) => name !== "eq")
    .map((name) => `${name}:…`)
    .join(" ")}, once each`;
