/** The words after a command → raw texts by flag and positional. */
import { factsOf } from "../../contract/fields.ts";
import { shellWord, usageError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import type { Verb } from "../command.ts";
import { createParser, declareFlag, declareGlobals, unknownFlag, unreadWords } from "./argv.ts";
import { formatTyped, optionsOf } from "./flags.ts";
import type { Globals } from "./global-flags.ts";
import { flagsOf, secondFactorFlags } from "./verb-flags.ts";

/** A command and what was typed after it, by member name; nothing is converted yet. */
export interface ParsedLine {
  /** The words of the command: `balance charge`. */
  readonly path: string;
  readonly verb: Verb;
  readonly globals: Globals;
  readonly flags: Readonly<Record<string, readonly string[]>>;
  readonly args: Readonly<Record<string, readonly string[]>>;
}

/** Throws usage for a flag that is unknown or lacks its value, and for a word too many. */
export const parseLine = (path: string, verb: Verb, words: readonly string[]): ParsedLine => {
  const globals = {};
  const flags: Record<string, string[]> = {};
  let lastSwitch: string | undefined;
  const parser = createParser(`msg ${path}`);
  for (const flag of flagsOf(verb))
    declareFlag(parser, flag, (value) => {
      const given = flag.isSwitch ? [] : (flags[flag.key] ?? []);
      given.push(value);
      flags[flag.key] = given;
      lastSwitch = flag.isSwitch ? flag.key : undefined;
    });
  const places: string[] = [];
  for (const { word, isLiteral } of unreadWords(declareGlobals(parser, globals), words)) {
    if (!isLiteral && /^-\D/.test(word)) throw unknownFlag(parser, word);
    if (!isLiteral && lastSwitch && /^(true|false)$/.test(word)) flags[lastSwitch] = [word];
    else places.push(word);
    lastSwitch = undefined;
  }
  return { path, verb, globals, flags, args: positionals(path, verb, places) };
};

const positionals = (path: string, verb: Verb, words: string[]): Record<string, string[]> => {
  const args: Record<string, string[]> = {};
  for (const { key, schema, repeats } of optionsOf(verb.args))
    args[key] = words.splice(0, repeats && factsOf(schema).kind !== "json" ? words.length : 1);
  if (words.length === 0) return args;
  throw usageError(t`msg ${path} does not take the word '${words[0] ?? ""}'`, {
    todo: t`msg ${path} --help shows how it is used; a value with spaces needs quotes`,
  });
};

/** The command line as typed, with the answers to questions; never with secrets or one-time codes. */
export const formatCommandLine = (
  { path, verb, ...typed }: ParsedLine,
  answers: Readonly<Record<string, string>> = {},
): string => {
  const words = optionsOf(verb.args).flatMap((it) =>
    typed.args[it.key]?.length
      ? (typed.args[it.key] ?? [])
      : [formatTyped(it, answers[it.key] ?? "")],
  );
  const flags = flagsOf(verb)
    .filter((it) => !(it.key in secondFactorFlags))
    .flatMap((it) => {
      const answer = answers[it.key];
      const values = typed.flags[it.key] ?? (answer === undefined ? [] : [formatTyped(it, answer)]);
      return values.map((value) => `--${it.name} ${shellWord(value)}`);
    });
  // Without its --sandbox or --profile the line would reach another account.
  const globals = Object.entries(typed.globals).map(([name, value]) =>
    value === true ? `--${name}` : `--${name} ${shellWord(value)}`,
  );
  const positional = words.filter((it) => it !== "").map(shellWord);
  return ["msg", path, ...positional, ...globals, ...flags].join(" ");
};
