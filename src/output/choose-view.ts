/** The view that flags and settings ask for. */

import type { Format } from "../contract/formats.ts";
import type { View } from "./view.ts";

export interface ViewChoice {
  /** From `-o`, MSG_OUTPUT or the profile; undefined where nobody chose. */
  readonly format: Format | undefined;
  /** The value of `--fields`: `a,b.c`. */
  readonly fields: string | undefined;
  readonly noHeader: boolean;
  readonly bom: boolean;
  readonly timeZone: string;
  readonly quiet: boolean;
  readonly envelope: boolean;
  /** Whether standard output is a terminal. */
  readonly isTTY: boolean;
}

/**
 * A table on a terminal, TSV without a header into a pipe; a format that was chosen has a header
 * unless `--no-header` says otherwise.
 */
export const chooseView = (choice: ViewChoice): View => ({
  format: choice.format ?? (choice.isTTY ? "table" : "tsv"),
  fields: choice.fields === undefined ? undefined : namesIn(choice.fields),
  header: !choice.noHeader && (choice.format !== undefined || choice.isTTY),
  bom: choice.bom,
  get timeZone() {
    return choice.timeZone;
  },
  quiet: choice.quiet,
  envelope: choice.envelope,
});

const namesIn = (fields: string): string[] =>
  fields
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
