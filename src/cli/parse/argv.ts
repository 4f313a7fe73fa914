/** A line → its flags, read by commander, and the words between them. */

import { Command, Option } from "commander";
import { didYouMean, usageError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import type { Option as Flag } from "./flags.ts";
import { type Globals, globalFlags } from "./global-flags.ts";

/** A parser that stops at the first word that is neither a flag nor the value of one. */
export const createParser = (command = "msg"): Command => new Command(command).passThroughOptions();

/** Declares `-x, --xx <value>`, or a switch: `--xx`, `--no-xx`, `--xx=true` and `--xx=false`. */
export const declareFlag = (
  parser: Command,
  { name, short, aliases = [], isSwitch = false }: Partial<Flag> & Pick<Flag, "name">,
  take: (value: string) => void,
): void => {
  const spelling = short ? `-${short}, --${name}` : `--${name}`;
  const forms = [spelling, `--${name}=true`, `--${name}=false`, `--no-${name}`];
  for (const [at, form] of (isSwitch ? forms : [`${spelling} <value>`]).entries())
    parser.addOption(new Option(form).preset(String(at < 2)).argParser(take));
  for (const alias of aliases) declareFlag(parser, { name: alias, isSwitch }, take);
};

/** Adds the global flags; those that a line gives are kept in `globals`. */
export const declareGlobals = (
  parser: Command,
  globals: Partial<Record<keyof Globals, string | true>> = {},
): Command => {
  for (const { name, short, value } of globalFlags)
    declareFlag(parser, { name, short, isSwitch: !value }, (typed) => {
      // The last of --json and -o wins.
      if (name === "json" && typed !== "false") globals.output = "json";
      else if (name === "json" && globals.output === "json") delete globals.output;
      else if (!value && typed === "false") delete globals[name];
      else globals[name] = value ? typed : true;
    });
  return parser;
};

/** Words that are neither known flags nor their values, each with its place; after `--` every word is one. */
export function* unreadWords(parser: Command, line: readonly string[]) {
  const end = line.includes("--") ? line.indexOf("--") : line.length;
  // The only error of commander here: the last flag lacks its value.
  parser.configureOutput({ outputError: () => rejectNoValue(parser, line[end - 1]) });
  const named = (word: string) => parser.options.find((it) => [it.short, it.long].includes(word));
  // A shell leaves this of a variable that is empty: a text `--wait` must not be sent.
  const bare = line.slice(0, end).findIndex((word, at) => {
    const [next = ""] = line[at + 1]?.split("=") ?? [];
    return named(word)?.required && at + 1 < end && named(next);
  });
  if (bare >= 0) rejectNoValue(parser, line[bare], line[bare + 1]);
  for (let at = 0; at < line.length; at += 1) {
    const { operands, unknown } = parser.parseOptions(line.slice(at, end));
    at = Math.max(at, end - operands.length - unknown.length);
    const word = line[at];
    if (at !== end && word !== undefined) yield { at, word, isLiteral: at > end };
  }
}

const rejectNoValue = (parser: Command, flag = "", next?: string): never => {
  const help = t`${parser.name()} --help shows what it takes`;
  const literal = flag.startsWith("--") && next !== undefined;
  const todo = literal ? t`if ${next} is its value, write ${`${flag}=${next}`}; ${help}` : help;
  throw usageError(t`${flag} needs a value`, { todo });
};

/** The error for a flag that was not read: its name is unknown, or it is a switch with a value. */
export const unknownFlag = (parser: Command, word: string, listed = t`its flags`): Error => {
  const [flag = "", value] = word.split("=");
  const known = parser.options.map(({ long = "" }) => long);
  if (value !== undefined && known.includes(flag))
    return usageError(t`${flag} is a switch and takes no value, got '${value}'`);
  return usageError(t`${parser.name()} has no flag ${flag}${didYouMean(flag, known)}`, {
    code: "UnknownFlag",
    todo: t`${parser.name()} --help lists ${listed}`,
  });
};

/**
 * The longest run of words that names a command or a group, `message list`, and everything else on
 * the line, global flags included: only the command knows which words are values of its own flags.
 */
export const splitArgv = (argv: readonly string[], isCommandWord: (path: string) => boolean) => {
  const taken: number[] = [];
  let path = "";
  for (const { at, word } of unreadWords(declareGlobals(createParser()), argv)) {
    const longer = `${path} ${word}`.trim();
    if (!isCommandWord(longer)) break;
    path = longer;
    taken.push(at);
  }
  return { path, rest: argv.filter((_, at) => !taken.includes(at)) };
};
