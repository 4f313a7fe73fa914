/** The end of a card that waits for a decision: a few words, and approve or reject. */

import { formOf } from "./elements.ts";
import { type Html, html } from "./html.ts";
import type { Label, View } from "./page.ts";

const say = {
  comment: { ko: "댓글 (선택)", en: "Comment (optional)" },
  approve: { ko: "승인", en: "Approve" },
  reject: { ko: "거절", en: "Reject" },
} as const satisfies Readonly<Record<string, Label>>;

export interface ReviewCase {
  readonly kind: "template" | "quota" | "withdrawal";
  readonly id: string;
  /** What it is called, for those who do not see the card. */
  readonly name: string;
}

/** Return in the text begins a new line: only the buttons decide. */
export const decisionForm = ({ kind, id, name }: ReviewCase, view: View): Html => {
  const { submitted } = view;
  const isThis = submitted?.fields.get("id") === id;
  return formOf(
    view,
    { page: "review" },
    html`<input type="hidden" name="case" value="${kind}"><input type="hidden" name="id" value="${id}">
<label for="said-${id}">${view.say(say.comment)}</label>
<textarea id="said-${id}" name="said" rows="2" maxlength="1000">
${isThis ? submitted.fields.get("said") : ""}</textarea>
<div class="row after"><button name="action" value="approve" aria-label="${view.say(say.approve)}: ${name}">${view.say(say.approve)}</button>
<button class="danger" name="action" value="reject" aria-label="${view.say(say.reject)}: ${name}">${view.say(say.reject)}</button></div>`,
  );
};
