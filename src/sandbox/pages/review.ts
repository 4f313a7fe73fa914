/** What the service's staff decide: templates, requests for a higher quota, withdrawals. */

import type { TemplateRow } from "../store/templates.ts";
import { numberShown, plain, timeShown } from "./elements.ts";
import { type Html, html } from "./html.ts";
import type { Action, Label, Page, View } from "./page.ts";
import { quotaCard, statesOf, templateCard, withdrawalCard } from "./review-cards.ts";
import { type Column, tableOf } from "./table.ts";

const texts = {
  title: { ko: "심사", en: "Review" },
  intro: {
    ko: "서비스 운영자의 자리입니다. 실제 서비스에서는 운영자가 하루 이틀 안에 결정합니다.",
    en: "The place of the service's staff. At the real service they decide within a day or two.",
  },
  templates: { ko: "심사를 기다리는 템플릿", en: "Templates waiting for review" },
  noTemplate: {
    ko: "심사를 기다리는 템플릿이 없습니다. 템플릿을 만든 뒤 심사를 요청하세요:",
    en: "No template waits for review. Make one, then ask for its review:",
  },
  allTemplates: { ko: "최근에 바뀐 템플릿", en: "Templates that changed last" },
  name: { ko: "이름", en: "Name" },
  states: { ko: "심사 상태", en: "State of review" },
  changed: { ko: "바뀐 시각", en: "Changed" },
  comment: { ko: "마지막 댓글", en: "Last comment" },
  quotas: { ko: "한도 증량 요청", en: "Requests for a higher quota" },
  withdrawals: { ko: "출금 요청", en: "Withdrawals" },
  none: { ko: "기다리는 요청이 없습니다.", en: "Nothing waits for a decision." },
  more: { ko: "결정하면 다음 요청이 나타납니다.", en: "Deciding brings up the next ones." },
  approved: { ko: "승인했습니다.", en: "Approved." },
  rejected: { ko: "거절했습니다.", en: "Rejected." },
} as const satisfies Readonly<Record<string, Label>>;

const example = "msg template request-review KA01TP260101000000000SANDBOX0002 --sandbox";
const max = { cards: 10, lines: 20 };

const show = (view: View): Html => {
  const { reviewQueue } = view.store;
  const templates = reviewQueue.templates(max.cards + 1);
  const quotas = reviewQueue.quotaRequests(max.cards + 1);
  const withdrawals = reviewQueue.withdrawals(max.cards + 1);
  const noTemplate = html`<p class="empty">${view.translate(texts.noTemplate)}</p><p><code class="typed">${example}</code></p>`;
  const none = html`<p class="empty">${view.translate(texts.none)}</p>`;
  return html`<p class="quiet">${view.translate(texts.intro)}</p>
${section("templates", texts.templates, { rows: templates, card: templateCard, empty: noTemplate }, view)}
${section("quotas", texts.quotas, { rows: quotas, card: quotaCard, empty: none }, view)}
${section("withdrawals", texts.withdrawals, { rows: withdrawals, card: withdrawalCard, empty: none }, view)}
${latest(view)}`;
};

interface Listed<R> {
  readonly rows: readonly R[];
  readonly card: (row: R, view: View) => Html;
  readonly empty: Html;
}

/** Cards, one below the other; those that do not fit come up when others are gone. */
const section = <R>(id: string, title: Label, listed: Listed<R>, view: View): Html => {
  const { rows, card, empty } = listed;
  const more =
    rows.length > max.cards ? html`<p class="quiet">${view.translate(texts.more)}</p>` : html``;
  return html`<section aria-labelledby="${id}-title"><h2 id="${id}-title">${view.translate(title)}</h2>
<ul class="cases" id="${id}" data-live>${rows.slice(0, max.cards).map((row) => card(row, view))}</ul>
<div id="${id}-end" data-live>${rows.length === 0 ? empty : more}</div>
</section>`;
};

const latest = (view: View): Html => {
  const rows = view.store.reviewQueue.changed(max.lines);
  const rowId = ({ templateId }: TemplateRow): string => `latest-${templateId}`;
  return html`<section aria-labelledby="latest"><h2 id="latest">${view.translate(texts.allTemplates)}</h2>
${tableOf({ id: "changed", columns: columnsFor(view), rows, rowId }, view)}</section>`;
};

const columnsFor = (view: View): readonly Column<TemplateRow>[] => [
  {
    head: texts.name,
    cell: (row) =>
      html`<span>${plain(row.name)} <code class="quiet small">${row.templateId}</code></span>`,
  },
  { head: texts.states, cell: ({ codes }) => html`<span>${statesOf(codes, view)}</span>` },
  { head: texts.changed, cell: ({ updated }) => timeShown(updated) },
  { head: texts.comment, cell: lastComment },
];

const lastComment = ({ codes }: TemplateRow): Html => {
  const last = codes.flatMap((it) => it.comments).findLast((it) => it.content !== null);
  return html`<span class="clamp">${last === undefined ? "–" : plain(last.content ?? "")}</span>`;
};

interface Decided {
  readonly path: string;
  /** Names the case, as its form and the route do. */
  readonly id: string;
  readonly said: string;
}

const cases: Readonly<Record<string, Decided>> = {
  template: { path: "template", id: "templateId", said: "comment" },
  quota: { path: "quota", id: "handleKey", said: "reason" },
  withdrawal: { path: "withdrawal", id: "withdrawId", said: "memo" },
};

/** One action for both words: what is decided on is in the form. */
const deciding = (decision: "approve" | "reject"): Action["run"] => {
  return async (fields, control) => {
    const { path, id, said } = cases[fields.get("case") ?? ""] ?? { path: "", id: "", said: "" };
    const text = fields.get("said")?.trim().replaceAll("\r\n", "\n") || undefined;
    return control("POST", `/_sandbox/review/${path}`, {
      [id]: fields.get("id") ?? "",
      decision,
      [said]: text,
    });
  };
};

const gone = {
  ko: "심사할 항목이 없습니다. 그 사이에 초기화되었을 수 있습니다.",
  en: "There is nothing to decide on any more: the sandbox may have been reset.",
};

/** The page is older than a decision that was made elsewhere. */
const refused = {
  TemplateNotFound: gone,
  ResourceNotFound: gone,
  FailedToUpdate: {
    ko: "이미 결정되었거나 심사를 기다리지 않는 항목입니다.",
    en: "It was decided on already, or waits for no decision.",
  },
};

export const review: Page = {
  name: "review",
  title: texts.title,
  count: ({ store }) => {
    const count = store.reviewQueue.count();
    return count === 0 ? "" : numberShown(count);
  },
  show,
  actions: {
    approve: { done: texts.approved, refused, run: deciding("approve") },
    reject: { done: texts.rejected, refused, run: deciding("reject") },
  },
};
