/** The end of a card that waits for a decision: a few words, and approve or reject. */
import { type Html, html } from "./html.ts";
import type { View, Word } from "./page.ts";
import { formOf } from "./parts.ts";

const say = {
  comment: { ko: "댓글 (선택)", en: "Comment (optional)" },
  approve: { ko: "승인", en: "Approve" },
  reject: { ko: "거절", en: "Reject" },
} as const satisfies Readonly<Record<string, Word>>;

export interface Case {
  readonly kind: "template" | "quota" | "withdrawal";
  readonly id: string;
  /** What it is called, for those who do not see the card. */
  readonly name: string;
}

/** Return in the text begins a new line: only the buttons decide. */
export const decision = ({ kind, id, name }: Case, view: View): Html => {
  const { entered } = view;
  const isThis = entered?.fields.get("id") === id;
  return formOf(
    view,
    { page: "review" },
    html`<input type="hidden" name="case" value="${kind}"><input type="hidden" name="id" value="${id}">
<label for="said-${id}">${view.say(say.comment)}</label>
<textarea id="said-${id}" name="said" rows="2" maxlength="1000">
${isThis ? entered.fields.get("said") : ""}</textarea>
<div class="row after"><button name="action" value="approve" aria-label="${view.say(say.approve)}: ${name}">${view.say(say.approve)}</button>
<button class="danger" name="action" value="reject" aria-label="${view.say(say.reject)}: ${name}">${view.say(say.reject)}</button></div>`,
  );
};
