import { extname, join } from "node:path";
import { command } from "../../cli/command.ts";
import type { Context } from "../../cli/context.ts";
import { force } from "../../cli/save-document.ts";
import { file, id } from "../../contract/fields.ts";
import { bodyAt, bodyPath, getFile, type StoredFile } from "../../contract/storage.ts";
import { MsgError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { formatFigure } from "../../message/price.ts";
import { assertFree, isFolder, safeName, saveBytes } from "../../output/save-file.ts";

/** The bytes are at the record's `url`, which may be on any host: no credentials go there. */
export default command({
  endpoint: getFile,
  args: { fileId: id("the file"), path: file("file or folder to save it in") },
  flags: { force },
  columns: ["fileId", "type", "name", { name: "size", value: (row) => row.fileSize }],
  examples: [
    "msg files download <fileId> photo.jpg --sandbox",
    "msg files download <fileId> .",
    "msg files download <fileId> photo.jpg --force",
  ],
  run: async (ctx, _input, { args, flags }, defaultRun) => {
    const toFolder = await isFolder(args.path);
    if (!toFolder) await assertFree(args.path, flags);
    const { record } = await defaultRun();
    const path = toFolder ? join(args.path, nameOf(record)) : args.path;
    if (ctx.consent.dryRun) {
      await ctx.note(t`would save ${record.url} as ${path}`);
      return { record };
    }
    const bytes = await bodyOf(ctx, record);
    await saveBytes(path, bytes, flags);
    await ctx.note(t`saved ${formatFigure(bytes.length)} bytes as ${path}`);
    return { record };
  },
});

/** The record's name; if it has no extension, with the one that the service found. */
const nameOf = ({ name, originalName, fileId }: StoredFile): string => {
  const own = safeName(name);
  if (own === undefined) return safeName(fileId) ?? "file";
  return extname(own) === "" ? (safeName(`${own}${extname(originalName)}`) ?? own) : own;
};

const bodyOf = async (ctx: Context, record: StoredFile): Promise<Uint8Array> => {
  const url = URL.canParse(record.url) ? new URL(record.url) : undefined;
  if (url === undefined)
    throw brokenError(t`the service gave no valid address: '${record.url}'`, record);
  // The sandbox in this process serves the bytes itself; no server answers at its address.
  const client = ctx.settings.sandbox
    ? await ctx.session.client()
    : await ctx.session.clientAt(url.origin, undefined);
  const bytes = await client.call(bodyAt(bodyPath(url)), {});
  if (record.fileSize !== null && record.fileSize !== bytes.length)
    throw brokenError(t`only ${bytes.length} of ${record.fileSize} bytes arrived`, record);
  return bytes;
};

const brokenError = (what: string, { url }: StoredFile): MsgError =>
  new MsgError("refused", what, {
    code: "UnreadableAnswer",
    where: url,
    outcome: "refused",
    todo: t`nothing was saved; try again`,
  });
