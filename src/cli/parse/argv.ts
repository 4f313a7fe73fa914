/** A line → its flags, read by commander, and the words between them; and the flags of every command. */

import { Command, CommanderError, Option } from "commander";
import { didYouMean, usageError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import type { Option as Flag } from "./flags.ts";

/** A parser that stops at the first word that is neither a flag nor the value of one. */
export const createParser = (command = "msg"): Command =>
  new Command(command)
    .helpOption(false)
    .passThroughOptions()
    .exitOverride()
    .configureOutput({ outputError: () => undefined });

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

/** Adds the global flags; what a line gives of them is kept in `globals`. */
export const declareGlobals = (
  parser: Command,
  globals: { -readonly [K in keyof Globals]: Globals[K] } = {},
): Command => {
  for (const { name, short, value } of globalFlags)
    declareFlag(parser, { name, short, isSwitch: !value }, (typed) => {
      if (!value && typed === "false") delete globals[name];
      // The last of --json and -o wins.
      else if (name === "json") globals.output = "json";
      else globals[name] = value ? typed : true;
    });
  return parser;
};

/** Words that are neither known flags nor their values, each with its place; behind `--` every word is one. */
export function* unreadWords(parser: Command, line: readonly string[]) {
  const end = line.includes("--") ? line.indexOf("--") : line.length;
  for (let at = 0; at < line.length; at += 1) {
    if (at < end) at = end - readFlags(parser, line.slice(at, end)).length;
    const word = line[at];
    if (at !== end && word !== undefined) yield { at, word, isLiteral: at > end };
  }
}

/** Reads flags up to the first other word; returns the words from there on. */
const readFlags = (parser: Command, words: readonly string[]): string[] => {
  try {
    const { operands, unknown } = parser.parseOptions([...words]);
    return [...operands, ...unknown];
  } catch (error) {
    if (!(error instanceof CommanderError) || error.code !== missingValue) throw error;
    // A value can only be missing at the end of a line.
    const todo = t`${parser.name()} --help shows what it takes`;
    throw usageError(t`${words.at(-1) ?? ""} needs a value`, { todo });
  }
};

const missingValue = "commander.optionMissingArgument";

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
 * Which command a line names. `path` is the longest run of words that names a command or a group,
 * `message list`; global flags may come between them. `rest` is everything else, global flags
 * included: only the command itself knows which words are values of its own flags.
 */
export const splitArgv = (
  argv: readonly string[],
  isCommandWord: (path: string) => boolean,
): { readonly path: string; readonly rest: readonly string[] } => {
  const own = new Set<number>();
  let path = "";
  for (const { at, word } of unreadWords(declareGlobals(createParser()), argv)) {
    const longer = `${path} ${word}`.trim();
    if (!isCommandWord(longer)) break;
    path = longer;
    own.add(at);
  }
  return { path, rest: argv.filter((_, at) => !own.has(at)) };
};

/** A flag that every command takes, anywhere on the line. */
export interface GlobalFlag {
  readonly name: string;
  readonly short?: string;
  /** What the value is, for help; absent for a switch. */
  readonly value?: string;
  readonly description: string;
}

const declared = [
  { name: "profile", short: "p", value: "name", description: "account to use" },
  { name: "sandbox", description: "use the built-in sandbox, as -p sandbox does" },
  { name: "output", short: "o", value: "format", description: "table, tsv, csv, json or jsonl" },
  { name: "json", description: "the same as -o json" },
  { name: "fields", value: "a,b.c", description: "columns or JSON members to show, in order" },
  { name: "no-header", description: "omit the header of a table, TSV or CSV" },
  { name: "bom", description: "start TSV and CSV with a byte order mark, for spreadsheets" },
  {
    name: "wide",
    description: "tables with every column and whole ids, even if wider than the screen",
  },
  {
    name: "envelope",
    description: "print a list as {items, nextKey}, a send as {record, cost, alreadySent}",
  },
  { name: "lang", value: "ko|en", description: "language of messages, notes and help" },
  {
    name: "tz",
    value: "zone",
    description: "time zone of tables and of dates that you type, such as KST",
  },
  { name: "quiet", short: "q", description: "no notes; print only the new id" },
  { name: "debug", description: "trace requests on standard error, without secrets" },
  { name: "no-color", description: "no colours" },
  { name: "no-input", description: "never prompt" },
  { name: "yes", short: "y", description: "answer confirmations with yes" },
  { name: "confirm", value: "text", description: "answer a confirmation that asks to type a text" },
  { name: "dry-run", short: "n", description: "check and show what would be sent; send nothing" },
  { name: "timeout", value: "30s", description: "time limit of a request" },
  { name: "base-url", value: "url", description: "host of the service" },
  { name: "auth-url", value: "url", description: "host of the OAuth2 endpoints" },
  { name: "help", short: "h", description: "show help" },
] as const satisfies readonly GlobalFlag[];

type Name = (typeof declared)[number]["name"];

/** In the order of help. */
export const globalFlags: readonly (GlobalFlag & { readonly name: Name })[] = declared;

/** The global flags as typed: text, or true for a switch. */
export type Globals = { readonly [K in Name]?: string | true };
