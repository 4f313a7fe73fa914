/** What each output format is: pages of rows, or one record, turned into text. */

export interface Renderer {
  /** The next rows of a list; the first call brings what stands in front of them. */
  page(rows: readonly unknown[]): string;
  /** What stands behind the rows; `nextKey` is how the list goes on, if it does. */
  end(nextKey: string | undefined): string;
  record(record: unknown): string;
}
