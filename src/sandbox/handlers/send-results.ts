/** What a sending call answers about single messages. */
import type { SendResult } from "../../contract/message-records.ts";
import { statusMeaning } from "../../message/status.ts";
import type { StoredMessages } from "../rules/dispatch.ts";
import { idsOf } from "../store/ids.ts";
import type { NewMessage } from "../store/messages.ts";

/** Status of one message, without its numbers. */
export type ShortResult = Pick<
  SendResult,
  "messageId" | "statusCode" | "statusMessage" | "customFields"
>;

/** The results of the messages of a call, each by its place in the call, from 0. */
export interface Results {
  readonly at: (index: number) => SendResult;
  readonly shortAt: (index: number) => ShortResult;
}

export const resultsOf = (sent: StoredMessages, idSeed: number): Results => {
  const { messages, firstSeq, created, group } = sent;
  const { accountId } = group;
  const idOf = idsOf("M4V", created, idSeed);
  const shortAt = (index: number): ShortResult => {
    const statusCode = messages[index]?.[5] ?? "";
    const result = {
      messageId: idOf(firstSeq + index),
      statusCode,
      statusMessage: statusMeaning(statusCode),
    };
    const customFields = customFieldsOf(messages[index]);
    return customFields ? { ...result, customFields } : result;
  };
  const at = (index: number): SendResult => {
    const [to = "", from = "", , type = "", country = "", statusCode = ""] = messages[index] ?? [];
    const messageId = idOf(firstSeq + index);
    const statusMessage = statusMeaning(statusCode);
    const customFields = customFieldsOf(messages[index]);
    // Spelled out: copies of ten thousand results cost as much as all checks of their messages.
    return customFields
      ? { messageId, statusCode, statusMessage, customFields, accountId, to, from, type, country }
      : { messageId, statusCode, statusMessage, accountId, to, from, type, country };
  };
  return { at, shortAt };
};

/** As they were given; left out where one of them is not a text (the message is refused: 1032). */
const customFieldsOf = (message: NewMessage | undefined): SendResult["customFields"] => {
  const given = message?.[8]?.customFields;
  if (typeof given !== "object" || given === null) return undefined;
  const fields: Record<string, string> = {};
  for (const [key, value] of Object.entries(given)) {
    if (typeof value !== "string") return undefined;
    fields[key] = value;
  }
  return fields;
};
