/** Alimtalk at registration: the template completes a message, and the message must keep to it. */
import type { MessageInput } from "../../contract/message-records.ts";
import type { Problem } from "../../errors.ts";
import { candidate } from "../../message/check-members.ts";
import {
  buttonsDiffer,
  fillTemplate,
  matchesTemplate,
  type TemplateParts,
} from "../../message/kakao-template.ts";
import type { Store } from "../store/store.ts";
import { isApproved } from "./templates.ts";

export interface KnownTemplates {
  readonly isChannel: (pfId: string) => boolean;
  /** The approved template of a channel; undefined for any other. */
  readonly approvedTemplate: (pfId: string, templateId: string) => TemplateParts | undefined;
}

/** The channels and templates of an account, each read once per call. */
export const kakaoLookups = (store: Store, accountId: string): KnownTemplates => {
  const template = memoize((templateId) => {
    const row = store.templates.read(templateId);
    return row?.accountId === accountId && isApproved(row) ? row : undefined;
  });
  return {
    isChannel: memoize((pfId) => store.channels.read(pfId)?.accountId === accountId),
    approvedTemplate: (pfId, templateId) => {
      const row = template(templateId);
      return row?.pfId === pfId ? row : undefined;
    },
  };
};

/** `read`, asked once for each key: the messages of a call name the same few records. */
export const memoize = <T>(read: (key: string) => T): ((key: string) => T) => {
  const known = new Map<string, { readonly value: T }>();
  return (key) => {
    const found = known.get(key) ?? { value: read(key) };
    known.set(key, found);
    return found.value;
  };
};

const wantedBy = ({ kakaoOptions }: MessageInput, known: KnownTemplates) =>
  known.approvedTemplate(kakaoOptions?.pfId ?? "", kakaoOptions?.templateId ?? "");

/**
 * An alimtalk with its template's text and buttons if it has none of its own, and with the values of
 * its variables filled in.
 */
export const withTemplate = (message: MessageInput, known: KnownTemplates): MessageInput => {
  const options = message.kakaoOptions;
  if (!options?.templateId || candidate(message).type !== "ATA") return message;
  const wanted = wantedBy(message, known);
  if (wanted === undefined) return message;
  const content = message.text || wanted.content;
  const parts = { content, buttons: options.buttons?.length ? options.buttons : wanted.buttons };
  const { text, buttons } = fillTemplate(parts, options.variables ?? {});
  return { ...message, text, kakaoOptions: { ...options, buttons } };
};

/** 1042 and 1043. A template with the provider's own code is not looked up. */
export const templateProblem = (
  message: MessageInput,
  type: string,
  known: KnownTemplates,
): Problem | undefined => {
  if (type !== "ATA") return undefined;
  const wanted = wantedBy(message, known);
  if (wanted === undefined) return { code: "1042", text: "no approved template of this channel" };
  return matchesTemplate(wanted.content ?? "", message.text ?? "")
    ? undefined
    : { code: "1043", text: "the text is not that of the template" };
};

/** 1045, 1046, 1047 and 1052. */
export const templateButtonsProblem = (
  message: MessageInput,
  type: string,
  known: KnownTemplates,
): Problem | undefined => {
  const given = message.kakaoOptions?.buttons;
  if (type !== "ATA" || !given?.length) return undefined;
  return buttonsDiffer(wantedBy(message, known)?.buttons ?? [], given);
};
