/** Messages of a plan as phones would show them: spread over all of it, so that no part is unseen. */

import type { MessageInput } from "../../contract/message-records.ts";
import { t } from "../../locale/locale.ts";
import { fillTemplate } from "../../message/kakao-template.ts";
import { detectType, sizeInBytes } from "../../message/type.ts";
import { bubble } from "../../output/template-preview.ts";
import type { PlanHeader } from "../plan-file/format.ts";

interface ShownMessage {
  readonly row: number;
  readonly to: string;
  readonly from: string | null;
  readonly type: string;
  readonly bytes: number;
  readonly subject: string | null;
  readonly text: string;
  /** Their labels. */
  readonly buttons: readonly string[];
  readonly picture: string | null;
}

/** So many of all, evenly: the first is always among them. */
export const createSpread = (count: number) => {
  const shown: ShownMessage[] = [];
  const seen = { at: 0 };
  return {
    shown,
    add: ({ run, templates }: PlanHeader, row: number, message: MessageInput): void => {
      const next = Math.floor((shown.length * run.messages) / count);
      if (seen.at >= next && shown.length < count) shown.push(asShown(row, message, templates));
      seen.at += 1;
    },
  };
};

const asShown = (
  row: number,
  message: MessageInput,
  templates: PlanHeader["templates"],
): ShownMessage => {
  const { kakaoOptions, text, subject, from = null, imageId = null } = message;
  const template = templates.find(({ templateId }) => templateId === kakaoOptions?.templateId);
  const filled = template && fillTemplate(template, kakaoOptions?.variables ?? {});
  const buttons = kakaoOptions?.buttons ?? filled?.buttons ?? [];
  const isUnread = kakaoOptions?.templateId && !template;
  return {
    row,
    to: [message.to ?? ""].flat().join(", "),
    from,
    type: detectType(message),
    bytes: sizeInBytes(text ?? ""),
    subject: kakaoOptions?.title ?? subject ?? null,
    text: text || (filled?.text ?? (isUnread ? t`template ${kakaoOptions.templateId ?? "–"}` : "")),
    buttons: buttons.map(({ buttonName }) => buttonName),
    picture: kakaoOptions?.imageId ?? imageId,
  };
};

/** The same as bubbles, for a person. */
export const bubblesOf = (shown: readonly ShownMessage[], columns: number | undefined): string =>
  shown.map((it) => bubble(bubbleOf(it), columns)).join("");

const bubbleOf = ({ row, to, type, subject, text, buttons, picture }: ShownMessage) => ({
  title: t`row ${row} to ${to}, ${type}`,
  text: [...(picture ? [t`picture ${picture}`] : []), ...(subject ? [subject, ""] : []), text].join(
    "\n",
  ),
  buttons,
});
