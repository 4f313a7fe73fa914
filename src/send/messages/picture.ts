/** `--image photo.jpg`: the picture is uploaded once for all machines, under the digest of its bytes. */

import { hash } from "node:crypto";
import { basename } from "node:path";
import { type FileType, listFiles, uploadFile } from "../../contract/storage.ts";
import { MsgError, unless, usageError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import type { Ports } from "../../ports.ts";
import { readAtMost } from "../sources/open-source.ts";
import type { MessageFlags } from "./message-flags.ts";

type PictureFlags = Pick<MessageFlags, "image" | "kakao"> & { estimate?: boolean | undefined };

/** The flags, with a fileId if `--image` names a file: for an MMS, or for a friend-talk. */
export const withPicture = async <F extends PictureFlags>(ctx: Ports, flags: F): Promise<F> => {
  const { image, kakao } = flags;
  // As from a `$(msg files upload …)` that failed: only the text would go out, for another price.
  if (image?.trim() === "") throw usageError(t`--image: there is no picture`);
  // An id has neither.
  if (image === undefined || !/[./\\]/.test(image)) return flags;
  const isKakao = kakao !== undefined && !kakao?.templateId;
  const imageId = await fileIdOf(ctx, image, isKakao ? "KAKAO" : "MMS", flags.estimate);
  return isKakao
    ? { ...flags, image: undefined, kakao: { ...kakao, imageId } }
    : { ...flags, image: imageId };
};

/**
 * The first file that was uploaded with these bytes. Other machines know rows by their messages, so all of them have
 * to name one file, and the list has to show the file of this upload.
 */
const fileIdOf = async (ctx: Ports, path: string, type: FileType, isOnlyPriced = false) => {
  const bytes = await readFileFor(ctx, type, path);
  const client = await ctx.session.client();
  const name = `sha256-${hash("sha256", bytes)}`;
  const uploaded = async () => {
    const { fileList } = await client.call(listFiles, { query: { name, type, limit: 1000 } });
    return fileList.filter((it) => it.name === name && it.type === type);
  };
  const known = (await uploaded()).at(-1);
  if (known) return known.fileId;
  if (ctx.consent.dryRun || isOnlyPriced) return `<${basename(path)}>`;
  const file = Buffer.from(bytes).toString("base64");
  // A lost answer does no harm: the file that it was about is in the list, or will be.
  const made = await unless(isUnknown, () =>
    client.call(uploadFile, { body: { file, type, name } }),
  );
  const all = await uploaded();
  const [first] = all.slice(-1);
  if (first === undefined || (made && !all.some((it) => it.fileId === made.fileId)))
    throw new MsgError("refused", t`the service's list of files does not show ${path}`, {
      code: "UnreadableAnswer",
      todo: t`run it again`,
    });
  await ctx.note(t`uploaded ${path} as ${first.fileId}`);
  return first.fileId;
};

const isUnknown = (error: unknown): boolean =>
  error instanceof MsgError && error.kind === "unknown";

/** More than storage takes for anything: a larger file is not read to its end. */
const maxBytes = 16 * 1024 * 1024;

/** The bytes of a file that storage takes for this use. Throws usage with the rule that the file breaks. */
export const readFileFor = async (
  ctx: Ports,
  type: FileType,
  path: string,
): Promise<Uint8Array> => {
  const bytes = await readAtMost(ctx.io.read(path), maxBytes);
  if (!bytes) throw refusedError(path, "FileSizeTooBig", t`the file is larger than 16 MB`);
  const { checkFile, isFault, describeRules } = await import("../../message/file-rules.ts");
  const checked = checkFile(type, bytes);
  if (isFault(checked)) throw refusedError(path, checked.code, checked.text, describeRules(type));
  return bytes;
};

const refusedError = (path: string, code: string, text: string, todo?: string): MsgError =>
  usageError(text, { code, where: path === "-" ? t`standard input` : path, todo });
