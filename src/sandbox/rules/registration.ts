/** Whether a message is accepted, what it costs, and how it will end. */
import { type MessageInput, type TypeKey, typeKey } from "../../contract/message-records.ts";
import { maxRecipients } from "../../contract/messages.ts";
import type { Problem } from "../../errors.ts";
import { firstProblem, registrationChecks, type ServerChecks } from "../../message/check.ts";
import { candidate } from "../../message/check-members.ts";
import { statusClass, statusCodes } from "../../message/status.ts";
import { isKakaoType, isMessageType } from "../../message/type.ts";
import { Refusal, validationError } from "../service.ts";
import type { NewMessage } from "../store/messages.ts";
import type { Store } from "../store/store.ts";
import {
  type KnownTemplates,
  memoize,
  templateButtonsProblem,
  templateProblem,
  withTemplate,
} from "./alimtalk.ts";

/** What only the service knows about an account and about one group. */
export interface AccountLookups extends KnownTemplates {
  readonly isSender: (phoneNumber: string) => boolean;
  /** A stored picture for MMS. */
  readonly isImage: (imageId: string) => boolean;
  /** A picture registered for friend-talk. */
  readonly isKakaoImage: (imageId: string) => boolean;
  readonly unitPrice: UnitPrice;
  /** The code that refuses a blocked recipient of a sender. */
  readonly blockCode: (recipient: string, sender: string) => string | undefined;
  /** Recipients that the group has accepted (`recipientKey`); grows. Undefined allows duplicates. */
  readonly accepted: Set<string> | undefined;
}

/** The same number in another country is another recipient. */
export const recipientKey = (to: string, country: string): string => `${country}/${to}`;

const digitsOf = (text: string): string => text.replaceAll("-", "");

/** The recipient as it is stored. */
export const recipientOf = (message: MessageInput): string =>
  typeof message.to === "string" ? digitsOf(message.to) : "";

/** The first check that fails gives a message its code. Build once for the messages of a call. */
export const createRegistration = (
  known: AccountLookups,
  strict: boolean,
): ((message: MessageInput) => NewMessage) => {
  const checks = registrationChecks({ strict, server: serverChecks(known) });
  return (given) => {
    const message = withTemplate(given, known);
    const { type, country } = candidate(message);
    const to = recipientOf(message);
    const code = firstProblem(message, checks)?.code;
    const price = isMessageType(type) ? known.unitPrice(typeKey(type), country) : undefined;
    return {
      recipient: to,
      sender: digitsOf(message.from ?? ""),
      text: message.text ?? "",
      type,
      country,
      statusCode: code ?? "2000",
      outcome: code ?? outcomeOf(to, country),
      price: code === undefined ? (price ?? 0) : 0,
      options: optionsOf(message),
    };
  };
};

const problem = (code: string): Problem => ({ code, text: code });

const serverChecks = (known: AccountLookups): ServerChecks => {
  const { isSender, isImage, isKakaoImage, isChannel, unitPrice, blockCode, accepted } = known;
  return {
    image: ({ message, type }) => {
      if (type === "MMS" && !isImage(message.imageId ?? "")) return problem("1034");
      const kakaoImage = message.kakaoOptions?.imageId ?? "";
      return type === "CTI" && !isKakaoImage(kakaoImage) ? problem("1051") : undefined;
    },
    template: ({ message, type }) =>
      isKakaoType(type) && !isChannel(message.kakaoOptions?.pfId ?? "")
        ? problem("1041")
        : templateProblem(message, type, known),
    templateButtons: ({ message, type }) => templateButtonsProblem(message, type, known),
    sender: ({ message }) => (isSender(digitsOf(message.from ?? "")) ? undefined : problem("1062")),
    route: ({ type, country }) =>
      isMessageType(type) && unitPrice(typeKey(type), country) === undefined
        ? problem("1058")
        : undefined,
    recipient: ({ message, country }) => {
      const to = recipientOf(message);
      const code = refusalOf(to, country) ?? blockCode(to, digitsOf(message.from ?? ""));
      return code === undefined ? undefined : problem(code);
    },
    duplicate: ({ message, country }) => {
      const key = recipientKey(recipientOf(message), country);
      if (accepted?.has(key)) return problem("1026");
      accepted?.add(key);
      return undefined;
    },
  };
};

/** The members that few messages have, as they were given. */
const optionsOf = (message: MessageInput): NewMessage["options"] => {
  const { to, from, text, type, country, ...options } = message;
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return given.length === 0 ? null : Object.fromEntries(given);
};

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

/** Charged without a published price: in no answer about prices. */
const unpublished: Readonly<Partial<Record<TypeKey, number>>> = {
  nsa: 15,
  rcs_sms: 17,
  rcs_lms: 35,
  rcs_mms: 80,
  rcs_tpl: 17,
};

/** Won for one message, or undefined if the country has no prices: there is no route. */
type UnitPrice = (type: TypeKey, countryId: string) => number | undefined;

/** Looks each country up once. */
export const unitPrices = (store: Store): UnitPrice => {
  const units = memoize((countryId): Readonly<Partial<Record<TypeKey, number>>> => {
    const price = store.prices.read(countryId);
    return price === undefined ? {} : { ...unpublished, ...price.units };
  });
  return (type, countryId) => units(countryId)[type];
};

/** Numbers like this determine how a message to them ends. */
const forced = /^0100000(\d{4})$/;
/** Accepted, and then the connection breaks. */
const lineBreaker = "01000009999";

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
export const dropsConnection = (to: string): boolean => to.replaceAll("-", "") === lineBreaker;
