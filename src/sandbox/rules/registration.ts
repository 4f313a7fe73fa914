/** Whether a message is accepted, and with which price and outcome it is stored. */
import { type MessageInput, typeKey } from "../../contract/message-records.ts";
import type { Problem } from "../../errors.ts";
import { firstProblem, registrationChecks, type ServerChecks } from "../../message/check.ts";
import { candidate } from "../../message/check-members.ts";
import { isMessageType } from "../../message/type.ts";
import type { NewMessage } from "../store/messages.ts";
import { templateChecks, withTemplate } from "./alimtalk.ts";
import type { AccountLookups } from "./lookups.ts";
import { outcomeOf, recipientKey, recipientOf, refusalOf, withoutHyphens } from "./recipients.ts";

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
      sender: withoutHyphens(message.from ?? ""),
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
  const { isSender, isImage, isKakaoImage, unitPrice, blockCode, accepted } = known;
  return {
    image: ({ message, type }) => {
      if (type === "MMS" && !isImage(message.imageId ?? "")) return problem("1034");
      const kakaoImage = message.kakaoOptions?.imageId ?? "";
      return type === "CTI" && !isKakaoImage(kakaoImage) ? problem("1051") : undefined;
    },
    ...templateChecks(known),
    sender: ({ message }) =>
      isSender(withoutHyphens(message.from ?? "")) ? undefined : problem("1062"),
    route: ({ type, country }) =>
      isMessageType(type) && unitPrice(typeKey(type), country) === undefined
        ? problem("1058")
        : undefined,
    recipient: ({ message, country }) => {
      const to = recipientOf(message);
      const code = refusalOf(to, country) ?? blockCode(to, withoutHyphens(message.from ?? ""));
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
