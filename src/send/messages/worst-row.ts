/** The row of a source that makes the longest text, or the one with the most problems. */

import { usageError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { type Examined, examine, outsideCode } from "../../message/examine.ts";
import { mergeValues, template } from "../../message/variables.ts";
import { type Column, targetsOf } from "../sources/columns.ts";
import type { Row, Rows } from "../sources/rows.ts";
import { type Draft, draftOfCells, draftOfValue } from "./draft.ts";

/** A text with variables, and what all rows share. */
export interface SharedText {
  /** Undefined if each row has its own. */
  readonly text: string | undefined;
  readonly subject: string | undefined;
  readonly type: string | undefined;
  readonly values: Readonly<Record<string, string>>;
  readonly isAdvertising: boolean;
}

/** The worst row, numbered from 1. Throws usage for a source without rows or texts. */
export const findWorstRow = async (
  rows: Rows,
  shared: SharedText,
  strict: boolean,
): Promise<Examined & { readonly row: number }> => {
  let worst: (Examined & { readonly row: number }) | undefined;
  let columns: readonly Column[] | undefined;
  let hasText = shared.text !== undefined;
  for await (const row of rows) {
    columns ??= columnsOf(rows.found.columns ?? []);
    const draft = row.problem ? undefined : draftOf(row, columns);
    hasText ||= draft === undefined || draft.message.text !== undefined;
    const examined = { row: row.number, ...examineRow(row, draft, shared) };
    if (worst === undefined || isWorse(examined, worst, strict)) worst = examined;
  }
  if (worst === undefined) throw usageError(t`there are no rows`, { code: "NoRows" });
  if (hasText) return worst;
  throw usageError(t`the rows have no text`, {
    code: "MissingValue",
    todo: t`give the text as an argument: ${example}`,
  });
};

const isWorse = (one: Examined, other: Examined, strict: boolean): boolean => {
  const wrong = ({ problems }: Examined): number =>
    problems.filter((it) => strict || it.code !== outsideCode).length;
  return wrong(one) === wrong(other) ? one.bytes > other.bytes : wrong(one) > wrong(other);
};

const columnsOf = (names: readonly string[]): readonly Column[] =>
  names.map((source, at) => ({ at, source, ...targetsOf(source, {}) }));

const draftOf = (row: Row, columns: readonly Column[]): Draft =>
  row.cells ? draftOfCells({}, row.cells, columns, columns) : draftOfValue({}, row.value, {});

const examineRow = (row: Row, draft: Draft | undefined, shared: SharedText): Examined => {
  const { message = {}, variables = {}, problems = [] } = draft ?? {};
  const { text = shared.text, subject = shared.subject, type = shared.type } = message;
  const values = mergeValues(shared.values, variables);
  const describe = (name: string): string => t`#{${name}} has no value`;
  const own = { ...shared, text, subject, type: type?.toUpperCase(), values };
  const broken = row.problem ? [row.problem] : problems;
  const flaws = broken.map((it) => flaw(it.code, it.text));
  const examined = examineFilled(own, describe);
  // What an unreadable row says is not known: that is not a text that lacks a value.
  return { ...examined, problems: row.problem ? flaws : [...flaws, ...examined.problems] };
};

const example = 'msg text check "#{name}님 …" --csv customers.csv';

/** A text and its subject, filled and examined; `describe` says that a variable has no value. */
export const examineFilled = (
  { text = "", subject, type, values, isAdvertising }: SharedText,
  describe: (name: string) => string,
): Examined => {
  const filled = template(text).fill(values);
  const title = subject === undefined ? undefined : template(subject).fill(values);
  const examined = examine({ text: filled.text, subject: title?.text, type }, isAdvertising);
  const names = new Set([...filled.unfilled, ...(title?.unfilled ?? [])]);
  const unfilled = [...names].map((name) => flaw("UnfilledVariable", describe(name)));
  return { ...examined, problems: [...unfilled, ...examined.problems] };
};

const flaw = (code: string, text: string) => ({ code, at: null, character: null, text });
