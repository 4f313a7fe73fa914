/** `--image photo.jpg`: the picture is uploaded once, and its fileId remembered by what it shows. */

import { hash } from "node:crypto";
import { basename } from "node:path";
import { type FileType, getFile, uploadFile } from "../../contract/storage.ts";
import { quietly } from "../../durable/files.ts";
import { MsgError, usageError } from "../../errors.ts";
import { asRecord } from "../../json/read-json.ts";
import { t } from "../../locale/locale.ts";
import type { Ports } from "../../ports.ts";
import { unless } from "../guards/account.ts";
import { readAtMost } from "../sources/open-source.ts";
import { readRemembered, remember } from "../store/remembered.ts";
import type { MessageFlags } from "./message.ts";

/** The flags with a fileId where `--image` names a file: of an MMS, or of a friend-talk. */
export const withPicture = async <F extends Pick<MessageFlags, "image" | "kakao">>(
  ctx: Ports,
  flags: F,
): Promise<F> => {
  const { image, kakao } = flags;
  // As of `$(msg files upload …)` that failed: the text alone would go out, for another price.
  if (image?.trim() === "") throw usageError(t`--image: there is no picture`);
  // An id has neither.
  if (image === undefined || !/[./\\]/.test(image)) return flags;
  const isKakao = kakao !== undefined && !kakao?.templateId;
  const imageId = await fileIdOf(ctx, image, isKakao ? "KAKAO" : "MMS");
  return isKakao
    ? { ...flags, image: undefined, kakao: { ...kakao, imageId } }
    : { ...flags, image: imageId };
};

const fileIdOf = async (ctx: Ports, path: string, type: FileType): Promise<string> => {
  const bytes = await readFileFor(ctx, type, path);
  if (ctx.consent.dryRun) return `<${basename(path)}>`;
  const digest = hash("sha256", bytes);
  const key = [ctx.settings.profile.value, ctx.settings.baseUrl.value ?? "", type, digest].join(
    " ",
  );
  const ids = () => asRecord(readRemembered(ctx, picturesFile));
  const known = ids()[key];
  if (typeof known === "string" && (await isThere(ctx, known))) return known;
  const client = await ctx.session.client();
  const file = Buffer.from(bytes).toString("base64");
  const body = { file, type, name: basename(path) };
  const { fileId } = await client.call(uploadFile, { body });
  // Where the file cannot be written, the picture is uploaded again another time.
  quietly(() => remember(ctx, picturesFile, { ...ids(), [key]: fileId }));
  await ctx.note(t`uploaded ${path} as ${fileId}`);
  return fileId;
};

const isThere = async (ctx: Ports, fileId: string): Promise<boolean> => {
  const client = await ctx.session.client();
  const isMissing = (error: unknown) => error instanceof MsgError && error.kind === "missing";
  const file = await unless(isMissing, () => client.call(getFile, { params: { fileId } }));
  return file !== undefined;
};

const picturesFile = "pictures.json";

/** More than storage takes for anything: a larger file is not read to its end. */
const maxBytes = 16 * 1024 * 1024;

/** The bytes of a file that storage takes for this use. Throws usage with the rule that it breaks. */
export const readFileFor = async (
  ctx: Ports,
  type: FileType,
  path: string,
): Promise<Uint8Array> => {
  const bytes = await readAtMost(ctx.io.read(path), maxBytes);
  if (!bytes) throw refused(path, "FileSizeTooBig", t`the file is larger than 16 MB`);
  const { checkFile, isFault, describeRules } = await import("../../message/file-rules.ts");
  const checked = checkFile(type, bytes);
  if (isFault(checked)) throw refused(path, checked.code, checked.text, describeRules(type));
  return bytes;
};

const refused = (path: string, code: string, text: string, todo?: string): MsgError =>
  usageError(text, { code, where: path === "-" ? t`standard input` : path, todo });
