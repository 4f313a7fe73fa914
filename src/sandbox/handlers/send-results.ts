/** What a sending call answers about single messages. */
import type { SendResult } from "../../contract/message-records.ts";
import { statusMeaning } from "../../message/status.ts";
import type { StoredMessages } from "../rules/dispatch.ts";
import { idOf } from "../store/ids.ts";
import type { NewMessage } from "../store/messages.ts";

/** The results of the messages of a call, in their order. */
export const resultsOf = (
  { messages, firstSeq, created, group: { accountId } }: StoredMessages,
  idSeed: number,
): SendResult[] =>
  messages.map((message, index) => {
    const { recipient: to, sender: from, type, country, statusCode } = message;
    const customFields = customFieldsOf(message);
    return {
      messageId: idOf("M4V", firstSeq + index, created, idSeed),
      statusCode,
      statusMessage: statusMeaning(statusCode),
      ...(customFields && { customFields }),
      ...{ accountId, to, from, type, country },
    };
  });

/** Status of one message, without its numbers. */
export const shortResult = ({
  messageId,
  statusCode,
  statusMessage,
  customFields,
}: SendResult) => ({
  messageId,
  statusCode,
  statusMessage,
  ...(customFields && { customFields }),
});

/** As they were given; left out where one of them is not a text (the message is refused: 1032). */
const customFieldsOf = ({ options }: NewMessage): SendResult["customFields"] => {
  const given = options?.customFields;
  if (typeof given !== "object" || given === null) return undefined;
  const fields: Record<string, string> = {};
  for (const [key, value] of Object.entries(given)) {
    if (typeof value !== "string") return undefined;
    fields[key] = value;
  }
  return fields;
};
