import { basename } from "node:path";
import { command } from "../../cli/command.ts";
import type { Context } from "../../cli/context.ts";
import { file } from "../../contract/fields.ts";
import { type FileType, uploadFile } from "../../contract/storage.ts";
import { type MsgError, usageError } from "../../errors.ts";

/** More than storage takes for anything: a larger file is not read to its end. */
const mostBytes = 16 * 1024 * 1024;

export default command({
  endpoint: uploadFile,
  args: { path: file("the file, - for standard input") },
  hiddenMembers: ["file"],
  columns: [
    "fileId",
    "type",
    "name",
    { name: "size", value: (row) => row.fileSize },
    "width",
    "height",
    "link",
    "url",
  ],
  examples: [
    "msg files upload photo.jpg --type MMS --sandbox",
    "msg files upload banner.png --type KAKAO --link https://example.com",
    'msg send --to 01000000001 --text Look --image "$(msg files upload photo.jpg --type MMS -q)"',
    "msg files upload paper.pdf -n",
  ],
  input: async (ctx, { args }, { body: given }) => {
    const { type = "DOCUMENT", link } = given;
    const bytes = await readAll(ctx, args.path);
    await check(type, args.path, bytes);
    const name = given.name ?? (args.path === "-" ? undefined : basename(args.path));
    const body = { file: Buffer.from(bytes).toString("base64"), type, name, link };
    return { body };
  },
});

const readAll = async (ctx: Context, path: string): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of ctx.io.read(path)) {
    size += chunk.length;
    if (size > mostBytes) throw refused(path, "FileSizeTooBig", "the file is larger than 16 MB");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

/** The service's own rules, before anything is sent. */
const check = async (type: FileType, path: string, bytes: Uint8Array): Promise<void> => {
  const {
    checkFile,
    isFault,
    describeRules: rulesInWords,
  } = await import("../../message/file-rules.ts");
  const checked = checkFile(type, bytes);
  if (isFault(checked)) throw refused(path, checked.code, checked.text, rulesInWords(type));
};

const refused = (path: string, code: string, text: string, todo?: string): MsgError =>
  usageError(text, {
    code,
    where: path === "-" ? "standard input" : path,
    todo,
  });
