/** How results are shown: what the flags of every command decide. */
import type { Format } from "../contract/formats.ts";

/**
 * How CSV and TSV write texts: `exact` as they are, for a program that reads them back; `spreadsheet`
 * with an apostrophe before what a spreadsheet would calculate.
 */
export type Cells = "exact" | "spreadsheet";

export interface View {
  readonly format: Format;
  /** Columns or JSON members to show, in order; undefined shows the default columns. */
  readonly fields: readonly string[] | undefined;
  readonly header: boolean;
  /** A byte order mark in front of TSV and CSV, for spreadsheets. */
  readonly bom: boolean;
  /** IANA zone of times in tables; JSON keeps the service's UTC text. */
  readonly timeZone: string;
  /** Print the id of a written record only. */
  readonly quiet: boolean;
  /** Print a list as `{items, nextKey}`. */
  readonly envelope: boolean;
  /** Undefined: CSV is written for spreadsheets, TSV where a byte order mark asks for one. */
  readonly cells?: Cells | undefined;
}

/** A column of a table, TSV or CSV: a member of the row, or a name with a function of the row. */
export type Column<R> = (keyof R & string) | ComputedColumn<R>;

export interface ComputedColumn<R> {
  readonly name: string;
  readonly value: (row: R) => unknown;
}
