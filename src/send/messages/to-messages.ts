/** Rows made into messages, all checked before any is sent, and held at once. */
import type { MessageInput } from "../../contract/message-records.ts";
import { maxRecipients } from "../../contract/messages.ts";
import { type Problem, usageError } from "../../errors.ts";
import type { SkippedMessage } from "../plan/skipped-rows.ts";
import { isExcluded } from "../sources/exclude.ts";
import type { Row, Rows } from "../sources/rows.ts";
import { type MessageOptions, type RowStep, rowStep } from "./row-message.ts";
import { createSeenRecipients, type Dedupe } from "./seen.ts";

export interface CollectOptions extends MessageOptions {
  /** `to` when left out. */
  readonly dedupe?: Dedupe | undefined;
  /** Numbers, as digits, that get nothing. */
  readonly exclude?: ReadonlySet<string> | undefined;
  /** How many messages a source may hold; those of one call when left out. */
  readonly most?: number | undefined;
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
  const { most = maxRecipients } = options;
  const sorter = skipReason(options);
  let step: RowStep | undefined;
  let total = 0;
  for await (const row of rows) {
    step ??= rowStep(rows.found.columns, options);
    total += 1;
    const result = step(row);
    problems.push(...result.problems);
    for (const message of result.messages) sort(row, message, sorter, messages, skipped);
    if (messages.length > most) throw tooMany(options.name, most);
  }
  if (total === 0) throw noRows(options.name);
  return { messages, problems, skipped, total };
};

const sort = (
  { number, line }: Row,
  message: MessageInput,
  reasonOf: (message: MessageInput) => SkippedMessage["reason"] | undefined,
  messages: RowMessage[],
  skipped: SkippedMessage[],
): void => {
  const reason = reasonOf(message);
  if (reason === undefined) messages.push({ row: number, line, message });
  else skipped.push({ row: number, line, to: String(message.to), reason });
};

const skipReason = ({ dedupe = "to", exclude }: CollectOptions) => {
  const seen = createSeenRecipients(dedupe);
  return (message: MessageInput): SkippedMessage["reason"] | undefined => {
    if (exclude && isExcluded(exclude, message)) return "excluded";
    return seen.message(message) ? "duplicate" : undefined;
  };
};

const noRows = (name: string) =>
  usageError(`there are no rows in ${name}`, { code: "NoRows", todo: "nothing was sent" });

const tooMany = (name: string, most: number) =>
  usageError(`${name} holds more than ${most} messages`, {
    code: "TooManyRows",
    todo: "nothing was sent; cut the list",
  });
