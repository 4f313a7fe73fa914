/** Registration checks of the plain members: checks 1, 2, 6 and 8 in the service's order. */

import type { MessageInput } from "../contract/message-records.ts";
import type { Problem } from "../errors.ts";
import { sizeInBytes } from "./bytes.ts";
import type { Candidate, Check } from "./candidate.ts";
import { maxSubjectBytes } from "./type.ts";

const absent = (field: string, what: string): Problem => ({ code: "1010", field, text: what });

/** A template supplies the body, so `text` may be left out. */
const hasTemplate = (message: MessageInput): boolean =>
  Boolean(
    message.kakaoOptions?.templateId ||
      message.rcsOptions?.templateId ||
      message.naverOptions?.templateId,
  );

/** 1: `to`, `from`, and `text` where no template supplies it; `type` where nothing detects it. */
export const missing: Check = ({ message }) => {
  if (typeof message.to === "string" ? !message.to : !message.to?.length) {
    return absent("to", "there is no recipient number");
  }
  if (!message.from) return absent("from", "there is no sender number");
  if (!message.text && !hasTemplate(message)) return absent("text", "there is no text");
  if (message.autoTypeDetect === false && !message.type) {
    return absent("type", "there is no type, and autoTypeDetect is off");
  }
  return undefined;
};

const malformed = (field: string, value: string, what: string): Problem => ({
  code: "1011",
  field,
  text: `"${value}" is not a ${what}`,
});

/** Digits; the service takes hyphens out of numbers. */
const digits = /^\d+$/;

const recipientProblem = (to: string, country: string): Problem | undefined => {
  const number = to.includes("-") ? to.replaceAll("-", "") : to;
  if (!digits.test(number)) return malformed("to", to, "phone number: digits only");
  const [least, most] = country === "82" ? [8, 11] : [5, 15];
  if (number.length >= least && number.length <= most) return undefined;
  return malformed("to", to, `phone number of country ${country}: ${least} to ${most} digits`);
};

/** 2: digits only; 8 to 11 digits for a recipient in Korea, 5 to 15 elsewhere. */
export const numbersProblem: Check = ({ message, country }) => {
  if (!digits.test(country)) return malformed("country", country, "country code: digits only");
  const problem = recipientsProblem(message.to ?? "", country);
  if (problem) return problem;
  const from = message.from ?? "";
  if (from === "" || digits.test(from.replaceAll("-", ""))) return undefined;
  return malformed("from", from, "phone number: digits only");
};

const recipientsProblem = (
  to: string | readonly string[],
  country: string,
): Problem | undefined => {
  if (typeof to === "string") return to === "" ? undefined : recipientProblem(to, country);
  for (const number of to) {
    const problem = recipientProblem(number, country);
    if (problem) return problem;
  }
  return undefined;
};

/** 6: no subject on what is named an SMS (1013), 40 bytes elsewhere (1014). */
export const subjectProblem: Check = ({ message, type }: Candidate) => {
  const subject = message.subject;
  if (!subject) return undefined;
  if (type === "SMS") return { code: "1013", field: "subject", text: "an SMS carries no subject" };
  const bytes = sizeInBytes(subject);
  if (bytes <= maxSubjectBytes) return undefined;
  const text = `the subject has ${bytes} bytes, ${maxSubjectBytes} are allowed`;
  return { code: "1014", field: "subject", text };
};

/** 8: texts only, keys up to 30 and values up to 100 characters (specification 2.1). */
export const fieldsProblem: Check = ({ message }) => {
  const fields = message.customFields;
  if (fields === undefined) return undefined;
  for (const [key, value] of Object.entries(fields)) {
    const what = fieldFault(key, value);
    if (what) return { code: "1032", field: "customFields", text: `custom field "${key}" ${what}` };
  }
  return undefined;
};

const fieldFault = (key: string, value: unknown): string | undefined => {
  if (key.length > 30) return `has a name of ${key.length} characters, 30 are allowed`;
  if (typeof value !== "string") return "is not a text";
  if (value.length > 100) return `has ${value.length} characters, 100 are allowed`;
  return undefined;
};
