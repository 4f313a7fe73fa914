/** The row of a source that makes the longest text, or the one with most wrong. */

import { usageError } from "../../errors.ts";
import { asRecord } from "../../json/read-json.ts";
import { t } from "../../locale/locale.ts";
import { type Examined, examine, outsideCode } from "../../message/examine.ts";
import { mergeValues, template } from "../../message/variables.ts";
import { type TextMember, targetsOf } from "../sources/columns.ts";
import type { Row, Rows } from "../sources/rows.ts";

/** A text with variables, and what all rows share. */
export interface SharedText {
  /** Undefined where each row has its own. */
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
  for await (const row of rows) {
    const examined = { row: row.number, ...examineRow(row, rows.found.columns ?? [], shared) };
    if (worst === undefined || isWorse(examined, worst, strict)) worst = examined;
  }
  if (worst !== undefined) return worst;
  throw usageError(t`there are no rows`, { code: "NoRows" });
};

const isWorse = (one: Examined, other: Examined, strict: boolean): boolean => {
  const wrong = ({ problems }: Examined): number =>
    problems.filter((it) => strict || it.code !== outsideCode).length;
  return wrong(one) === wrong(other) ? one.bytes > other.bytes : wrong(one) > wrong(other);
};

const examineRow = (row: Row, columns: readonly string[], shared: SharedText): Examined => {
  const own = row.cells
    ? columns.map((column, at) => [column, row.cells?.[at] ?? ""] as const)
    : textsOf(row.value);
  const member = (name: TextMember): string | undefined =>
    own.find(([column]) => targetsOf(column, {}).members.includes(name))?.[1];
  const text = member("text") || shared.text;
  if (text === undefined) {
    throw usageError(t`the rows have no text`, {
      code: "MissingValue",
      todo: t`give the text as an argument: ${example}`,
    });
  }
  const subject = member("subject") || shared.subject;
  const type = member("type")?.toUpperCase() || shared.type;
  const values = mergeValues(shared.values, Object.fromEntries(own));
  const describe = (name: string): string => t`#{${name}} has no value`;
  const examined = examineFilled({ ...shared, text, subject, type, values }, describe);
  const broken = row.problem ? [flaw(row.problem.code, row.problem.text)] : [];
  return { ...examined, problems: [...broken, ...examined.problems] };
};

const example = 'msg text check "#{name}님 …" --csv customers.csv';

/** A text and its subject, filled and examined; `describe` says of a variable that it has no value. */
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

const textsOf = (value: unknown) =>
  Object.entries(asRecord(value)).flatMap(([name, it]) =>
    typeof it === "string" || typeof it === "number" ? [[name, String(it)] as const] : [],
  );
