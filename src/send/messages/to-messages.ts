/** Rows made into messages, all checked before any is sent, and held at once. */

import type { MessageInput } from "../../contract/message-records.ts";
import { maxRecipients } from "../../contract/messages.ts";
import { type Problem, usageError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { formatMessageCount } from "../../message/price.ts";
import type { SkippedMessage } from "../plan/skipped-rows.ts";
import { noRowsError, type Rows } from "../sources/rows.ts";
import { type MessageOptions, rowSteps } from "./row-message.ts";
import { createSeenRecipients, type Dedupe } from "./seen.ts";

export interface CollectOptions extends MessageOptions {
  /** `to` when left out. */
  readonly dedupe?: Dedupe | undefined;
  /** How many messages a source may hold. */
  readonly max: number;
}

/**
 * Reads all rows; each is in one of the three lists, and `total` counts them. Throws a usage error for a source without rows or with too many messages,
 * and what `rows` throws; what is wrong with single rows is collected.
 */
export const toMessages = async (rows: Rows, options: CollectOptions) => {
  const messages: { row: number; line: number; message: MessageInput }[] = [];
  const problems: Problem[] = [];
  const skipped: SkippedMessage[] = [];
  const { max } = options;
  const { skipReason } = createSeenRecipients(options.dedupe);
  let steps: ReturnType<typeof rowSteps> | undefined;
  let total = 0;
  for await (const row of rows) {
    steps ??= rowSteps(rows.found.columns, options);
    total += 1;
    const result = steps.step(row);
    problems.push(...result.problems);
    for (const message of result.messages) {
      const { number, line } = row;
      const reason = skipReason(message);
      if (reason === undefined) messages.push({ row: number, line, message });
      else skipped.push({ row: number, line, to: String(message.to), reason });
    }
    if (messages.length > max)
      throw usageError(t`${options.name} has more than ${formatMessageCount(max)}`, {
        code: "TooManyRows",
        todo: t`nothing was sent; split the list`,
      });
  }
  if (total === 0) throw noRowsError(options.name);
  return { messages, problems, skipped, total };
};

/** Bytes of the messages of one call: 15 MB, less room for what surrounds them. */
const maxBytes = 15 * 1024 * 1024 - 1024;

/** In order, none empty: at most 10,000 recipients and 15 MB each. */
export function* chunksOf(messages: readonly MessageInput[]): Generator<readonly MessageInput[]> {
  let from = 0;
  let recipients = 0;
  let bytes = 0;
  for (const [index, message] of messages.entries()) {
    const count = Array.isArray(message.to) ? message.to.length : 1;
    const size = Buffer.byteLength(JSON.stringify(message)) + 1;
    if (index > from && (recipients + count > maxRecipients || bytes + size > maxBytes)) {
      yield messages.slice(from, index);
      from = index;
      recipients = 0;
      bytes = 0;
    }
    recipients += count;
    bytes += size;
  }
  if (from < messages.length) yield messages.slice(from);
}
