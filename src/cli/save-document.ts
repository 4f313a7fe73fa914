/** What the commands share that write an answer of the service into a file. */
import * as v from "valibot";
import { file, flag } from "../contract/fields.ts";
import { usageError } from "../errors.ts";
import { asRecord } from "../json/read-json.ts";
import { assertFree, saveBytes } from "../output/files.ts";
import type { Result } from "../output/result.ts";
import type { Context } from "./context.ts";

/** The flags of every paper; `what` names it. */
export const documentFlags = (what: string) => ({
  out: v.optional(file(`write the ${what} into this file`)),
  force: flag("replace the file when it is there"),
});

interface Wish {
  readonly out?: string | undefined;
  readonly force?: boolean | undefined;
}

/** A record is printed; what is a document, or is wanted in a file, is written there. */
export const saveDocument = async (
  ctx: Context,
  { out, force }: Wish,
  issue: () => Promise<object>,
): Promise<Result> => {
  // Asked for only when there is a place for it.
  if (out !== undefined) await assertFree(out, { force });
  const reply = await issue();
  const bytes = reply instanceof Uint8Array ? reply : undefined;
  if (out === undefined) return bytes ? printed(ctx, bytes) : { record: reply };
  await saveBytes(out, bytes ?? Buffer.from(`${JSON.stringify(reply, null, 2)}\n`), { force });
  await ctx.note(`written to ${out}`);
  return bytes ? { text: "" } : { record: reply };
};

const printed = async ({ io: { out } }: Context, bytes: Uint8Array): Promise<Result> => {
  if (out.isTTY)
    throw usageError("the service answered a document", {
      outcome: "done",
      todo: "name a file for it: --out <file>",
    });
  await out.writeBytes(bytes);
  return { text: "" };
};

const member = (name: "file" | "bytes") => ({ name, value: (row: unknown) => asRecord(row)[name] });

/** What was written where. */
export const downloadColumns = [member("file"), member("bytes")];

/** Asks for the document only when there is a place for it. */
export const download = async (
  path: string,
  { force }: { readonly force?: boolean | undefined },
  get: () => Promise<Uint8Array>,
): Promise<Result> => {
  await assertFree(path, { force });
  const bytes = await get();
  await saveBytes(path, bytes, { force });
  return { record: { file: path, bytes: bytes.length } };
};
