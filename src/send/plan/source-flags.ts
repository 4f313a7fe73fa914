/** The source of a command, a file or standard input: its flags, and what they say of every message. */

import * as v from "valibot";
import { choice, flag, number, pairs, text } from "../../contract/fields.ts";
import type { Template } from "../../contract/kakao.ts";
import { usageError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { bareVariables } from "../../message/kakao-template.ts";
import type { Ports } from "../../ports.ts";
import { type MessageFlags, messageDefaults } from "../messages/message-flags.ts";
import type { MessageOptions } from "../messages/row-message.ts";
import { mergeBody, peekBody } from "../sources/call-body.ts";
import { encodings } from "../sources/decode.ts";
import { formats, readRows } from "../sources/rows.ts";

export const readingFlags = {
  format: choice(formats, "format of the source; default: detected"),
  encoding: choice(encodings, "encoding of the source; default: detected"),
  sheet: text("sheet of a spreadsheet, by name or number; default: the first not hidden"),
  map: pairs("which column is what: --map to=phone,name=customer", { together: true }),
  csvHeader: flag("the first line is a row, not a header", { isOnByDefault: true }),
  fixLeadingZero: flag("restore the leading zero Excel removed from Korean numbers"),
} as const;

export const sourceFlags = {
  ...readingFlags,
  dedupe: choice(["to", "to+text", "off"], "which later rows to skip as duplicates; default: to"),
  onInvalid: choice(["stop", "skip"], "how to handle invalid rows; default: stop"),
  maxRecipients: v.pipe(
    number("stop before sending if there are more recipients"),
    v.integer("takes a whole number"),
    v.minValue(0),
  ),
} as const;

export type SourceFlags = MessageFlags & {
  readonly [K in keyof typeof sourceFlags]?: v.InferOutput<(typeof sourceFlags)[K]> | undefined;
};

/** What the flags say of every message of a source. */
export const messageOptions = (
  ctx: Ports,
  name: string,
  flags: SourceFlags,
  template: Template | undefined,
): MessageOptions => ({
  name,
  header: flags.csvHeader,
  fixLeadingZero: flags.fixLeadingZero,
  strict: flags.strict,
  map: flags.map,
  allowEmpty: flags.allowEmpty,
  template,
  defaults: messageDefaults(ctx, flags, template),
  variables: flags.var && bareVariables(flags.var),
});

/** The rows of a source, and the flags merged with those of a body of the call. */
export const openRows = async <F extends SourceFlags>(
  source: AsyncIterable<Uint8Array>,
  name: string,
  typed: F,
) => {
  const { format, encoding, csvHeader: header, sheet } = typed;
  const { body, bytes, isTooLong } = await peekBody(source, { name, encoding });
  const reading = { name, format, encoding, header, sheet, onlyMessages: isTooLong };
  return { body, flags: mergeBody(typed, body), rows: readRows(bytes, reading) };
};

/** The source; standard input when left out, if something is piped there. Throws usage. */
export const sourceOf = (ctx: Ports, command: string, file: string | undefined): string => {
  if (file !== undefined) return file;
  if (!ctx.io.stdinIsTTY) return "-";
  throw usageError(t`msg ${command} needs a source`, {
    code: "MissingValue",
    todo: t`name a file, or pipe rows into it`,
  });
};
