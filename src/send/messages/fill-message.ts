/** Variables of a message: in its text and subject by `msg send --var`, and in the other texts inside it. */

import type { MessageInput } from "../../contract/message-records.ts";
import { usageError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { bareVariables } from "../../message/kakao-template.ts";
import { template } from "../../message/variables.ts";

/**
 * Fills text, subject, fallback and the variables of a template; a variable without a value is left out.
 * Throws usage for a text that asks for another. Without --var a text is sent unchanged.
 */
export const fillMessage = (
  message: MessageInput,
  typed: Readonly<Record<string, string>> | undefined,
): MessageInput => {
  const values = bareVariables(typed ?? {});
  const fill = (_: string, text: string): string => template(text).fill(values).text;
  const strictly = (text: string): string => {
    const { text: filled, unfilled } = template(text).fill(values);
    if (unfilled.length === 0) return filled;
    throw usageError(t`#{${unfilled[0] ?? ""}} has no --var`, {
      code: "MissingVariable",
      todo: t`nothing was sent; give every variable a value, or use no --var at all`,
    });
  };
  const { text, subject } = message;
  const inner = fillInnerTexts(message, fill);
  const { kakaoOptions } = inner;
  const given = Object.entries(kakaoOptions?.variables ?? {}).filter(([name, it]) => name !== it);
  return {
    ...message,
    ...inner,
    ...(kakaoOptions?.variables && {
      kakaoOptions: { ...kakaoOptions, variables: Object.fromEntries(given) },
    }),
    ...(typed && text !== undefined && { text: strictly(text) }),
    ...(typed && subject !== undefined && { subject: strictly(subject) }),
  };
};

type Fill = (field: string, text: string) => string;

/** Whether a text inside a message, other than its text and subject, has variables. */
export const hasInnerVariables = (message: MessageInput): boolean => {
  let hasAny = false;
  fillInnerTexts(message, (_, text) => {
    hasAny = true;
    return text;
  });
  return hasAny;
};

/**
 * The members of a message with texts inside, filled. The buttons of a template are left as they are: the service
 * fills them from the Kakao variables.
 */
export const fillInnerTexts = (message: MessageInput, fill: Fill): MessageInput => {
  const { kakaoOptions, customFields, replacementText, replacements } = message;
  const filled: MessageInput = {};
  if (customFields) filled.customFields = recordOf("customFields", customFields, fill);
  if (replacementText) filled.replacementText = textOf("replacementText", replacementText, fill);
  if (replacements)
    filled.replacements = replacements.map((it) => ({
      ...it,
      ...recordOf("replacements", textsOf(it), fill),
    }));
  if (kakaoOptions) filled.kakaoOptions = kakaoOf(kakaoOptions, fill);
  return filled;
};

const textOf = (field: string, text: string, fill: Fill): string =>
  text.includes("#{") ? fill(field, text) : text;

const recordOf = <T>(field: string, record: Readonly<Record<string, T>>, fill: Fill) =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name,
      typeof value === "string" ? textOf(field, value, fill) : value,
    ]),
  );

const textsOf = ({ text, subject }: Readonly<Record<string, unknown>>) => ({
  ...(typeof text === "string" && { text }),
  ...(typeof subject === "string" && { subject }),
});

type KakaoOptions = NonNullable<MessageInput["kakaoOptions"]>;

const kakaoOf = (options: KakaoOptions, fill: Fill): KakaoOptions => {
  const { variables, buttons, templateId, templateCode } = options;
  const isOwn = !templateId && !templateCode;
  return {
    ...options,
    ...(variables && { variables: recordOf("kakaoOptions.variables", variables, fill) }),
    ...(isOwn &&
      buttons && {
        buttons: buttons.map((it) => ({ ...it, ...recordOf("kakaoOptions.buttons", it, fill) })),
      }),
  };
};
