/** Texts and objects that come from a file, or from standard input. */

import { usageError } from "../../errors.ts";
import { describeJsonFault, isRecord } from "../../json/read-json.ts";
import { t, translated } from "../../locale/locale.ts";
import type { Context } from "../context.ts";

type Reader = Pick<Context, "io">;

/** All of a file, or of standard input for `-`. Throws usage where it is not UTF-8. */
export const readText = async (ctx: Reader, path: string): Promise<string> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of ctx.io.read(path)) chunks.push(chunk);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    const source = path === "-" ? t`standard input` : `'${path}'`;
    throw usageError(t`${source} is not UTF-8 text`, { todo: t`save it as UTF-8` });
  }
};

/** A text without the line break that editors and `echo` put at its end. */
export const trimLineBreak = (text: string): string => text.replace(/\r?\n$/, "");

/** The object of `--input`. Throws usage; what stands there is not repeated, it may be a card number. */
export const readObject = async (
  ctx: Reader,
  path: string,
): Promise<Readonly<Record<string, unknown>>> => {
  const value = await parseJsonFlag("--input", await readText(ctx, path), translated(oneObject));
  if (isRecord(value)) return value;
  throw notJson(t`--input is not one JSON object`, translated(oneObject));
};

const oneObject = "give one JSON object with the endpoint's members";

/** JSON that `label` gave. Throws usage with the place alone: the parser's words repeat the text. */
export const parseJsonFlag = async (
  label: string,
  text: string,
  todo: string,
): Promise<unknown> => {
  try {
    return JSON.parse(text);
  } catch {
    throw notJson(t`${label} is not JSON: ${describeJsonFault(text)}`, todo);
  }
};

const notJson = (what: string, todo: string): Error =>
  usageError(what, { code: "InvalidValue", todo });
