/** What an assistant is not shown: secrets never, numbers of recipients unless a person says so. */
import { isRecord } from "../json/read-json.ts";

/** Members that hold a recipient, whatever the number looks like. */
const recipients: ReadonlySet<string> = new Set(["to", "recipient", "recipients"]);
/** Members that never hold one: masking them would make them useless. */
const others: ReadonlySet<string> = new Set(["from", "phoneNumber", "messageId", "groupId", "run"]);
/** Members that prove who someone is, or move their money: no flag shows them. */
const secrets: ReadonlySet<string> = new Set([
  ...["key", "senderKey", "secret", "apiSecret", "accessToken", "refreshToken", "password"],
  ...["cardNumber", "accountNumber", "cvc", "otp"],
]);

/** A mobile number of Korea in any text, at home or with its country. */
const mobile = /(?<![\w.])(?:\+?82[-. ]?)?0?1[016789][-. ]?\d{3,4}[-. ]?\d{4}(?!\w)/g;

/** `010****5678`; of a short one the last two digits. */
const maskNumber = (number: string): string => {
  const digits = number.replace(/\D/g, "");
  return digits.length < 9
    ? `****${digits.slice(-2)}`
    : `${digits.slice(0, 3)}****${digits.slice(-4)}`;
};

/** A text without numbers that could be called. */
export const maskText = (text: string): string => text.replace(mobile, maskNumber);

/** A value of JSON without secrets, and without numbers unless they are to be shown. */
export const maskValue = (value: unknown, showNumbers: boolean, member = ""): unknown => {
  if (Array.isArray(value)) return value.map((it) => maskValue(it, showNumbers, member));
  if (isRecord(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, it]) => [
        showNumbers ? name : maskText(name),
        maskValue(it, showNumbers, name),
      ]),
    );
  if (secrets.has(member) && value !== null) return "****";
  if (typeof value !== "string" || showNumbers || others.has(member)) return value;
  return recipients.has(member) ? maskNumber(value) : maskText(value);
};
