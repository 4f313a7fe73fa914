/** The words after a command → raw texts by flag and positional. The only import of commander. */
import { CommanderError, Command as Parser } from "commander";
import { factsOf, isOptional } from "../../contract/fields.ts";
import { didYouMean, usageError } from "../../errors.ts";
import type { Verb } from "../command.ts";
import { takeGlobalFlags } from "./argv.ts";
import { type Option, optionsOf } from "./flags.ts";
import { type Globals, globalFlags } from "./globals.ts";
import { listFlags } from "./paging.ts";
import { needsSecondFactor, protectedFlags } from "./second-factor-flags.ts";

/** What was typed, by member name; nothing is converted yet. */
export interface ParsedLine {
  readonly globals: Globals;
  readonly flags: Readonly<Record<string, readonly string[]>>;
  readonly args: Readonly<Record<string, readonly string[]>>;
  /** `--input`: a file, or `-` for standard input. */
  readonly input: string | undefined;
}

/** All flags of a verb: its own, its endpoint's, and those of every list. */
export const flagsOf = (verb: Verb): Option[] => {
  const page = verb.endpoint?.page;
  const options = optionsOf({
    ...verb.flags,
    ...(page && listFlags(page.by)),
    ...(needsSecondFactor(verb) && protectedFlags),
  });
  return options.map((it) => ({ ...it, required: it.required || isOfBody(verb, it) }));
};

/** A member that the body cannot do without; a flag of the same name may be another thing. */
const isOfBody = ({ endpoint }: Verb, { key, schema }: Option): boolean =>
  endpoint?.body?.entries[key] === schema && !isOptional(schema);

export const parseLine = (path: string, verb: Verb, words: readonly string[]): ParsedLine => {
  const options = flagsOf(verb);
  const named = new Map(
    options.flatMap((it) => [it.name, ...it.aliases].map((name) => [name, it])),
  );
  const { globals, rest } = takeGlobalFlags(longForms(words, options), (arg) => {
    const option = named.get(arg.replace(/^--/, ""));
    return (arg.startsWith("--") && option !== undefined && !option.isSwitch) || arg === "--input";
  });
  const flags: Record<string, string[]> = {};
  let input: string | undefined;
  const parser = new Parser(path).exitOverride().helpOption(false).allowExcessArguments(true);
  parser.configureOutput({ writeErr: () => undefined, writeOut: () => undefined });
  for (const [name, option] of named)
    parser.option(`--${name} <value>`, option.description, (value: string) => {
      flags[option.key] = [...(flags[option.key] ?? []), value];
      return value;
    });
  if (verb.takesInput)
    parser.option("--input <file>", "", (value: string) => {
      input = value;
      return value;
    });
  try {
    parser.parse(spelledOut(path, rest, named), { from: "user" });
  } catch (error) {
    throw asUsage(error, path, [...named.keys()]);
  }
  return { globals, flags, args: positionals(path, verb, parser.args), input };
};

/** `-f` as `--field`, where a command has letters of its own. */
const longForms = (words: readonly string[], options: readonly Option[]): string[] =>
  words.map((word) => {
    const option = /^-[A-Za-z]$/.test(word) && options.find((it) => `-${it.short}` === word);
    return option ? `--${option.name}` : word;
  });

/**
 * `--strict`, `--no-strict` and `--strict true` as `--strict=true|false`, and what stands by its place
 * behind `--`: commander guesses at both, and takes `-2h` for a flag.
 */
const spelledOut = (
  path: string,
  words: readonly string[],
  named: ReadonlyMap<string, Option>,
): string[] => {
  const out: string[] = [];
  const places: string[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? "";
    if (word === "--") {
      places.push(...words.slice(index + 1));
      break;
    }
    const negated = word.startsWith("--no-") ? named.get(word.slice(5)) : undefined;
    const option = word.startsWith("--") ? named.get(word.slice(2)) : undefined;
    const next = words[index + 1];
    if (option?.isSwitch && (next === "true" || next === "false")) {
      out.push(`${word}=${next}`);
      index += 1;
    } else if (option?.isSwitch) out.push(`${word}=true`);
    else if (!option && negated?.isSwitch) out.push(`--${word.slice(5)}=false`);
    else if (isPlace(word)) places.push(word);
    else {
      out.push(word);
      if (!option && word !== "--input") continue;
      // As of a variable of a script that is not set: `--` is no text that anybody sends.
      if (next === undefined || next === "--") throw needsValue(path, word);
      out.push(next);
      index += 1;
    }
  }
  return [...out, "--", ...places];
};

const needsValue = (path: string, flag: string): Error =>
  usageError(`${flag} needs a value`, { todo: `msg ${path} --help shows what it takes` });

const isPlace = (word: string): boolean =>
  !word.startsWith("-") || word === "-" || /^-\d/.test(word);

const positionals = (
  path: string,
  verb: Verb,
  words: readonly string[],
): Record<string, string[]> => {
  const args: Record<string, string[]> = {};
  const left = [...words];
  for (const option of optionsOf(verb.args))
    args[option.key] =
      option.repeats && factsOf(option.schema).kind !== "json" ? left.splice(0) : left.splice(0, 1);
  if (left.length > 0)
    throw usageError(`msg ${path} takes no further word: '${left[0]}'`, {
      todo: `msg ${path} --help shows how it is used`,
    });
  return args;
};

const asUsage = (error: unknown, path: string, known: readonly string[]): unknown => {
  if (!(error instanceof CommanderError)) return error;
  const flag = /'(-[^' =]*)/.exec(error.message)?.[1] ?? "";
  if (/^-\d/.test(flag))
    return usageError(`msg ${path} has no flag ${flag}`, {
      code: "UnknownFlag",
      todo: `a value that begins with a minus sign stands behind --: msg ${path} -- ${flag}`,
    });
  const todo = `msg ${path} --help lists its flags`;
  const all = [...known, ...globalFlags.map((it) => it.name)].map((name) => `--${name}`);
  return usageError(`msg ${path} has no flag ${flag}${didYouMean(flag, all)}`, {
    code: "UnknownFlag",
    todo,
  });
};
