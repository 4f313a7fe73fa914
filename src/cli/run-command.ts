/** What every verb does: read flags, ask for what is missing, confirm, call, render. */
import { DryRunPreview } from "../client/dry-run.ts";
import { defaultRows } from "../contract/endpoint.ts";
import { invalidInput, MsgError } from "../errors.ts";
import { t } from "../locale/locale.ts";
import { selectFields } from "../output/fields.ts";
import { renderRecord, rowsAtOnce } from "../output/render.ts";
import type { Result } from "../output/view.ts";
import { confirm } from "../prompt/prompt.ts";
import { askMissing } from "./ask-missing.ts";
import type { CommandTable, Verb } from "./command.ts";
import type { Context } from "./context.ts";
import {
  type Option,
  optionsOf,
  positionalLabel,
  type ReadContext,
  readValues,
} from "./parse/flags.ts";
import {
  checkInput,
  placeInput,
  readObject,
  type UntypedInput,
  untypedInput,
} from "./parse/input.ts";
import type { ParsedLine } from "./parse/parse-line.ts";
import { flagsOf, needsSecondFactor } from "./parse/verb-flags.ts";
import { concernsMoney, isGuarded } from "./permissions.ts";
import { renderResult } from "./render-result.ts";
import { withWholeIds } from "./seen-ids.ts";

/** Runs the command of a line. Throws MsgError; a dry run ends in its own record. */
export const runCommand = async (
  base: Context,
  commands: CommandTable,
  typed: ParsedLine,
): Promise<void> => {
  const { verb } = typed;
  const shape = shapeOf(typed);
  const columns = selectFields(base.view, shape.columns, shape.fields);
  // Loaded by the few commands that may need it.
  const factor = needsSecondFactor(verb) ? await import("./second-factor.ts") : undefined;
  factor?.checkSecondFactorFlags(typed);
  const guarded = verb.endpoints.find(isGuarded);
  if (guarded) await (await import("./assert-permitted.ts")).assertPermitted(base, guarded);
  if (concernsMoney(verb)) await base.payments.reportOpen(base, factor !== undefined);
  const given = await readGiven(base, typed);
  const ctx = factor?.withSecondFactor(base, typed, given) ?? base;
  try {
    const derived = verb.endpoint ? placeInput(verb.endpoint, given) : given;
    const input = (await verb.input?.(ctx, given, derived)) ?? derived;
    if (verb.endpoint) checkInput(verb.endpoint, input, Object.keys(verb.args));
    // Before a person is asked: no one types what a protected profile refuses.
    if (verb.endpoint?.spends === "won") await ctx.session.assertMayCall(verb.endpoint, input);
    const asked = await verb.confirm?.(ctx, input, given);
    if (asked) await confirm(ctx, asked);
    const defaultRun = () => callEndpoint(ctx, verb, input, given);
    const result = await (verb.run?.(ctx, input, given, defaultRun, commands) ?? defaultRun());
    await renderResult(ctx, { ...verb, fields: shape.fields }, columns, result);
  } catch (error) {
    if (!(error instanceof DryRunPreview)) throw error;
    await renderRecord(ctx.io.out, ctx.view, ["method", "path", "body"], error.preview);
  }
};

/** The path of a file that cannot be read may be an empty variable: its flag is named as the place. */
export const withFlag = (error: unknown, { verb, flags }: ParsedLine): unknown => {
  if (!(error instanceof MsgError) || error.code !== "SourceNotReadable") return error;
  const { kind, message, todo, where: file } = error;
  const flag = flagsOf(verb).find((it) =>
    flags[it.key]?.some((one) => one.replace(/^@/, "") === file),
  );
  return error.reworded(kind, message, { where: flag && `--${flag.name}`, todo });
};

/** What is shown, and what `--fields` may name of it: a switch may show another kind of record. */
const shapeOf = ({ verb, flags }: ParsedLine): Pick<Verb, "columns" | "fields"> => {
  const isOn = (name: string): boolean => !["false", undefined].includes(flags[name]?.at(-1));
  const [, columns] = Object.entries(verb.alternateColumns).find(([name]) => isOn(name)) ?? [];
  if (columns === undefined) return verb;
  return { columns, fields: columns.map((it) => (typeof it === "string" ? it : it.name)) };
};

const readGiven = async (ctx: Context, typed: ParsedLine): Promise<UntypedInput> => {
  const { verb } = typed;
  const reading: ReadContext = {
    now: ctx.clock.now(),
    get timeZone() {
      return ctx.settings.timeZone.value;
    },
    readText: (file) => ctx.io.text(file),
  };
  const places = withWholeIds(ctx, typed.args);
  assertFilters(typed);
  const args = await readValues(optionsOf(verb.args), places, reading, positionalLabel);
  const flags = await readValues(flagsOf(verb), withWholeIds(ctx, typed.flags), reading);
  assertPeriod(flags);
  const { input } = verb.takesInput ? flags : {};
  const body = typeof input === "string" ? await readObject(ctx, input) : undefined;
  return askMissing(ctx, typed, { args, flags, body });
};

/** One of two values of a filter would be lost; an empty one, from an unset variable, would match everything. */
const assertFilters = ({ verb, flags }: ParsedLine): void => {
  const isFilter = ({ key, schema }: Option): boolean =>
    verb.endpoints.some(({ query }) => query?.[key] === schema);
  const problems = flagsOf(verb).flatMap((it) => {
    if (!isFilter(it) || it.isSwitch) return [];
    const given = flags[it.key] ?? [];
    const isRepeated = !it.repeats && new Set(given).size > 1;
    if (!isRepeated && !given.some((value) => /^((eq|like|in):)?$/.test(value))) return [];
    const text = isRepeated
      ? t`is given several times, and takes one value`
      : t`is empty: give a value, or leave it out`;
    return [{ code: "InvalidValue", field: `--${it.name}`, text }];
  });
  if (problems.length > 0) throw invalidInput(problems);
};

/** Both are times in one form, whose texts compare as the times do. */
const assertPeriod = ({ startDate = "", endDate = "~" }: Readonly<Record<string, unknown>>) => {
  if (String(endDate) < String(startDate))
    throw invalidInput([{ code: "InvalidValue", field: "--until", text: t`is before --since` }]);
};

const callEndpoint = async (
  ctx: Context,
  verb: Verb,
  input: UntypedInput,
  given: UntypedInput,
): Promise<Result> => {
  if (!verb.endpoint) throw new MsgError("fault", "a tool without a run of its own");
  const client = await ctx.session.client();
  if (!verb.endpoint.page) return { record: await client.call(verb.endpoint, untypedInput(input)) };
  // The number of rows to show is not the page size, which follows from both.
  const { limit = defaultRows, ...query } = input.query ?? {};
  const rows = given.flags?.all === true ? Number.POSITIVE_INFINITY : Number(limit);
  const paging = { rows, rowsAtOnce: rowsAtOnce(ctx.view) };
  return { pages: client.pages(verb.endpoint, untypedInput({ ...input, query }), paging) };
};
