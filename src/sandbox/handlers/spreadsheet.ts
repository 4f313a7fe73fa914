/** Rows as an xlsx document. */
import { type Caller, validationError } from "../service.ts";

/** What a cell holds. */
export type Cell = string | number | null;

/** A sheet with one line of headings. Everything but a number is text: a spreadsheet keeps its zeros. */
export const spreadsheet = async (
  headings: readonly string[],
  rows: readonly (readonly Cell[])[],
): Promise<Uint8Array> => {
  // Loaded late: only a sandbox that writes a document needs it.
  const { default: writeExcelFile } = await import("write-excel-file/node");
  const head = headings.map((value) => ({ value, type: String, fontWeight: "bold" as const }));
  return writeExcelFile([head, ...rows.map((row) => row.map(cell))]).toBuffer();
};

/** Throws Refusal 400 for a number of rows that no sheet has: the rule of every page. */
export const checkSheetRows = (limit: number, max: number): void => {
  if (Number.isInteger(limit) && limit >= 1 && limit <= max) return;
  throw validationError(`'limit' must be a whole number from 1 to ${max}, not ${limit}.`);
};

/** There are no sub-accounts: what belongs to one, or to another's, is nothing, and never the caller's own. */
export const isOfAnother = (named: string | undefined, { accountId }: Caller): boolean =>
  named !== undefined && named !== accountId;

const cell = (value: Cell) => {
  if (value === null) return null;
  return typeof value === "number" ? { value, type: Number } : { value, type: String };
};
