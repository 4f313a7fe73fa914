/** What waits for a decision as cards: templates, requests for a higher quota, withdrawals. */
import type { ReviewState, TemplateCode } from "../../contract/kakao-templates.ts";
import { template } from "../../message/variables.ts";
import { withdrawalRecord } from "../handlers/bank.ts";
import { requestRecord } from "../handlers/quota.ts";
import type { QuotaRequestRow } from "../store/quotas.ts";
import type { TemplateRow } from "../store/templates.ts";
import type { WithdrawalRow } from "../store/withdrawals.ts";
import { kakaoBody } from "./bubble.ts";
import { formOf, numberShown, plain, timeShown } from "./elements.ts";
import { type Html, html } from "./html.ts";
import { labels } from "./labels.ts";
import type { Label, View } from "./page.ts";

const texts = {
  perDay: { ko: "건/일", en: "messages a day" },
  now: { ko: "지금 한도", en: "Now" },
  reason: { ko: "이유", en: "Reason" },
  papers: { ko: "첨부 파일", en: "Papers" },
  asked: { ko: "요청 시각", en: "Asked for" },
  won: { ko: "원", en: "won" },
  bank: { ko: "입금 계좌", en: "To" },
  fee: { ko: "수수료", en: "Fee" },
  paid: { ko: "실제 입금액", en: "Paid out" },
  reviewAsked: { ko: "심사 요청", en: "Review asked for" },
  variables: { ko: "변수", en: "Variables" },
  noVariables: { ko: "없음", en: "None" },
  providers: { ko: "심사 상태", en: "State of review" },
  conversation: { ko: "댓글", en: "Comments" },
  staff: { ko: "운영자", en: "Staff" },
  preview: { ko: "전화기에 보이는 모습", en: "As the phone shows it" },
  comment: { ko: "댓글 (선택)", en: "Comment (optional)" },
  approve: { ko: "승인", en: "Approve" },
  reject: { ko: "거절", en: "Reject" },
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
<div class="phones" role="group" aria-label="${view.translate(texts.preview)}"><div class="message kakao"><div class="bubble">${kakaoBody(message, view)}</div></div></div>
<div>
<h3>${plain(name)}</h3>
<dl class="pairs"><div><dt>ID</dt><dd><code>${id}</code></dd></div>
<div><dt>${view.translate(labels.account)}</dt><dd>${accountId}</dd></div>
<div><dt>${view.translate(texts.reviewAsked)}</dt><dd>${timeShown(row.updated)}</dd></div>
<div><dt>${view.translate(texts.providers)}</dt><dd>${statesOf(row.codes, view)}</dd></div>
<div><dt>${view.translate(texts.variables)}</dt><dd>${
    names.length === 0
      ? view.translate(texts.noVariables)
      : names.map((it, at) => html`${at === 0 ? "" : " "}<code>${plain(`#{${it}}`)}</code>`)
  }</dd></div></dl>
${commentsOf(row, view)}
${decisionForm({ kind: "template", id, name }, view)}
</div>
</li>`;
};

/** Where a template stands at each provider. */
export const statesOf = (codes: readonly TemplateCode[], view: View): Html =>
  html`${codes.map(({ service, status }) => {
    const [word, tone] = states[status];
    return html`<span class="state whole ${tone}"><span class="dot" aria-hidden="true"></span>${view.translate(word)}</span> <span class="quiet small">${service}</span> `;
  })}`;

const commentsOf = ({ codes }: TemplateRow, view: View): Html => {
  const all = codes.flatMap((it) => it.comments).filter((it) => it.content !== null);
  if (all.length === 0) return html``;
  return html`<h4>${view.translate(texts.conversation)}</h4><ul class="said">${all.map(
    (it) =>
      html`<li><span class="quiet small">${it.isAdmin ? view.translate(texts.staff) : plain(it.memberId)} ${timeShown(it.dateCreated)}</span> ${plain(it.content ?? "")}</li>`,
  )}</ul>`;
};

type Pair = readonly [Label, Html | string];

const pairs = (all: readonly Pair[], view: View): Html =>
  html`<dl class="pairs">${all.map(([word, value]) => html`<div><dt>${view.translate(word)}</dt><dd>${value}</dd></div>`)}</dl>`;

export const quotaCard = (row: QuotaRequestRow, view: View): Html => {
  const { handleKey: id, fileIds, reasonRequested, accountId, requestedQuota } = requestRecord(row);
  const name = `${numberShown(requestedQuota)} ${view.translate(texts.perDay)}`;
  const held = view.store.quotas.read(accountId)?.quota ?? 0;
  const all: readonly Pair[] = [
    [texts.now, `${numberShown(held)} ${view.translate(texts.perDay)}`],
    [texts.reason, plain(reasonRequested ?? "–")],
    [texts.papers, fileIds.length === 0 ? "–" : plain(fileIds.join(", "))],
    [labels.account, accountId],
    [texts.asked, timeShown(row.created)],
  ];
  return html`
<li class="panel waiting" id="q-${id}">
<div><h3>${name}</h3>${pairs(all, view)}</div>
<div>${decisionForm({ kind: "quota", id, name }, view)}</div>
</li>`;
};

export const withdrawalCard = (row: WithdrawalRow, view: View): Html => {
  const record = withdrawalRecord(row, view.store.settings.get("idSeed"));
  const won = (amount: number): string => `${numberShown(amount)} ${view.translate(texts.won)}`;
  const { withdrawId: id, accountId, bankCode, accountNumber, holderName } = record;
  const name = won(record.totalAmount);
  const all: readonly Pair[] = [
    [texts.paid, won(record.amount)],
    [texts.fee, won(record.fee)],
    [texts.bank, plain(`${bankCode} ${accountNumber} ${holderName}`)],
    [labels.account, accountId],
    [texts.asked, timeShown(row.created)],
  ];
  return html`
<li class="panel waiting" id="w-${id}">
<div><h3>${name}</h3>${pairs(all, view)}</div>
<div>${decisionForm({ kind: "withdrawal", id, name }, view)}</div>
</li>`;
};

/** The end of a card: a few words, and approve or reject. */
interface ReviewCase {
  readonly kind: "template" | "quota" | "withdrawal";
  readonly id: string;
  /** What it is called, for those who do not see the card. */
  readonly name: string;
}

/** Return in the text begins a new line: only the buttons decide. */
const decisionForm = ({ kind, id, name }: ReviewCase, view: View): Html => {
  const { submitted } = view;
  const isThis = submitted?.fields.get("id") === id;
  return formOf(
    view,
    { page: "review" },
    html`<input type="hidden" name="case" value="${kind}"><input type="hidden" name="id" value="${id}">
<label for="said-${id}">${view.translate(texts.comment)}</label>
<textarea id="said-${id}" name="said" rows="2" maxlength="1000">
${isThis ? submitted.fields.get("said") : ""}</textarea>
<div class="row after"><button name="action" value="approve" aria-label="${view.translate(texts.approve)}: ${name}">${view.translate(texts.approve)}</button>
<button class="danger" name="action" value="reject" aria-label="${view.translate(texts.reject)}: ${name}">${view.translate(texts.reject)}</button></div>`,
  );
};
