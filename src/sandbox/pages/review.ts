/** What the service's staff decide: templates, requests for a higher quota, withdrawals, each a card. */
import type { ReviewState, TemplateCode } from "../../contract/kakao.ts";
import { type Html, html } from "../../markup/html.ts";
import { template } from "../../message/variables.ts";
import { requestRecord } from "../handlers/account.ts";
import { withdrawalRecord } from "../handlers/bank.ts";
import type { QuotaRequestRow } from "../store/accounts.ts";
import type { TemplateRow } from "../store/kakao.ts";
import type { WithdrawalRow } from "../store/payments.ts";
import { kakaoBody } from "./bubble.ts";
import { type Column, formOf, numberShown, plain, tableOf, timeShown } from "./elements.ts";
import type { Label } from "./language.ts";
import type { Action, Page, View } from "./page.ts";

const example = "msg template request-review KA01TP260101000000000SANDBOX0002 --sandbox";
const max = { cards: 10, lines: 20 };

const show = (view: View): Html => {
  const { reviewQueue } = view.store;
  const templates = reviewQueue.templates(max.cards + 1);
  const quotas = reviewQueue.quotaRequests(max.cards + 1);
  const withdrawals = reviewQueue.withdrawals(max.cards + 1);
  const noTemplate = html`<p class="empty">${view.translate("No template is waiting for review. Create one, then request its review:")}</p><p><code class="typed">${example}</code></p>`;
  const none = html`<p class="empty">${view.translate("Nothing is waiting for review.")}</p>`;
  return html`<p class="quiet">${view.translate("Act as the service's reviewers. The real service decides within a day or two.")}</p>
${section("templates", "Templates waiting for review", { rows: templates, card: templateCard, empty: noTemplate }, view)}
${section("quotas", "Requests for a higher quota", { rows: quotas, card: quotaCard, empty: none }, view)}
${section("withdrawals", "Withdrawals", { rows: withdrawals, card: withdrawalCard, empty: none }, view)}
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
    rows.length > max.cards
      ? html`<p class="quiet">${view.translate("Decide, and the next ones appear.")}</p>`
      : html``;
  return html`<section aria-labelledby="${id}-title"><h2 id="${id}-title">${view.translate(title)}</h2>
<ul class="cases" id="${id}" data-live>${rows.slice(0, max.cards).map((row) => card(row, view))}</ul>
<div id="${id}-end" data-live>${rows.length === 0 ? empty : more}</div>
</section>`;
};

const latest = (view: View): Html => {
  const rows = view.store.reviewQueue.changed(max.lines);
  const rowId = ({ templateId }: TemplateRow): string => `latest-${templateId}`;
  return html`<section aria-labelledby="latest"><h2 id="latest">${view.translate("Templates that changed last")}</h2>
${tableOf({ id: "changed", columns: columnsFor(view), rows, rowId }, view)}</section>`;
};

const columnsFor = (view: View): readonly Column<TemplateRow>[] => [
  {
    head: "Name",
    cell: (row) =>
      html`<span>${plain(row.name)} <code class="quiet small">${row.templateId}</code></span>`,
  },
  { head: "State of review", cell: ({ codes }) => html`<span>${statesOf(codes, view)}</span>` },
  { head: "Changed", cell: ({ updated }) => timeShown(updated) },
  { head: "Last comment", cell: lastComment },
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

const gone = "Nothing left to review: the sandbox may have been reset.";

/** The page is older than a decision that was made elsewhere. */
const refused: Action["refused"] = {
  TemplateNotFound: gone,
  ResourceNotFound: gone,
  FailedToUpdate: "Already decided, or not waiting for review.",
};

export const review: Page = {
  name: "review",
  title: "Review",
  count: ({ store }) => {
    const count = store.reviewQueue.count();
    return count === 0 ? "" : numberShown(count);
  },
  show,
  actions: {
    approve: { done: "Approved.", refused, run: deciding("approve") },
    reject: { done: "Rejected.", refused, run: deciding("reject") },
  },
};

const states: Readonly<Record<ReviewState, readonly [Label, "good" | "bad" | "wait" | ""]>> = {
  PENDING: ["Draft", ""],
  INSPECTING: ["In review", "wait"],
  APPROVED: ["Approved", "good"],
  REJECTED: ["Rejected", "bad"],
};

const templateCard = (row: TemplateRow, view: View): Html => {
  const { names } = template(row.content);
  const { templateId: id, name, pfId, accountId, buttons } = row;
  const message = { type: "ATA", text: row.content, accountId, kakaoOptions: { pfId, buttons } };
  return html`
<li class="panel waiting" id="t-${id}">
<div class="phones" role="group" aria-label="${view.translate("As the phone shows it")}"><div class="message kakao"><div class="bubble">${kakaoBody(message, view)}</div></div></div>
<div>
<h3>${plain(name)}</h3>
<dl class="pairs"><div><dt>ID</dt><dd><code>${id}</code></dd></div>
<div><dt>${view.translate("Account")}</dt><dd>${accountId}</dd></div>
<div><dt>${view.translate("Review requested")}</dt><dd>${timeShown(row.updated)}</dd></div>
<div><dt>${view.translate("State of review")}</dt><dd>${statesOf(row.codes, view)}</dd></div>
<div><dt>${view.translate("Variables")}</dt><dd>${
    names.length === 0
      ? view.translate("None")
      : names.map((it, at) => html`${at === 0 ? "" : " "}<code>${plain(`#{${it}}`)}</code>`)
  }</dd></div></dl>
${commentsOf(row, view)}
${decisionForm({ kind: "template", id, name }, view)}
</div>
</li>`;
};

/** Where a template stands at each provider. */
const statesOf = (codes: readonly TemplateCode[], view: View): Html =>
  html`${codes.map(({ service, status }) => {
    const [word, tone] = states[status];
    return html`<span class="state whole ${tone}"><span class="dot" aria-hidden="true"></span>${view.translate(word)}</span> <span class="quiet small">${service}</span> `;
  })}`;

const commentsOf = ({ codes }: TemplateRow, view: View): Html => {
  const all = codes.flatMap((it) => it.comments).filter((it) => it.content !== null);
  if (all.length === 0) return html``;
  return html`<h4>${view.translate("Comments")}</h4><ul class="said">${all.map(
    (it) =>
      html`<li><span class="quiet small">${it.isAdmin ? view.translate("Staff") : plain(it.memberId)} ${timeShown(it.dateCreated)}</span> ${plain(it.content ?? "")}</li>`,
  )}</ul>`;
};

type Pair = readonly [Label, Html | string];

const pairs = (all: readonly Pair[], view: View): Html =>
  html`<dl class="pairs">${all.map(([word, value]) => html`<div><dt>${view.translate(word)}</dt><dd>${value}</dd></div>`)}</dl>`;

const quotaCard = (row: QuotaRequestRow, view: View): Html => {
  const { handleKey: id, fileIds, reasonRequested, accountId, requestedQuota } = requestRecord(row);
  const perDay = (count: number): string =>
    view.translate(["# messages a day", numberShown(count)]);
  const name = perDay(requestedQuota);
  const held = view.store.quotas.read(accountId)?.quota ?? 0;
  const all: readonly Pair[] = [
    ["Now", perDay(held)],
    ["Reason", plain(reasonRequested ?? "–")],
    ["Attachments", fileIds.length === 0 ? "–" : plain(fileIds.join(", "))],
    ["Account", accountId],
    ["Requested", timeShown(row.created)],
  ];
  return html`
<li class="panel waiting" id="q-${id}">
<div><h3>${name}</h3>${pairs(all, view)}</div>
<div>${decisionForm({ kind: "quota", id, name }, view)}</div>
</li>`;
};

const withdrawalCard = (row: WithdrawalRow, view: View): Html => {
  const record = withdrawalRecord(row, view.idSeed);
  const won = (amount: number): string => `${numberShown(amount)}${view.translate(" won")}`;
  const { withdrawId: id, accountId, bankCode, accountNumber, holderName } = record;
  const name = won(record.totalAmount);
  const all: readonly Pair[] = [
    ["Paid out", won(record.amount)],
    ["Fee", won(record.fee)],
    ["Bank account", plain(`${bankCode} ${accountNumber} ${holderName}`)],
    ["Account", accountId],
    ["Requested", timeShown(row.created)],
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
<label for="said-${id}">${view.translate("Comment (optional)")}</label>
<textarea id="said-${id}" name="said" rows="2" maxlength="1000">
${isThis ? submitted.fields.get("said") : ""}</textarea>
<div class="row after"><button name="action" value="approve" aria-label="${view.translate("Approve")}: ${name}">${view.translate("Approve")}</button>
<button class="danger" name="action" value="reject" aria-label="${view.translate("Reject")}: ${name}">${view.translate("Reject")}</button></div>`,
  );
};
