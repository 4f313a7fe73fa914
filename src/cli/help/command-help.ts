/** The help of one command, from its declaration and its endpoint. */

import { factsOf, isOptional, type Operator } from "../../contract/fields.ts";
import { t, translated } from "../../locale/locale.ts";
import { secretsOf } from "../ask-missing.ts";
import type { CommandEntry, CommandTable, Verb } from "../command.ts";
import { type Option, optionsOf, placeholder, shownName } from "../parse/flags.ts";
import { flagsOf } from "../parse/verb-flags.ts";
import { needsOfVerb } from "../permissions.ts";
import { alignColumns, asSentence, indented, joinSections } from "./group-help.ts";

/** The help of one command, for a screen of this many columns. */
export const renderCommandHelp = (
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
