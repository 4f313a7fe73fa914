/** The line of a command as it would be typed again. */
import type { Verb } from "../command.ts";
import { formatTyped, optionsOf } from "../parse/flags.ts";
import type { ParsedLine } from "../parse/parse.ts";
import { flagsOf, secondFactorFlags } from "../parse/verb-flags.ts";

/** What was typed, with what was answered to questions; secrets and one-time codes are never on it. */
export const formatCommandLine = (
  path: string,
  verb: Verb,
  typed: ParsedLine,
  answers: Readonly<Record<string, string>>,
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
      return values.map((value) => `--${it.name} ${quoted(value)}`);
    });
  // Without its --sandbox or --profile the line would reach another account.
  const globals = Object.entries(typed.globals).map(([name, value]) =>
    value === true ? `--${name}` : `--${name} ${quoted(value)}`,
  );
  const positional = words.filter((it) => it !== "").map(quoted);
  const input = typed.input === undefined ? [] : [`--input ${quoted(typed.input)}`];
  return ["msg", path, ...positional, ...globals, ...flags, ...input].join(" ");
};

const quoted = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
