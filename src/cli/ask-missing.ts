/** Required values that were not given: asked for on a terminal, named in an error elsewhere. */

import type { Endpoint } from "../contract/endpoint.ts";
import { describe, factsOf, isOptional, itemOf, membersOf, unwrap } from "../contract/fields.ts";
import { usageError } from "../errors.ts";
import { asRecord } from "../json/read-json.ts";
import { t, translated } from "../locale/locale.ts";
import type { Choice } from "../prompt/questions.ts";
import type { Question, Verb } from "./command.ts";
import type { Context } from "./context.ts";
import {
  formatTyped,
  type Option,
  optionsOf,
  placeholder,
  type ReadContext,
  readOption,
  readValues,
} from "./parse/flags.ts";
import type { UntypedInput } from "./parse/input.ts";
import { formatCommandLine, type ParsedLine } from "./parse/parse-line.ts";
import { flagsOf } from "./parse/verb-flags.ts";

/** Completes the given values. The questions come in the order of the body, what is not of it first. */
export const askMissing = async (
  ctx: Context,
  typed: ParsedLine,
  given: UntypedInput,
): Promise<UntypedInput> => {
  const { path, verb } = typed;
  const args = optionsOf(verb.args).filter(
    (it) => given.args?.[it.key] === undefined && !isOptional(it.schema),
  );
  const requiredKeys = verb.requires?.(ctx, given.flags ?? {}) ?? [];
  const flags = flagsOf(verb).filter(
    (it) =>
      given.flags?.[it.key] === undefined &&
      (requiredKeys.includes(it.key) || isNeeded(verb, it, given)),
  );
  const secrets = secretsOf(verb.endpoint, given);
  if (args.length + flags.length + secrets.length === 0) return given;
  if (!ctx.ask) throw missingError(path, args, flags, secrets);
  const answers: Record<string, string> = {};
  const body: Record<string, unknown> = { ...asRecord(given.body) };
  const members = Object.keys(verb.endpoint?.body?.entries ?? {});
  const asked = [...args, ...flags, ...secrets.map(([key, words]) => ({ key, words }))];
  // A card is asked for as everywhere: its number would be typed at a first question that shows it.
  asked.sort((one, other) => members.indexOf(one.key) - members.indexOf(other.key));
  for (const one of asked) {
    const question = verb.questions[one.key] ?? {};
    if ("words" in one) body[one.key] = await ctx.ask.hidden(`${translated(one.words)}:`, question);
    else answers[one.key] = await askOne(ctx, ctx.ask, one, question);
  }
  const onStdin = secrets.length > 0 && given.body === undefined ? " --input -" : "";
  const line = `${formatCommandLine(typed, answers)}${onStdin}`;
  await ctx.note(t`the same without questions: ${line}`);
  return {
    isPrompted: true,
    args: { ...given.args, ...(await convert(ctx, args, answers)) },
    flags: { ...given.flags, ...(await convert(ctx, flags, answers)) },
    body: secrets.length > 0 || given.body !== undefined ? body : undefined,
  };
};

/** A required flag that `--input` does not supply either. */
const isNeeded = ({ endpoint }: Verb, { key, required }: Option, given: UntypedInput): boolean => {
  const isMember = endpoint?.body !== undefined && Object.hasOwn(endpoint.body.entries, key);
  return required && !(isMember && asRecord(given.body)[key] !== undefined);
};

/** Required members of the body that are no flags, and are not given. */
export const secretsOf = (
  endpoint: Endpoint | undefined,
  given: UntypedInput = {},
): [string, string][] =>
  Object.entries(endpoint?.body ? membersOf(endpoint.body) : {}).flatMap(([name, schema]) =>
    factsOf(schema).kind === "secret" &&
    !isOptional(schema) &&
    asRecord(given.body)[name] === undefined
      ? [[name, translated(describe(schema))]]
      : [],
  );

const askOne = async (
  ctx: Context,
  ask: NonNullable<Context["ask"]>,
  option: Option,
  asked: Question,
): Promise<string> => {
  // One value is asked for, of a flag that may be repeated, too.
  const schema = unwrap(itemOf(option.schema) ?? option.schema);
  const question = `${translated(asked.question ?? (option.description || option.name))}:`;
  if (typeof asked.choices === "function") return pick(ctx, ask, question, asked.choices);
  if (asked.choices)
    return ask.choose(
      question,
      asked.choices.map(({ value, label }) => ({ value, label: translated(label) })),
    );
  if (schema.type !== "picklist")
    return ask.text(question, {
      check: async (text) => {
        if (text.trim() === "") return t`a value is required`;
        const wrong = await asked.check?.(text);
        const typed = [formatTyped(option, text)];
        return wrong ?? (await readOption(option, typed, readingAnswers(ctx))).problem;
      },
    });
  const choices = placeholder(option.schema)
    .split("|")
    .map((value) => ({ value, label: value }));
  return ask.choose(question, choices);
};

/** A single choice is not asked for but named; the operator can decline what follows. */
const pick = async (
  ctx: Context,
  ask: NonNullable<Context["ask"]>,
  question: string,
  read: (ctx: Context) => Promise<readonly Choice[]>,
): Promise<string> => {
  const choices = await read(ctx);
  const [only] = choices;
  if (choices.length !== 1 || only === undefined) return ask.choose(question, choices);
  await ctx.note(`${question} ${only.label}`);
  return only.value;
};

const convert = (
  ctx: Context,
  options: readonly Option[],
  answers: Readonly<Record<string, string>>,
) =>
  readValues(
    options,
    Object.fromEntries(options.map((it) => [it.key, [formatTyped(it, answers[it.key] ?? "")]])),
    readingAnswers(ctx),
  );

/** Text typed at a prompt is the value itself: nothing is read from a file. */
const readingAnswers = ({ clock, settings }: Context): ReadContext => ({
  now: clock.now(),
  timeZone: settings.timeZone.value,
  readText: async () => "-",
});

const missingError = (
  path: string,
  args: readonly Option[],
  flags: readonly Option[],
  secrets: readonly [string, string][],
): Error => {
  const names = [...args.map((it) => `<${it.name}>`), ...flags.map((it) => `--${it.name}`)];
  const hidden = secrets.map(([name]) => name);
  const what = [...names, ...hidden].join(", ");
  return usageError(t`msg ${path} needs ${what}`, {
    code: "MissingValue",
    todo:
      hidden.length > 0
        ? t`give ${hidden.join(", ")} in a JSON object with --input -, or run it in a terminal`
        : t`msg ${path} --help describes each`,
  });
};
