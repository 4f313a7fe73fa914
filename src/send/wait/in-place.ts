/** What the service sends in place of a message that failed, such as an SMS for a Kakao message: that one decides. */
import type { CallOptions, Client } from "../../client/client.ts";
import type { StoredMessage } from "../../contract/message-records.ts";
import { listMessages } from "../../contract/messages.ts";
import { asRecord, asText, memberOf } from "../../json/read-json.ts";
import { isFailure } from "../../message/status.ts";
import { mayBeReplaced, replacementsOf } from "../../message/type.ts";
import { isRefused } from "../protocol/outcomes.ts";

/** Recipient → the best code of the messages that were sent to it in place of others. */
export type InPlace = Map<string, string>;

/** Such a message does not name its row: only its recipient says which message it is for. */
export const noteInPlace = (it: StoredMessage, inPlace: InPlace): void => {
  const to = digitsOf(it.to);
  const known = inPlace.get(to);
  // A refused one was never on its way.
  if (!isRefused(it) && (known === undefined || rankOf(it.statusCode) > rankOf(known)))
    inPlace.set(to, it.statusCode);
};

/** Reads them for a group. Throws what the client throws. */
export const readInPlace = async (
  client: Client,
  groupId: string,
  call: CallOptions = {},
): Promise<InPlace> => {
  const inPlace: InPlace = new Map();
  const query = { groupId, criteria: "replacement", cond: "eq", value: "true" };
  for await (const { rows } of client.pages(listMessages, { query }, call))
    for (const it of rows) noteInPlace(it, inPlace);
  return inPlace;
};

/** Undefined if nothing was sent in place of the message, which is planned or stored. */
export const codeInPlaceOf = (message: object, inPlace: InPlace): string | undefined =>
  bestCode(recipientsInPlace(message), inPlace);

export const bestCode = (recipients: readonly string[], inPlace: InPlace): string | undefined =>
  recipients
    .flatMap((to) => inPlace.get(to) ?? [])
    .sort((left, right) => rankOf(right) - rankOf(left))[0];

/** A recipient whom one of several messages has reached gets no other. */
const rankOf = (code: string): number => (code === "4000" ? 2 : isFailure(code) ? 0 : 1);

const digitsOf = (to: string): string => to.replaceAll(/\D/g, "");

/** The recipients of what the service may send in place of the message: its own, and others that it names. */
export const recipientsInPlace = (message: object): readonly string[] => {
  if (!mayBeReplaced(message)) return [];
  const others = replacementsOf(message).map((it) => asRecord(it).to);
  return [memberOf(message, "to"), ...others].flat().flatMap((to) => {
    const text = asText(to);
    return text === undefined ? [] : [digitsOf(text)];
  });
};
