/** The messages of a source for a call that takes them all at once (`group add`): read, checked and counted. */

import type { MessageInput } from "../../contract/message-records.ts";
import { maxRecipients } from "../../contract/messages.ts";
import { type Problem, usageError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { formatMessageCount } from "../../message/price.ts";
import type { Ports } from "../../ports.ts";
import { assertCeilings } from "../guards/spending.ts";
import { withPicture } from "../messages/picture.ts";
import { type MessageOptions, rowSteps } from "../messages/row-message.ts";
import { createSkipRules, type Dedupe } from "../messages/skip-rules.ts";
import { readTemplateFlag } from "../messages/template.ts";
import { displayName, noRowsError, type Rows } from "../sources/rows.ts";
import {
  createRowReporter,
  noteRecipient,
  type SkippedMessage,
  wrongRowsError,
} from "./skipped-rows.ts";
import { messageOptions, openRows, type SourceFlags } from "./source-flags.ts";

/**
 * The messages of a source, at most `max`. Reports rows that are left out; throws if rows are wrong, there are too
 * many recipients, or nothing is left.
 */
export const collectMessages = async (
  ctx: Ports,
  source: string,
  max: number,
  typed: SourceFlags,
) => {
  const name = displayName(source);
  const { body, flags, rows } = await openRows(ctx.io.read(source), name, typed);
  const template = await readTemplateFlag(ctx, flags);
  const found = await toMessages(rows, {
    ...messageOptions(ctx, name, await withPicture(ctx, flags), template),
    dedupe: flags.dedupe,
    max,
    onRecipient: (column) => void noteRecipient(ctx, column),
  });
  const { problems, total } = found;
  const wrong = new Set(problems.map((it) => it.row)).size;
  if (wrong > 0 && flags.onInvalid !== "skip")
    throw wrongRowsError({ wrong, total, problems }, flags);
  const reporter = createRowReporter((line) => void ctx.note(line));
  for (const row of [...problems, ...found.skipped]) reporter.report(row);
  reporter.end();
  const count = found.messages.length;
  const { maxRecipients } = flags;
  assertCeilings(ctx, { unit: "messages", amount: count, cost: 0, limits: { maxRecipients } });
  if (count === 0) throw usageError(t`there are no rows to send`, { code: "NoRows" });
  return { ...found, body };
};

export interface CollectOptions extends MessageOptions {
  /** `to` when left out. */
  readonly dedupe?: Dedupe | undefined;
  readonly max: number;
}

/**
 * Reads all rows; each is in one of the three lists, and `total` counts them. Problems of single rows are collected.
 * Throws a usage error for a source without rows or with too many messages, and what `rows` throws.
 */
export const toMessages = async (rows: Rows, options: CollectOptions) => {
  const messages: MessageInput[] = [];
  const problems: Problem[] = [];
  const skipped: SkippedMessage[] = [];
  const { max, name } = options;
  const { skipReason } = createSkipRules(options.dedupe);
  let steps: ReturnType<typeof rowSteps> | undefined;
  let total = 0;
  for await (const row of rows) {
    steps ??= rowSteps(rows.found.columns, options);
    total += 1;
    const result = steps.step(row);
    problems.push(...result.problems);
    for (const message of result.messages) {
      const reason = skipReason(message);
      if (reason === undefined) messages.push(message);
      else skipped.push({ row: row.number, line: row.line, to: String(message.to), reason });
    }
    if (messages.length > max)
      throw usageError(t`${name} has more than ${formatMessageCount(max)}`, {
        code: "TooManyRows",
        todo: t`nothing was sent; split the list`,
      });
  }
  if (total === 0) throw noRowsError(name);
  return { messages, problems, skipped, total };
};

/** Bytes of the messages of one call: 15 MB, less room for the rest of the body. */
const maxBytes = 15 * 1024 * 1024 - 1024;

/** In order, none empty: at most 10,000 messages, each to one recipient, and 15 MB each. */
export function* chunksOf(messages: readonly MessageInput[]): Generator<readonly MessageInput[]> {
  let from = 0;
  let bytes = 0;
  for (const [index, message] of messages.entries()) {
    const size = Buffer.byteLength(JSON.stringify(message)) + 1;
    if (index - from === maxRecipients || (index > from && bytes + size > maxBytes)) {
      yield messages.slice(from, index);
      from = index;
      bytes = 0;
    }
    bytes += size;
  }
  if (from < messages.length) yield messages.slice(from);
}
