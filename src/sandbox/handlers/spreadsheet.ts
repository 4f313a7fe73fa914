/** Rows as an xlsx document. */
/** What a cell holds. */
export type Cell = string | number | null;

/** A sheet with one line of headings. Everything but a number is text: a spreadsheet keeps its zeros. */
export const spreadsheet = async (
  headings: readonly string[],
  rows: readonly (readonly Cell[])[],
): Promise<Uint8Array> => {
  // Loaded when a document is asked for: most sandboxes never write one.
  const { default: writeExcelFile } = await import("write-excel-file/node");
  const head = headings.map((value) => ({ value, type: String, fontWeight: "bold" as const }));
  return writeExcelFile([head, ...rows.map((row) => row.map(cell))]).toBuffer();
};

const cell = (value: Cell) => {
  if (value === null) return null;
  return typeof value === "number" ? { value, type: Number } : { value, type: String };
};
