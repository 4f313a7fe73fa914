/** The step from a row to its messages: a pure function, built once for all rows of a source. */

import type { Template as KakaoTemplate } from "../../contract/kakao.ts";
import type { MessageInput } from "../../contract/message-records.ts";
import { type Problem, usageError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { advertisingChecks, allProblems, registrationChecks } from "../../message/check.ts";
import { askedNames } from "../../message/kakao-template.ts";
import { namedCountry, normaliseNumber, normaliseSender } from "../../message/numbers.ts";
import { type Filled, mergeValues, type Template, template } from "../../message/variables.ts";
import { emptyCode } from "../plan/skipped-rows.ts";
import { type Column, type ColumnOptions, mapColumns, textMembers } from "../sources/columns.ts";
import type { Row } from "../sources/rows.ts";
import { type Draft, draftOfCells, draftOfValue } from "./draft.ts";
import { createFastRows, type FastRows } from "./fast-rows.ts";
import { fillInnerTexts, hasInnerVariables } from "./fill-message.ts";
import { templateCheck } from "./template.ts";

export interface MessageOptions extends ColumnOptions {
  /** The members that the flags give every message; a value of the row overrides them. Texts may hold `#{name}`. */
  readonly defaults: MessageInput;
  /** Values of variables from `--var`; a value of the row overrides them. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
  readonly fixLeadingZero?: boolean | undefined;
  /** Each message is rendered with it, and checked. */
  readonly template?: KakaoTemplate | undefined;
  readonly allowEmpty?: boolean | undefined;
  /** Refuse characters that phones in Korea may not show. */
  readonly strict?: boolean | undefined;
  readonly isAdvertising?: boolean | undefined;
  /** The rows were filled before: a `#{…}` that is left in them is part of the text. */
  readonly areFilled?: boolean | undefined;
}

type Plan = ReturnType<typeof planOf>;

/**
 * Builds the step for a source with these columns (undefined for JSON), and the fast path for the rows that
 * can take it. Throws a usage error if columns are missing that every row would need.
 */
export const rowSteps = (columns: readonly string[] | undefined, options: MessageOptions) => {
  const plan = planOf(columns, options);
  return { step: (row: Row) => resultOf(row, plan), fast: () => fastRowsOf(plan) };
};

/** What is the same for every row. */
const planOf = (columns: readonly string[] | undefined, options: MessageOptions) => {
  const mapped = columns && mapColumns(columns, options);
  const { to: _, text: body, subject: title, ...fixed } = options.defaults;
  const text = body === undefined ? undefined : template(body);
  const subject = title === undefined ? undefined : template(title);
  const names = [
    ...(text?.names ?? []),
    ...(subject?.names ?? []),
    ...(options.template ? askedNames(options.template) : []),
  ];
  if (mapped) rejectUnknown(names, mapped, options);
  const hasNested = hasInnerVariables(options.defaults);
  const reported = new Set<string>();
  return {
    options,
    columns: mapped,
    members: inOrder(mapped?.filter((column) => column.members.length > 0) ?? []),
    /** Columns whose values the texts of the flags ask for. */
    asked:
      mapped?.filter((it) => hasNested || it.variables.some((name) => names.includes(name))) ?? [],
    /** What the flags say, without the texts that are filled for each row. */
    fixed,
    text,
    subject,
    checks: [
      ...registrationChecks({ strict: options.strict }),
      ...(options.isAdvertising ? advertisingChecks : []),
      ...(options.template ? [templateCheck(options.template)] : []),
    ],
    /** Reports each key of JSON rows that is taken as the recipient, once. */
    onRecipientKey: (key: string): void => {
      if (!reported.has(key)) options.onRecipient?.(key);
      reported.add(key);
    },
  };
};

/** The same rows make the same bodies in any order of the columns: a run is recognised by them. */
const inOrder = (columns: readonly Column[]): readonly Column[] => {
  const placeOf = ({ members }: Column) => textMembers.findIndex((it) => members.includes(it));
  return [...columns].sort((one, other) => placeOf(one) - placeOf(other));
};

/** Advertising, strict texts, and subjects that are filled take the full path. */
const fastRowsOf = (plan: Plan): FastRows | undefined => {
  const { options, columns, text, subject } = plan;
  const isPlain = !options.strict && !options.isAdvertising && (subject?.names ?? []).length === 0;
  if (!columns || !isPlain) return undefined;
  return createFastRows({
    columns,
    parts: text?.parts,
    values: options.variables ?? {},
    allowsEmpty: options.allowEmpty === true,
    check: (to, own) => {
      const problems: Problem[] = [];
      const draft = { message: { to, ...plan.fixed, text: own }, variables: {}, problems };
      const message = address(compose(draft, plan, problems), plan, problems);
      return problems.length === 0 ? message : undefined;
    },
  });
};

const rejectUnknown = (
  names: readonly string[],
  columns: readonly Column[],
  options: MessageOptions,
): void => {
  const known = new Set([
    ...Object.keys(options.variables ?? {}),
    ...columns.flatMap((column) => column.variables),
  ]);
  const unknown = names.find((name) => !known.has(name));
  if (unknown === undefined) return;
  throw usageError(t`#{${unknown}} has no column and no --var`, {
    code: "MissingVariable",
    where: options.name,
    todo: t`the columns are ${columns.map(({ source }) => source).join(", ")}`,
  });
};

/** The messages of a row, one for each recipient, or its problems. */
const resultOf = (row: Row, plan: Plan) => {
  if (row.problem) return { messages: [], problems: [row.problem] };
  const base: MessageInput = { to: "", ...plan.fixed };
  const draft = row.cells
    ? draftOfCells(base, row.cells, plan.members, variablesOf(row.cells, plan))
    : draftOfValue(base, row.value, plan.options.map ?? {});
  if (draft.recipientKey !== undefined) plan.onRecipientKey(draft.recipientKey);
  const problems: Problem[] = [...draft.problems];
  const message = compose(draft, plan, problems);
  const messages = draft.recipients
    ? draft.recipients.map((to) => address({ ...message, to }, plan, problems))
    : [address(message, plan, problems)];
  if (problems.length === 0) return { messages, problems };
  return { messages: [], problems: problems.map((it) => placed(it, row, plan)) };
};

/** The row's own text may ask for any column. */
const variablesOf = (cells: readonly string[], plan: Plan): readonly Column[] => {
  const hasOwn = plan.members.some(({ at }) => cells[at]?.includes("#{"));
  return hasOwn ? (plan.columns ?? []) : plan.asked;
};

/** Fills the texts: those of the row if it has them, else those of the flags. */
const compose = ({ message, variables }: Draft, plan: Plan, problems: Problem[]): MessageInput => {
  if (plan.options.areFilled) return message;
  const values = mergeValues(plan.options.variables, variables);
  const fill = (cut: Template, field: string) => filled(cut.fill(values), field, plan, problems);
  const text = ownOr(plan.text, message.text);
  if (text) message.text = fill(text, "text");
  const subject = ownOr(plan.subject, message.subject);
  if (subject) message.subject = fill(subject, "subject");
  if (message.type !== undefined) message.type = message.type.toUpperCase();
  return Object.assign(
    message,
    fillInnerTexts(message, (field, it) => fill(template(it), field)),
  );
};

/** The template to fill; undefined if the text of the row has no variables. */
const ownOr = (flag: Template | undefined, own: string | undefined): Template | undefined => {
  if (own === undefined) return flag;
  return own.includes("#{") ? template(own) : undefined;
};

const filled = (
  { text, unfilled, empty }: Filled,
  field: string,
  { options }: Plan,
  problems: Problem[],
): string => {
  for (const name of unfilled)
    problems.push({ code: "UnfilledVariable", field, text: t`#{${name}} has no value` });
  for (const name of options.allowEmpty ? [] : empty)
    problems.push({ code: emptyCode, field, text: t`#{${name}} is empty` });
  return text;
};

/** The message to one recipient, numbers normalised, checked as the service will check it. */
const address = (message: MessageInput, plan: Plan, problems: Problem[]): MessageInput => {
  const country = namedCountry(message.country);
  message.country = country;
  const typed = String(message.to);
  const { fixLeadingZero } = plan.options;
  const to = normaliseNumber(typed, { country, fixLeadingZero });
  message.to = to.digits ?? typed;
  if (to.problem) problems.push({ ...to.problem, field: "to" });
  const from = message.from === undefined ? undefined : normaliseSender(message.from, country);
  if (from?.digits !== undefined) message.from = from.digits;
  if (from?.problem) problems.push({ ...from.problem, field: "from" });
  const found = allProblems(message, plan.checks);
  if (found.length > 0) {
    const reported = new Set(problems.map(({ field }) => field));
    problems.push(...found.filter(({ field }) => !reported.has(field)));
  }
  return message;
};

/** The problem with its row, line, and the name of the column instead of the member's. */
const placed = (problem: Problem, row: Row, plan: Plan): Problem => {
  const column = plan.members.find(({ members }) =>
    members.some((member) => member === problem.field),
  );
  const isNumbered = plan.options.header === false && column !== undefined;
  const field = isNumbered ? `column ${column.source}` : (column?.source ?? problem.field);
  return { ...problem, field, row: row.number, line: problem.line ?? row.line };
};
