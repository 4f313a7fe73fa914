/** Writes a document that the service answered with into a file, or prints its record. */

import * as v from "valibot";
import type { Endpoint, Values } from "../contract/endpoint.ts";
import { file, flag } from "../contract/fields.ts";
import { invalidValue, usageError } from "../errors.ts";
import { t } from "../locale/locale.ts";
import { columnsNamed } from "../output/columns.ts";
import { assertFree, saveBytes } from "../output/save-file.ts";
import type { Result } from "../output/view.ts";
import { command } from "./command.ts";
import type { Context } from "./context.ts";

/** The flag of every command that writes a file. */
export const force = flag("replace an existing file");
const spreadsheetFile = file("spreadsheet to write, .xlsx");

/** The flags of such a command; the description says what `--out` writes. */
export const documentFlags = (description: string) => ({
  out: v.optional(file(description)),
  force,
});

/** Saves a file, and says so with `done`; a dry run only finds out whether it could be written. */
export const saveFile = async (
  { consent: { dryRun }, note }: Context,
  path: string,
  bytes: Uint8Array | AsyncIterable<Uint8Array>,
  flags: Values<{ force: typeof force }>,
  done?: string,
): Promise<void> => {
  await saveBytes(path, bytes, { ...flags, dryRun });
  const text = dryRun ? t`dry run: nothing was changed` : done;
  if (text !== undefined) await note(text);
};

/** Prints a record; writes a document, or a requested file, to its path. */
export const saveDocument = async (
  ctx: Context,
  { out, ...flags }: Values<ReturnType<typeof documentFlags>>,
  issue: () => Promise<{ readonly record: unknown }>,
): Promise<Result> => {
  // Requested only if it can be written.
  if (out !== undefined) await assertFree(out, flags);
  const result = await issue();
  const { record } = result;
  const bytes = record instanceof Uint8Array ? record : undefined;
  if (out === undefined) return bytes ? printed(ctx, bytes) : result;
  const content = bytes ?? Buffer.from(`${JSON.stringify(record, null, 2)}\n`);
  await saveFile(ctx, out, content, flags, t`written to ${out}`);
  return bytes ? { text: "" } : result;
};

const printed = async ({ io: { out } }: Context, bytes: Uint8Array): Promise<Result> => {
  if (out.isTTY)
    throw usageError(t`the answer of the service is a document`, {
      outcome: "done",
      todo: t`name a file for it: --out <file>`,
    });
  await out.writeBytes(bytes);
  return { text: "" };
};

/** A command that saves a spreadsheet; it is requested only if it can be written. */
export const spreadsheet = (
  endpoint: Endpoint & { readonly reply: v.GenericSchema<Uint8Array> },
  examples: readonly string[],
) =>
  command({
    endpoint,
    args: { file: spreadsheetFile },
    flags: { force },
    columns: columnsNamed("file", "bytes"),
    examples,
    run: async (ctx, _input, { args, flags }, defaultRun) => {
      await assertFree(args.file, flags);
      if (!/\.xlsx$/i.test(args.file))
        throw invalidValue(
          t`'${args.file}' does not end in .xlsx`,
          t`choose a name that ends in .xlsx: this is a spreadsheet, whatever it is called`,
        );
      const { record } = await defaultRun();
      await saveFile(ctx, args.file, record, flags);
      return { record: { file: args.file, bytes: record.length } };
    },
  });
