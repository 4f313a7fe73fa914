/** What a command passes to the renderer, and how the flags of every command show it. */
import type { PageOf } from "../contract/endpoint.ts";
import type { Format } from "../contract/fields.ts";
import type { MsgError } from "../errors.ts";

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
  /** A byte order mark at the start of TSV and CSV, for spreadsheets. */
  readonly bom: boolean;
  /** A table shows every column whole, wider than the screen. */
  readonly wide?: boolean | undefined;
  /** IANA zone of times in tables and sentences; other formats keep the service's UTC text. */
  readonly timeZone: string;
  /** Print no notes, and of a written record only the id. */
  readonly quiet: boolean;
  /** In JSON print a list as `{items, nextKey}`, and a record with what is beside it. */
  readonly envelope: boolean;
  /** Show requests too. */
  readonly debug?: boolean | undefined;
  /** Undefined: CSV is written for spreadsheets, TSV only with a byte order mark. */
  readonly cells?: Cells | undefined;
}

/** A column of a table, TSV or CSV: a member of the row, or a name with a function of the row. */
export type Column<R> = (keyof R & string) | ComputedColumn<R>;

export interface ComputedColumn<R> {
  readonly name: string;
  readonly value: (row: R) => unknown;
  /** A table leaves it out first if the screen is narrow. */
  readonly isMinor?: boolean;
  /** A table leaves it out last: a value that a person acts on, such as a state. */
  readonly isVital?: boolean;
  /** A table never shortens it: its value is meant to be copied. */
  readonly isWhole?: boolean;
}

/** What a result may say beyond its data. */
interface ResultExtras {
  /** Columns other than the command's own. */
  readonly columns?: readonly Column<never>[];
  /** How its texts are written in CSV and TSV, if the format should not decide. */
  readonly cells?: Cells | undefined;
  /** What `--envelope` shows next to a record in JSON. */
  readonly beside?: Readonly<Record<string, unknown>> | undefined;
  /** Printed after the data; gives the exit code. */
  readonly ending?: MsgError | undefined;
}

/** What a run hands to the renderer. */
export type Result =
  | (ResultExtras & { readonly record: unknown })
  | (ResultExtras & { readonly rows: Iterable<unknown> | AsyncIterable<unknown> })
  | (ResultExtras & { readonly pages: AsyncIterable<PageOf<unknown>> })
  | { readonly text: string };
