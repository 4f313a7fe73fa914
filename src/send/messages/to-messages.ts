/** Rows made into messages, all checked before any is sent, and held at once. */
import type { MessageInput } from "../../contract/message-records.ts";
import { maxRecipients } from "../../contract/messages.ts";
import { type Problem, usageError } from "../../errors.ts";
import type { SkippedMessage } from "../plan/skipped-rows.ts";
import type { Rows } from "../sources/rows.ts";
import { type MessageOptions, type RowStep, rowStep } from "./row-message.ts";
import { createSeenRecipients, type Dedupe } from "./seen.ts";

export interface CollectOptions extends MessageOptions {
  /** `to` when left out. */
  readonly dedupe?: Dedupe | undefined;
  /** Numbers, as digits, that get nothing. */
  readonly exclude?: ReadonlySet<string> | undefined;
  /** How many messages a source may hold; those of one call when left out. */
  readonly max?: number | undefined;
}

export interface RowMessage {
  readonly row: number;
  readonly line: number;
  readonly message: MessageInput;
}

/** Each row of the source is in one of the three lists; `total` counts the rows. */
export interface Messages {
  readonly messages: readonly RowMessage[];
  readonly problems: readonly Problem[];
  readonly skipped: readonly SkippedMessage[];
  readonly total: number;
}

/**
 * Reads all rows. Throws a usage error for a source without rows or with too many messages,
 * and what `rows` throws; what is wrong with single rows is collected.
 */
export const toMessages = async (rows: Rows, options: CollectOptions): Promise<Messages> => {
  const messages: RowMessage[] = [];
  const problems: Problem[] = [];
  const skipped: SkippedMessage[] = [];
  const { max = maxRecipients } = options;
  const { skipReason } = createSeenRecipients(options.dedupe, options.exclude);
  let step: RowStep | undefined;
  let total = 0;
  for await (const row of rows) {
    step ??= rowStep(rows.found.columns, options);
    total += 1;
    const result = step(row);
    problems.push(...result.problems);
    for (const message of result.messages) {
      const { number, line } = row;
      const reason = skipReason(message);
      if (reason === undefined) messages.push({ row: number, line, message });
      else skipped.push({ row: number, line, to: String(message.to), reason });
    }
    if (messages.length > max) throw tooMany(options.name, max);
  }
  if (total === 0) throw noRows(options.name);
  return { messages, problems, skipped, total };
};

const noRows = (name: string) =>
  usageError(`there are no rows in ${name}`, { code: "NoRows", todo: "nothing was sent" });

const tooMany = (name: string, max: number) =>
  usageError(`${name} holds more than ${max} messages`, {
    code: "TooManyRows",
    todo: "nothing was sent; cut the list",
  });

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
