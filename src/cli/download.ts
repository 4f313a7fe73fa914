/** What the commands that write a document to a file share. */
import { assertFree, saveBytes } from "../output/files.ts";
import type { Result } from "../output/result.ts";

/** What was written where. */
export interface Downloaded {
  readonly file: string;
  readonly bytes: number;
}

export const downloadColumns = [
  { name: "file", value: (row: unknown) => member(row, "file") },
  { name: "bytes", value: (row: unknown) => member(row, "bytes") },
] as const;

const member = (row: unknown, name: keyof Downloaded): unknown =>
  typeof row === "object" && row !== null ? Reflect.get(row, name) : undefined;

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
