/** The story that every verb tells: read flags, complete, rehearse or confirm, call, render. */
import * as v from "valibot";
import { DryRunPreview } from "../client/dry-run.ts";
import type { Endpoint } from "../contract/endpoint.ts";
import { factsOf, isOptional, kebab, membersOf } from "../contract/fields.ts";
import { invalidInput, MsgError, type Problem } from "../errors.ts";
import { selectFields } from "../output/fields.ts";
import { renderRecord } from "../output/render.ts";
import type { Result } from "../output/result.ts";
import { confirm } from "../prompt/confirm.ts";
import { askMissing } from "./ask-missing.ts";
import type { CommandTable, Verb } from "./command.ts";
import type { Context } from "./context.ts";
import { describeIssue } from "./parse/describe-issue.ts";
import { optionsOf, positionalLabel, type ReadContext, readValues } from "./parse/flags.ts";
import { listPages, type UntypedInput, untypedInput } from "./parse/input.ts";
import type { ParsedLine } from "./parse/parse.ts";
import { readObject, readText } from "./parse/read-text.ts";
import { flagsOf, needsSecondFactor } from "./parse/verb-flags.ts";
import { movesMoney, needsCallerCheck } from "./permissions.ts";
import { renderResult } from "./render-result.ts";

/** Runs a verb with what was typed. Throws MsgError; a rehearsal ends in its own record. */
export const runCommand = async (
  base: Context,
  commands: CommandTable,
  path: string,
  verb: Verb,
  typed: ParsedLine,
): Promise<void> => {
  const shape = shapeOf(verb, typed);
  const columns = selectFields(base.view, shape.columns, shape.fields);
  // Loaded by the few commands that may need it.
  const factor = needsSecondFactor(verb) ? await import("./second-factor.ts") : undefined;
  factor?.checkSecondFactorFlags(typed);
  if (needsCallerCheck(verb))
    await (await import("./assert-permitted.ts")).assertPermitted(base, verb);
  if (movesMoney(verb)) await base.payments.reportOpen(base);
  const given = await readGiven(base, path, verb, typed);
  const ctx = factor?.withSecondFactor(base, path, verb, typed, given) ?? base;
  try {
    const input = await verb.input(ctx, given);
    if (verb.endpoint) checkInput(verb.endpoint, input, Object.keys(verb.args));
    const asked = verb.confirm(input, given);
    if (asked) await confirm(ctx, asked);
    const result = await verb.run(
      ctx,
      input,
      given,
      () => defaultRun(ctx, verb, input, given),
      commands,
    );
    await renderResult(ctx, { ...verb, fields: shape.fields }, columns, result);
  } catch (error) {
    if (!(error instanceof DryRunPreview)) throw error;
    await renderRecord(ctx.io.out, ctx.view, ["method", "path", "body"], error.preview);
  }
};

/** What is shown, and what `--fields` may name of it: a switch may show another kind of record. */
const shapeOf = (verb: Verb, { flags }: ParsedLine): Pick<Verb, "columns" | "fields"> => {
  const isOn = (name: string): boolean => !["false", undefined].includes(flags[name]?.at(-1));
  const [, columns] = Object.entries(verb.alternateColumns).find(([name]) => isOn(name)) ?? [];
  if (columns === undefined) return verb;
  return { columns, fields: columns.map((it) => (typeof it === "string" ? it : it.name)) };
};

const readGiven = async (
  ctx: Context,
  path: string,
  verb: Verb,
  typed: ParsedLine,
): Promise<UntypedInput> => {
  const reading: ReadContext = {
    now: ctx.clock.now(),
    get timeZone() {
      return ctx.settings.timeZone.value;
    },
    readText: (file) => readText(ctx, file),
  };
  const args = await readValues(optionsOf(verb.args), typed.args, reading, positionalLabel);
  const flags = await readValues(flagsOf(verb), typed.flags, reading);
  const body = typed.input === undefined ? undefined : await readObject(ctx, typed.input);
  const complete = await askMissing(ctx, path, verb, { args, flags, body }, typed);
  return complete;
};

/** The contract's schema at the door: nothing that the service would refuse as malformed leaves. */
const checkInput = (endpoint: Endpoint, input: UntypedInput, args: readonly string[]): void => {
  if (!endpoint.body) return;
  const result = v.safeParse(endpoint.body, input.body, { message: describeIssue });
  if (result.success) return;
  const members = membersOf(endpoint.body);
  const problems: Problem[] = result.issues.map((issue) => {
    const path = v.getDotPath(issue) ?? "";
    const member = members[path];
    const isFlag = member !== undefined && factsOf(member).kind !== "secret";
    const name = isFlag ? (factsOf(member).flag ?? kebab(path)) : path;
    const field = args.includes(path) ? `<${name}>` : isFlag ? `--${name}` : name;
    const missing = issue.received === "undefined" && !(member && isOptional(member));
    return { code: "InvalidValue", field, text: missing ? "is missing" : issue.message };
  });
  throw invalidInput(problems);
};

const defaultRun = async (
  ctx: Context,
  verb: Verb,
  input: UntypedInput,
  given: UntypedInput,
): Promise<Result> => {
  if (!verb.endpoint) throw new MsgError("fault", "a tool without a run of its own");
  const client = await ctx.session.client();
  if (verb.endpoint.page)
    return { pages: listPages(client, verb.endpoint, input, given.flags ?? {}) };
  return { record: await client.call(verb.endpoint, untypedInput(input)) };
};
