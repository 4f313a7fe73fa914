/** Alimtalk at registration: the template completes a message, and the message must keep to it. */
import type { MessageInput } from "../../contract/message-records.ts";
import type { ServerChecks } from "../../message/check.ts";
import { candidate } from "../../message/check-members.ts";
import { buttonsDiffer, fillTemplate, matchesTemplate } from "../../message/kakao-template.ts";
import { isKakaoType } from "../../message/type.ts";
import type { AccountLookups } from "./lookups.ts";

const wantedBy = ({ kakaoOptions }: MessageInput, known: AccountLookups) =>
  known.approvedTemplate(kakaoOptions?.pfId ?? "", kakaoOptions?.templateId ?? "");

/**
 * An alimtalk with its template's text and buttons if it has none of its own, and with the values of
 * its variables filled in.
 */
export const withTemplate = (message: MessageInput, known: AccountLookups): MessageInput => {
  const options = message.kakaoOptions;
  if (!options?.templateId || candidate(message).type !== "ATA") return message;
  const wanted = wantedBy(message, known);
  if (wanted === undefined) return message;
  const content = message.text || wanted.content;
  const parts = { content, buttons: options.buttons?.length ? options.buttons : wanted.buttons };
  const { text, buttons } = fillTemplate(parts, options.variables ?? {});
  return { ...message, text, kakaoOptions: { ...options, buttons } };
};

/** What the channel and the template of a message rule out. A template with the provider's own code is not looked up. */
export const templateChecks = (known: AccountLookups): ServerChecks => ({
  template: ({ message, type }) => {
    if (!isKakaoType(type)) return undefined;
    if (!known.isChannel(message.kakaoOptions?.pfId ?? ""))
      return { code: "1041", text: "no channel of this account" };
    if (type !== "ATA") return undefined;
    const wanted = wantedBy(message, known);
    if (wanted === undefined) return { code: "1042", text: "no approved template of this channel" };
    return matchesTemplate(wanted.content ?? "", message.text ?? "")
      ? undefined
      : { code: "1043", text: "the text is not that of the template" };
  },
  templateButtons: ({ message, type }) => {
    const given = message.kakaoOptions?.buttons;
    if (type !== "ATA" || !given?.length) return undefined;
    return buttonsDiffer(wantedBy(message, known)?.buttons ?? [], given);
  },
});
