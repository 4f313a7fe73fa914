/** The help of one command, printed from its declaration. */
import { factsOf, isOptional, type Operator } from "../../contract/fields.ts";
import { t, translated } from "../../locale/locale.ts";
import type { CommandEntry, CommandTable, Verb } from "../command.ts";
import { type Option, optionsOf, placeholder, shownName } from "../parse/flags.ts";
import { flagsOf, inputFlag } from "../parse/verb-flags.ts";
import { needsOfVerb } from "../permissions.ts";
import { asSentence, joinSections } from "./group-help.ts";
import { alignColumns, indented } from "./wrap.ts";

/** The help of one command, for a screen of so many columns. */
export const renderCommandHelp = (
  tree: CommandTable,
  path: string,
  { entry, verb }: { readonly entry: CommandEntry; readonly verb: Verb },
  columns: number,
): string => {
  const args = optionsOf(verb.args);
  const words = args.map(wordOf);
  const flags = flagsOf(verb).map((option) => flagLine(option, verb));
  if (verb.takesInput)
    flags.push([`--${inputFlag.name} <${inputFlag.value}>`, translated(inputFlag.description)]);
  return joinSections([
    asSentence(entry.summary, columns),
    [t`Usage`, `  ${["msg", path, ...words, "[flags]"].join(" ")}`],
    ...(args.length > 0
      ? [
          [
            t`Arguments`,
            ...alignColumns(
              args.map((it): [string, string] => [it.name, translated(it.description)]),
              columns,
            ),
          ],
        ]
      : []),
    ...(flags.length > 0 ? [[t`Flags`, ...alignColumns(flags, columns)]] : []),
    [t`Examples`, ...verb.examples.map((line) => `  ${line}`)],
    ...belowLines(tree, path, columns),
    ...needsLines(verb, columns),
    [t`Exit codes`, ...indented(exitCodesOf(verb), columns)],
    [t`msg --help lists the flags that every command takes.`],
  ]);
};

/** Commands whose words begin with this one's. */
const belowLines = ({ table }: CommandTable, path: string, columns: number): string[][] => {
  const below = Object.entries(table).filter(([name]) => name.startsWith(`${path} `));
  const lines = below.map(([name, { summary }]): [string, string] => [name, translated(summary)]);
  return lines.length > 0 ? [[t`Commands`, ...alignColumns(lines, columns)]] : [];
};

const wordOf = (option: Option): string => {
  const name = option.repeats ? `${option.name}…` : option.name;
  return isOptional(option.schema) ? `[${name}]` : `<${name}>`;
};

const needsLines = (verb: Verb, columns: number): string[][] => {
  const needs = needsOfVerb(verb);
  return needs === null ? [] : [[t`Needs`, ...indented(needs, columns)]];
};

/** Each with the dot behind it. */
const exitCodesOf = ({ writes, flags }: Verb): string[] => {
  const groups = [
    t`0 ok · 2 usage`,
    ...(writes ? [t`3 partly refused`] : []),
    t`4 credentials · 5 not allowed · 6 not found`,
    ...(writes ? [t`7 stopped`] : []),
    ...("within" in flags ? [t`8 still pending`] : []),
    writes ? t`9 not sent · 10 refused · 11 outcome unknown` : t`9 network · 10 refused`,
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
    `${translated(option.description)}${notes.length > 0 ? ` (${notes.join("; ")})` : ""}`,
  ];
};

/** `also gte:… lt:…, once each`: what may stand in front of a value that is more than equal. */
const operatorsNote = (operators: readonly Operator[]): string =>
  t`also ${operators
    .filter((name) => name !== "eq")
    .map((name) => `${name}:…`)
    .join(" ")}, once each`;
