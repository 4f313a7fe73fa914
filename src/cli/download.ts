/** What the commands that write a document to a file share. */
import { memberOf } from "../json/read-json.ts";
import { assertFree, saveBytes } from "../output/files.ts";
import type { Result } from "../output/result.ts";

/** What was written where. */
export interface Downloaded {
  readonly file: string;
  readonly bytes: number;
}

export const downloadColumns = [
  { name: "file", value: (row: unknown) => memberOf(row, "file") },
  { name: "bytes", value: (row: unknown) => memberOf(row, "bytes") },
] as const;

/** Asks for the document only when there is a place for it. */
export const download = async (
  path: string,
  { force }: { readonly force?: boolean | undefined },
  get: () => Promise<Uint8Array>,
): Promise<Result> => {
  await assertFree(path, { force });
  const bytes = await get();
  await saveBytes(path, bytes, { force });
  const record: Downloaded = { file: path, bytes: bytes.length };
  return { record };
};
