/** Registration checks of a message's members and buttons: checks 1, 2, 6 to 11 and 13 in the service's order. */

import type { MessageInput } from "../contract/message-records.ts";
import type { Problem } from "../errors.ts";
import { t } from "../locale/locale.ts";
import {
  bodySize,
  detectType,
  isKakaoType,
  isMessageType,
  maxSubjectBytes,
  sizeInBytes,
  typeLimits,
} from "./type.ts";

/** A message with the service's defaults for members that were left out. */
export interface Candidate {
  readonly message: MessageInput;
  /** Upper case; not yet known to be one of the service's. */
  readonly type: string;
  readonly country: string;
}

/** One check: the problem that it finds, or undefined. */
export type Check = (candidate: Candidate) => Problem | undefined;

/** The message with type and country as the service will read them. */
export const candidate = (message: MessageInput): Candidate => ({
  message,
  type: detectType(message),
  country: message.country || "82",
});

const absent = (field: string, what: string): Problem => ({ code: "1010", field, text: what });

/** A template supplies the body, so `text` may be left out. */
const hasTemplate = (message: MessageInput): boolean =>
  Boolean(
    message.kakaoOptions?.templateId ||
      message.rcsOptions?.templateId ||
      message.naverOptions?.templateId,
  );

/** 1: `to`, `from`, and `text` if no template supplies it; `type` if nothing detects it. */
export const missing: Check = ({ message }) => {
  if (typeof message.to === "string" ? !message.to : !message.to?.length)
    return absent("to", t`there is no recipient number`);
  if (!message.from) return absent("from", t`there is no sender number`);
  if (!message.text && !hasTemplate(message)) return absent("text", t`there is no text`);
  if (message.autoTypeDetect === false && !message.type)
    return absent("type", t`there is no type, and autoTypeDetect is off`);
  return undefined;
};

const malformed = (field: string, text: string): Problem => ({ code: "1011", field, text });

const malformedNumber = (field: string, value: string): Problem =>
  malformed(field, t`"${value}" is not a phone number: digits only`);

/** Digits; the service removes hyphens from numbers. */
const digits = /^\d+$/;

const recipientProblem = (to: string, country: string): Problem | undefined => {
  const number = to.includes("-") ? to.replaceAll("-", "") : to;
  if (!digits.test(number)) return malformedNumber("to", to);
  const [min, max] = country === "82" ? [8, 11] : [5, 15];
  if (number.length >= min && number.length <= max) return undefined;
  return malformed(
    "to",
    t`"${to}" is not a phone number of country ${country}: ${min} to ${max} digits`,
  );
};

/** 2: digits only; 8 to 11 digits for a recipient in Korea, 5 to 15 elsewhere. */
export const numbersProblem: Check = ({ message, country }) => {
  if (!digits.test(country))
    return malformed("country", t`"${country}" is not a country code: digits only`);
  const problem = recipientsProblem(message.to ?? "", country);
  if (problem) return problem;
  const from = message.from ?? "";
  if (from === "" || digits.test(from.replaceAll("-", ""))) return undefined;
  return malformedNumber("from", from);
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

/** 6: no subject if the type is SMS (1013), else at most 40 bytes (1014). */
export const subjectProblem: Check = ({ message, type }: Candidate) => {
  const subject = message.subject;
  if (!subject) return undefined;
  if (type === "SMS")
    return { code: "1013", field: "subject", text: t`an SMS cannot carry a subject` };
  const bytes = sizeInBytes(subject);
  if (bytes <= maxSubjectBytes) return undefined;
  const text = t`the subject has ${bytes} bytes; at most ${maxSubjectBytes} are allowed`;
  return { code: "1014", field: "subject", text };
};

/** 8: texts only, keys up to 30 and values up to 100 characters. */
export const fieldsProblem: Check = ({ message }) => {
  const fields = message.customFields;
  if (fields === undefined) return undefined;
  for (const [key, value] of Object.entries(fields)) {
    const what = fieldFault(key, value);
    if (what) return { code: "1032", field: "customFields", text: what };
  }
  return undefined;
};

const fieldFault = (key: string, value: unknown): string | undefined => {
  if (key.length > 30)
    return t`custom field "${key}": the name has ${key.length} characters; at most 30 are allowed`;
  if (typeof value !== "string") return t`custom field "${key}" is not a text`;
  if (value.length > 100)
    return t`custom field "${key}" has ${value.length} characters; at most 100 are allowed`;
  return undefined;
};

/** 7: the body fits its type. */
export const bodyProblem: Check = ({ message, type }) => {
  if (!isMessageType(type) || !message.text) return undefined;
  const limit = typeLimits[type];
  const size = bodySize(message.text, limit);
  if (size <= limit.max) return undefined;
  const text =
    limit.unit === "bytes"
      ? t`the text has ${size} bytes; ${type} allows ${limit.max}`
      : t`the text has ${size} characters; ${type} allows ${limit.max}`;
  return { code: "1031", field: "text", text };
};

/** Stored messages carry every option as null, false or []: those say nothing. */
const saysNothing = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === false ||
  (Array.isArray(value) && value.length === 0);

/** 9: Kakao options go with Kakao types. */
export const kakaoProblem: Check = ({ message, type }) => {
  const options = message.kakaoOptions;
  if (options === undefined || isKakaoType(type)) return undefined;
  if (Object.values(options).every(saysNothing)) return undefined;
  const text = t`kakaoOptions cannot be used with ${type}`;
  return { code: "1033", field: "kakaoOptions", text };
};

/** 10 as far as the service's records are not needed: a picture is given if the type shows one. */
export const imageProblem: Check = ({ message, type }) => {
  if (type === "MMS" && !message.imageId)
    return { code: "1010", field: "imageId", text: t`an MMS needs imageId` };
  if (type === "CTI" && !message.kakaoOptions?.imageId)
    return { code: "1051", field: "kakaoOptions.imageId", text: t`a CTI needs an image` };
  return undefined;
};

/** 11 as far as the service's records are not needed: a channel, and a template for alimtalk. */
export const channelProblem: Check = ({ message, type }) => {
  const options = message.kakaoOptions ?? {};
  if (isKakaoType(type) && !options.pfId && !options.pfGroupId)
    return { code: "1041", field: "kakaoOptions.pfId", text: t`${type} needs a channel` };
  if (type === "ATA" && !options.templateId && !options.templateCode)
    return { code: "1042", field: "kakaoOptions.templateId", text: t`ATA needs a template` };
  return undefined;
};

/** 13 as far as the service's records are not needed: abroad, SMS only. */
export const routeProblem: Check = ({ type, country }) =>
  country === "82" || type === "SMS"
    ? undefined
    : { code: "1058", field: "country", text: t`${type} has no route to country ${country}` };

type Button = NonNullable<NonNullable<MessageInput["kakaoOptions"]>["buttons"]>[number];

const maxButtons = 5;
const maxNameCharacters = 14;
const maxLinkCharacters = 100;

const kinds = /^(WL|AL|DS|BK|MD|BC|BT|AC)$/;
/** The addresses that each kind of button needs. */
const needed: ReadonlyMap<string, readonly Link[]> = new Map([
  ["WL", ["linkMo"]],
  ["AL", ["linkAnd", "linkIos"]],
]);
/** The addresses that a button may have. */
export const buttonLinks = ["linkMo", "linkPc", "linkAnd", "linkIos"] as const;
type Link = (typeof buttonLinks)[number];
/** Web addresses for WL, any scheme for apps; a variable may be all or part of it. */
const web = /^(https?:\/\/\S|#\{)/i;
const scheme = /^([a-z][a-z0-9+.-]*:\S|#\{)/i;

/** 1044, 1045, 1048, 1049, 1050, 1053: the lowest code first, as the table lists them. */
export const buttonProblem: Check = ({ message, type }) => {
  const buttons = message.kakaoOptions?.buttons;
  if (!buttons?.length) return undefined;
  return buttonProblems(buttons, "kakaoOptions.buttons", type)[0];
};

/** Everything wrong with a set of buttons, the lowest code first; `type` is that of the message. */
export const buttonProblems = (
  buttons: readonly Button[],
  field: string,
  type: string,
): Problem[] => {
  const found = buttons.flatMap((button, index) =>
    faults(button, index, `${field}.${index}`, type),
  );
  if (buttons.length > maxButtons) {
    const text = t`${buttons.length} buttons; at most ${maxButtons} are allowed`;
    found.push({ code: "1050", field, text });
  }
  return found.sort((a, b) => Number(a.code) - Number(b.code));
};

const faults = (button: Button, index: number, field: string, type: string): Problem[] => {
  const found: Problem[] = [];
  const add = (code: string, text: string) => found.push({ code, field, text });
  const at = index + 1;
  const kind = button.buttonType.toUpperCase();
  if (!kinds.test(kind)) add("1044", t`button ${at} has the unknown type "${button.buttonType}"`);
  if (!button.buttonName) add("1044", t`button ${at} has no name`);
  const broken = brokenLink(button, kind);
  if (broken) add("1045", t`button ${at} has no valid ${broken}`);
  const long = buttonLinks.find((link) => (button[link]?.length ?? 0) > maxLinkCharacters);
  if (long) add("1048", t`button ${at} has a ${long} longer than ${maxLinkCharacters} characters`);
  if (button.buttonName.length > maxNameCharacters) {
    add("1049", t`button ${at} has a name longer than ${maxNameCharacters} characters`);
  }
  if (kind === "DS" && type !== "ATA")
    add("1053", t`button ${at} tracks a delivery, which Friendtalk cannot`);
  return found;
};

const brokenLink = (button: Button, kind: string): Link | undefined => {
  const lacking = (needed.get(kind) ?? []).find((link) => !button[link]);
  if (lacking) return lacking;
  return buttonLinks.find((link) => {
    const address = button[link];
    if (!address) return false;
    return !(link === "linkMo" || link === "linkPc" ? web : scheme).test(address);
  });
};
