/** Recipients: one message for each, how their numbers are stored, and the numbers that decide how a message ends. */
import type { MessageInput } from "../../contract/message-records.ts";
import { maxRecipients } from "../../contract/messages.ts";
import { statusClass, statusCodes } from "../../message/status.ts";
import { isKakaoType } from "../../message/type.ts";
import { Refusal, validationError } from "../service.ts";
import type { NewMessage } from "../store/messages.ts";

/**
 * One message for each number of `to`, in order. A message without a number stays one message. Throws
 * Refusal for no message, and for too many.
 */
export const expandRecipients = (messages: readonly MessageInput[]): readonly MessageInput[] => {
  const expanded = messages.flatMap((message) =>
    Array.isArray(message.to) && message.to.length > 0
      ? message.to.map((to) => ({ ...message, to }))
      : [message],
  );
  const count = expanded.length;
  if (count === 0) throw validationError("'messages' must not be empty.");
  if (count <= maxRecipients) return expanded;
  const text = `${count} recipients in one call; ${maxRecipients} are allowed.`;
  throw new Refusal(413, "RecipientsTooMany", text);
};

/** The same number in another country is another recipient. */
export const recipientKey = (to: string, country: string): string => `${country}/${to}`;

/** A number as it is stored. */
export const withoutHyphens = (number: string): string => number.replaceAll("-", "");

/** The recipient as it is stored. */
export const recipientOf = (message: MessageInput): string =>
  typeof message.to === "string" ? withoutHyphens(message.to) : "";

/** Numbers like this determine how a message to them ends. */
const forced = /^0100000(\d{4})$/;
/** Accepted, and then the connection breaks. */
const disconnecting = "01000009999";

/** The final code of delivered messages. */
const delivered = "4000";

/** The code that a message to `0100000NNNN` ends with, if NNNN is a published code. */
const forcedCode = (to: string, country: string): string | undefined => {
  const code = country === "82" ? forced.exec(to)?.[1] : undefined;
  return code !== undefined && statusCodes.has(code) ? code : undefined;
};

/** The code that refuses a message to this number at registration, or undefined. */
export const refusalOf = (to: string, country: string): string | undefined => {
  const code = forcedCode(to, country);
  return code !== undefined && statusClass(code) === "refused at registration" ? code : undefined;
};

/** The code that an accepted message to this number ends with; 2000 and 3000 stay as they are. */
export const outcomeOf = (to: string, country: string): string =>
  forcedCode(to, country) ?? delivered;

/** Final codes that only Kakao messages have. */
const kakaoCode = /^31\d\d$/;

/**
 * A replacement of another type. A phone without Kakao Talk still receives an SMS: if the number names a
 * Kakao code, the replacement of a Kakao message is delivered.
 */
export const withReplacementOutcome = (failedType: string, message: NewMessage): NewMessage => {
  const endsAtKakao = kakaoCode.test(message.outcome) && !isKakaoType(message.type);
  return isKakaoType(failedType) && endsAtKakao ? { ...message, outcome: delivered } : message;
};

/** True if a request that sends to this number is performed and then loses its connection. */
export const dropsConnection = (to: string): boolean => withoutHyphens(to) === disconnecting;
