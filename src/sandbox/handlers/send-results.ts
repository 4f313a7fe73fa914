/** What a sending call answers about single messages (facts/messages 3.1, 3.3). */
import type { SendResult } from "../../contract/message-records.ts";
import { statusMeaning } from "../../message/status.ts";
import type { Stored } from "../rules/dispatch.ts";
import { idOf } from "../store/ids.ts";
import type { NewMessage } from "../store/messages.ts";

/** Status of one message, without its numbers. */
export type ShortResult = Pick<
  SendResult,
  "messageId" | "statusCode" | "statusMessage" | "customFields"
>;

/** The result of the message at a place of the call, from 0. */
export const resultAt = (sent: Stored, index: number, idSeed: number): SendResult => {
  const [to = "", from = "", , type = "", country = ""] = sent.messages[index] ?? [];
  const { accountId } = sent.group;
  return { ...shortResultAt(sent, index, idSeed), accountId, to, from, type, country };
};

export const shortResultAt = (sent: Stored, index: number, idSeed: number): ShortResult => {
  const message = sent.messages[index];
  const statusCode = message?.[5] ?? "";
  return {
    messageId: idOf("M4V", sent.firstSeq + index, sent.created, idSeed),
    statusCode,
    statusMessage: statusMeaning(statusCode),
    ...customFieldsOf(message),
  };
};

/** As they were given; left out where one of them is not a text (the message is refused: 1032). */
const customFieldsOf = (message: NewMessage | undefined): Pick<SendResult, "customFields"> => {
  const given = message?.[8]?.customFields;
  if (typeof given !== "object" || given === null) return {};
  const fields: Record<string, string> = {};
  for (const [key, value] of Object.entries(given)) {
    if (typeof value !== "string") return {};
    fields[key] = value;
  }
  return { customFields: fields };
};
