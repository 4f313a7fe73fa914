/** What a command hands to the renderer. */
import type { PageOf } from "../contract/endpoint.ts";
import type { MsgError } from "../errors.ts";
import type { Cells, Column } from "./view.ts";

interface Ending {
  /** Columns other than the command's own. */
  readonly columns?: readonly Column<never>[];
  /** How its texts are written in CSV and TSV, where the format is not to decide. */
  readonly cells?: Cells | undefined;
  /** Printed after the data; gives the exit code. */
  readonly ending?: MsgError | undefined;
}

/** What a run hands to the renderer. */
export type Result =
  | (Ending & { readonly record: unknown })
  | (Ending & { readonly rows: Iterable<unknown> | AsyncIterable<unknown> })
  | (Ending & { readonly pages: AsyncIterable<PageOf<unknown>> })
  | { readonly text: string };
