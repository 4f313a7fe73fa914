/** Spreadsheets, as downloads answer them. */
import { buffer } from "node:stream/consumers";
import { type SheetCell, workbook } from "../../output/workbook.ts";
import { validationError } from "../service.ts";

/** An xlsx of one sheet. */
export const spreadsheet = (
  headings: readonly string[],
  rows: readonly (readonly SheetCell[])[],
): Promise<Uint8Array> =>
  buffer(workbook([{ name: "Sheet1", widths: headings.map(() => 16), rows: [headings, ...rows] }]));

/** Throws Refusal 400 for an invalid number of rows of a sheet: the rule of every page. */
export const checkSheetRows = (limit: number, max: number): void => {
  if (Number.isInteger(limit) && limit >= 1 && limit <= max) return;
  throw validationError(`'limit' must be a whole number from 1 to ${max}, not ${limit}.`);
};
