/** Correlation ids: the custom fields by which a message is found again as a row of its run. */
import type { MessageInput } from "../../contract/message-records.ts";
import { asRecord, memberOf } from "../../json/read-json.ts";

export const withCorrelationId = (
  message: MessageInput,
  run: string,
  row: number,
): MessageInput => ({
  ...message,
  customFields: { ...message.customFields, "msg.run": run, "msg.row": String(row) },
});

/** The fields after the first two are in messages that carry what their groups cannot. */
const msgField = /^msg\.(run|row|in|rows|worker|once|(retry|of)(\.\d+)?)$/;

/** A message without the correlation ids of its run: ready to be fed back. */
export const withoutCorrelationId = (message: object): object => {
  if (!("customFields" in message)) return message;
  const { customFields, ...rest } = message;
  const own = Object.entries(customFields ?? {}).filter(([name]) => !msgField.test(name));
  return own.length === 0 ? rest : { ...rest, customFields: Object.fromEntries(own) };
};

/** The row of the source, from the correlation ids of a message. */
export const rowIn = (message: object): number | undefined =>
  rowOf(asRecord(memberOf(message, "customFields")));

/** The same, from its custom fields. */
export const rowOf = (
  fields: Readonly<Record<string, unknown>> | undefined,
): number | undefined => {
  const row = Number(fields?.["msg.row"]);
  return Number.isInteger(row) ? row : undefined;
};
