/** The report of a run as a spreadsheet: all of its rows, and in front of them a summary with charts. */
import { t } from "../../../locale/locale.ts";
import { maxSheetRows, type Sheet, type SheetCell, workbook } from "../../../output/workbook.ts";
import type { Bar, OutcomeTally, ReportRow } from "./report-rows.ts";

/** Facts of a run in words, in order. */
export type ReportFacts = readonly (readonly [name: string, value: string | number])[];

const columns = ["to", "from", "type", "text", "status", "code", "meaning"] as const;
const widths = [16, 14, 8, 60, 12, 12, 40];

/** Its bytes; rows are counted by `tally` as they pass, and none is kept. */
export const xlsxReport = (
  facts: ReportFacts,
  rows: AsyncIterator<ReportRow>,
  tally: OutcomeTally,
): AsyncGenerator<Uint8Array> => workbook(sheetsOf(facts, rows, tally));

async function* sheetsOf(
  facts: ReportFacts,
  rows: AsyncIterator<ReportRow>,
  tally: OutcomeTally,
): AsyncGenerator<Sheet> {
  let next = await rows.next();
  async function* page(): AsyncGenerator<readonly SheetCell[]> {
    yield columns;
    for (let lines = 1; lines < maxSheetRows && !next.done; lines += 1) {
      const row = next.value;
      tally.add(row);
      yield columns.map((name) => row[name]);
      next = await rows.next();
    }
  }
  // What does not fit on a sheet continues on the next one.
  for (let number = 1; number === 1 || !next.done; number += 1)
    yield { name: number === 1 ? t`Rows` : t`Rows ${number}`, widths, rows: page() };
  yield summaryOf(facts, tally);
}

const summaryOf = (facts: ReportFacts, tally: OutcomeTally): Sheet => {
  const outcomes = tally.outcomeBars();
  const codes = tally.codeBars();
  const lineOf = ({ name, value, note }: Bar): readonly SheetCell[] => [name, value, note];
  const top: readonly (readonly SheetCell[])[] = [[t`run`, null], ...facts, []];
  const lines = [...top, [t`outcome`, t`rows`], ...outcomes.map(lineOf), []];
  const rest = [[t`failed with`, t`rows`, t`what to do`], ...codes.map(lineOf)];
  const letters = { names: "A", values: "B" };
  const charts = [
    { title: t`Rows by outcome`, firstLine: top.length + 2, bars: outcomes, ...letters },
    { title: t`Failures by code`, firstLine: lines.length + 2, bars: codes, ...letters },
  ];
  return {
    name: t`Summary`,
    widths: [44, 22, 44],
    rows: codes.length === 0 ? lines : [...lines, ...rest],
    charts: () => charts.filter(({ bars }) => bars.length > 0),
  };
};
