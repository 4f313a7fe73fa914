/** How a message to a number ends: the recipient decides. */
import { statusClass, statusCodes } from "../../message/status.ts";
import { isKakaoType } from "../../message/type.ts";
import type { NewMessage } from "../store/messages.ts";

/** Numbers like this say how a message to them ends. */
const forced = /^0100000(\d{4})$/;
/** Accepted, and then the connection breaks. */
const lineBreaker = "01000009999";

/** What delivered messages end with. */
const delivered = "4000";

/** The code that a message to `0100000NNNN` ends with, where NNNN is one that is published. */
const forcedCode = (to: string, country: string): string | undefined => {
  const code = country === "82" ? forced.exec(to)?.[1] : undefined;
  return code !== undefined && statusCodes.has(code) ? code : undefined;
};

/** The code that refuses a message to this number at registration, or undefined. */
export const refusalOf = (to: string, country: string): string | undefined => {
  const code = forcedCode(to, country);
  return code !== undefined && statusClass(code) === "refused at registration" ? code : undefined;
};

/** The code that an accepted message to this number ends with; 2000 and 3000 never go on. */
export const outcomeOf = (to: string, country: string): string =>
  forcedCode(to, country) ?? delivered;

/** Codes that only Kakao ends a message with. */
const kakaoCode = /^31\d\d$/;

/**
 * A message in place of one of another type. Whoever has no Kakao Talk reads an SMS all the same: where
 * the number names a code of Kakao's, what goes out in place of a Kakao message is delivered.
 */
export const insteadOf = (failedType: string, message: NewMessage): NewMessage => {
  const endsAtKakao = kakaoCode.test(message.outcome) && !isKakaoType(message.type);
  return isKakaoType(failedType) && endsAtKakao ? { ...message, outcome: delivered } : message;
};

/** True where a request that sends to this number is performed and then loses its connection. */
export const dropsConnection = (to: string): boolean => to.replaceAll("-", "") === lineBreaker;
