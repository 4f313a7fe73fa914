/** Writes the documents that the service offers for download. A file of its own in dist. */
import writeExcelFile from "write-excel-file/node";

export type Cell = string | number | null;

/** An xlsx of one sheet. Everything but a number is text: a spreadsheet keeps its zeros. */
export const writeSheet = async (
  headings: readonly string[],
  rows: readonly (readonly Cell[])[],
): Promise<Uint8Array> => {
  const head = headings.map((value) => ({ value, type: String, fontWeight: "bold" as const }));
  return writeExcelFile([head, ...rows.map((row) => row.map(cell))]).toBuffer();
};

const cell = (value: Cell) => {
  if (value === null) return null;
  return typeof value === "number" ? { value, type: Number } : { value, type: String };
};
