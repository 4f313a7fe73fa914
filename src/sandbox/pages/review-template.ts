/** A template that waits for its review, as the phone will show it, and templates as lines of a table. */
import type { ReviewState, TemplateCode } from "../../contract/kakao-templates.ts";
import { template } from "../../message/variables.ts";
import type { TemplateRow } from "../store/templates.ts";
import { decisionForm } from "./decision.ts";
import { plain, timeShown } from "./elements.ts";
import { type Html, html } from "./html.ts";
import { kakaoBody } from "./kakao-body.ts";
import { labels } from "./labels.ts";
import type { Label, View } from "./page.ts";

const say = {
  asked: { ko: "심사 요청", en: "Review asked for" },
  variables: { ko: "변수", en: "Variables" },
  none: { ko: "없음", en: "None" },
  providers: { ko: "심사 상태", en: "State of review" },
  conversation: { ko: "댓글", en: "Comments" },
  staff: { ko: "운영자", en: "Staff" },
  preview: { ko: "전화기에 보이는 모습", en: "As the phone shows it" },
} as const satisfies Readonly<Record<string, Label>>;

const states: Readonly<Record<ReviewState, readonly [Label, "good" | "bad" | "wait" | ""]>> = {
  PENDING: [{ ko: "작성 중", en: "Draft" }, ""],
  INSPECTING: [{ ko: "심사 중", en: "In review" }, "wait"],
  APPROVED: [{ ko: "승인됨", en: "Approved" }, "good"],
  REJECTED: [{ ko: "거절됨", en: "Rejected" }, "bad"],
};

export const templateCard = (row: TemplateRow, view: View): Html => {
  const { names } = template(row.content);
  const { templateId: id, name, pfId, accountId, buttons } = row;
  const message = { type: "ATA", text: row.content, accountId, kakaoOptions: { pfId, buttons } };
  return html`
<li class="panel waiting" id="t-${id}">
<div class="phones" role="group" aria-label="${view.say(say.preview)}"><div class="message kakao"><div class="bubble">${kakaoBody(message, view)}</div></div></div>
<div>
<h3>${plain(name)}</h3>
<dl class="pairs"><div><dt>ID</dt><dd><code>${id}</code></dd></div>
<div><dt>${view.say(labels.account)}</dt><dd>${accountId}</dd></div>
<div><dt>${view.say(say.asked)}</dt><dd>${timeShown(row.updated)}</dd></div>
<div><dt>${view.say(say.providers)}</dt><dd>${statesOf(row.codes, view)}</dd></div>
<div><dt>${view.say(say.variables)}</dt><dd>${
    names.length === 0
      ? view.say(say.none)
      : names.map((it, at) => html`${at === 0 ? "" : " "}<code>${plain(`#{${it}}`)}</code>`)
  }</dd></div></dl>
${comments(row, view)}
${decisionForm({ kind: "template", id, name }, view)}
</div>
</li>`;
};

const statesOf = (codes: readonly TemplateCode[], view: View): Html =>
  html`${codes.map(({ service, status }) => {
    const [word, tone] = states[status];
    return html`<span class="state whole ${tone}"><span class="dot" aria-hidden="true"></span>${view.say(word)}</span> <span class="quiet small">${service}</span> `;
  })}`;

const comments = ({ codes }: TemplateRow, view: View): Html => {
  const all = codes.flatMap((it) => it.comments).filter((it) => it.content !== null);
  if (all.length === 0) return html``;
  return html`<h4>${view.say(say.conversation)}</h4><ul class="said">${all.map(
    (it) =>
      html`<li><span class="quiet small">${it.isAdmin ? view.say(say.staff) : plain(it.memberId)} ${timeShown(it.dateCreated)}</span> ${plain(it.content ?? "")}</li>`,
  )}</ul>`;
};

/** With the heads of its columns, which a narrow screen shows beside the values. */
export const templateLine = (
  row: TemplateRow,
  [name, state, changed, comment]: readonly string[],
  view: View,
): Html => {
  const last = row.codes.flatMap((it) => it.comments).findLast((it) => it.content !== null);
  return html`
<tr id="latest-${row.templateId}">
<td data-label="${name}"><span>${plain(row.name)} <code class="quiet small">${row.templateId}</code></span></td>
<td data-label="${state}"><span>${statesOf(row.codes, view)}</span></td>
<td data-label="${changed}">${timeShown(row.updated)}</td>
<td data-label="${comment}"><span class="clamp">${last === undefined ? "–" : plain(last.content ?? "")}</span></td>
</tr>`;
};
