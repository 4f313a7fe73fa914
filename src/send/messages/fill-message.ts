/** `msg send --var`: the values put into one message. */

import type { MessageInput } from "../../contract/message-records.ts";
import { usageError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { bareVariables } from "../../message/kakao-template.ts";
import { template } from "../../message/variables.ts";
import { fillInnerTexts } from "./inner-texts.ts";

/**
 * Fills text, subject, fallback and the variables of a template; of these one without a value is left out.
 * Throws usage for a text that asks for another. Without --var a text is sent as it stands.
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
