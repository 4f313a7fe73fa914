/** Decisions of the service's staff: templates, requests for a higher quota, withdrawals, each a card. */
import type { TemplateCode } from "../../contract/kakao.ts";
import { type Html, html } from "../../markup/html.ts";
import { template } from "../../message/variables.ts";
import { requestRecord } from "../handlers/account.ts";
import { withdrawalRecord } from "../handlers/bank.ts";
import type { TemplateRow } from "../store/kakao.ts";
import type { WithdrawalRow } from "../store/payments.ts";
import type { QuotaRequestRow } from "../store/quotas.ts";
import { kakaoBody } from "./bubble.ts";
import { actionForm, type Column, formatCount, formatTime, isolate, tableOf } from "./elements.ts";
import { formatNumber, type Label } from "./language.ts";
import type { Action, Page, View } from "./page.ts";
import { stateBadge } from "./states.ts";

const example = "msg template request-review KA01TP260101000000000SANDBOX0002 --sandbox";
const max = { cards: 10, lines: 20 };

const show = (view: View): Html => {
  const { translate } = view;
  const { store } = view;
  const read = max.cards + 1;
  const templates = store.templates.inReview(read).map((row) => templateCard(row, view));
  const quotas = store.quotaRequests.inReview(read).map((row) => quotaCard(row, view));
  const withdrawals = store.withdrawals.inReview(read).map((row) => withdrawalCard(row, view));
  const noTemplate = html`<p class="empty">${translate("No template is waiting for review. Create one, then request its review:")}</p><p><code class="typed">${example}</code></p>`;
  const none = html`<p class="empty">${translate("Nothing is waiting for review.")}</p>`;
  return html`<p class="quiet">${translate("Act as the service's reviewers. The real service decides within a day or two.")}</p>
${section("templates", translate("Templates waiting for review"), templates, noTemplate, view)}
${section("quotas", translate("Requests for a higher quota"), quotas, none, view)}
${section("withdrawals", translate("Withdrawals"), withdrawals, none, view)}
${latest(view)}`;
};

/** Cards, one below the other; the rest appear when others are done. */
const section = (id: string, title: string, cards: Html[], empty: Html, view: View): Html => {
  const more = html`<p class="quiet">${view.translate("Decide, and the next ones appear.")}</p>`;
  return html`<section aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>
<ul class="cases" id="${id}" data-live>${cards.slice(0, max.cards)}</ul>
<div id="${id}-end" data-live>${cards.length === 0 ? empty : ""}${cards.length > max.cards ? more : ""}</div>
</section>`;
};

const templateCard = (row: TemplateRow, view: View): Html => {
  const { translate } = view;
  const { names } = template(row.content);
  const { templateId: id, name, pfId, accountId, buttons } = row;
  const message = { type: "ATA", text: row.content, accountId, kakaoOptions: { pfId, buttons } };
  const variables = names.map(
    (it, at) => html`${at === 0 ? "" : " "}<code>${isolate(`#{${it}}`)}</code>`,
  );
  return html`
<li class="panel waiting" id="t-${id}">
<div class="phones" role="group" aria-label="${translate("As the phone shows it")}"><div class="message kakao"><div class="bubble">${kakaoBody(message, view)}</div></div></div>
<div>
<h3>${isolate(name)}</h3>
<dl class="pairs"><div><dt>ID</dt><dd><code>${id}</code></dd></div>
<div><dt>${translate("Account")}</dt><dd>${accountId}</dd></div>
<div><dt>${translate("Review requested")}</dt><dd>${formatTime(row.updated)}</dd></div>
<div><dt>${translate("State of review")}</dt><dd>${statesOf(row.codes, view)}</dd></div>
<div><dt>${translate("Variables")}</dt><dd>${names.length === 0 ? translate("None") : variables}</dd></div></dl>
${commentsOf(row, view)}
${decisionForm("template", id, name, view)}
</div>
</li>`;
};

const reviewStates = {
  PENDING: ["Draft", ""],
  INSPECTING: ["In review", "wait"],
  APPROVED: ["Approved", "good"],
  REJECTED: ["Rejected", "bad"],
} as const;

/** The state of a template at each provider. */
const statesOf = (codes: readonly TemplateCode[], view: View): Html[] =>
  codes.map(
    ({ service, status }) =>
      html`${stateBadge(reviewStates[status], view)} <span class="quiet small">${service}</span> `,
  );

const commentsOf = ({ codes }: TemplateRow, view: View): Html | undefined => {
  const all = codes.flatMap((it) => it.comments).filter((it) => it.content !== null);
  if (all.length === 0) return undefined;
  return html`<h4>${view.translate("Comments")}</h4><ul class="said">${all.map(
    (it) =>
      html`<li><span class="quiet small">${it.isAdmin ? view.translate("Staff") : isolate(it.memberId)} ${formatTime(it.dateCreated)}</span> ${isolate(it.content ?? "")}</li>`,
  )}</ul>`;
};

const quotaCard = (row: QuotaRequestRow, view: View): Html => {
  const { handleKey: id, fileIds, reasonRequested, accountId, requestedQuota } = requestRecord(row);
  const perDay = (count: number): string => view.translate(["# messages a day", count]);
  const name = perDay(requestedQuota);
  const pairs: readonly Pair[] = [
    ["Now", perDay(view.store.accounts.get(accountId).quota)],
    ["Reason", isolate(reasonRequested ?? "–")],
    ["Attachments", fileIds.length === 0 ? "–" : isolate(fileIds.join(", "))],
    ["Account", accountId],
    ["Requested", formatTime(row.created)],
  ];
  return html`
<li class="panel waiting" id="q-${id}">${pairsShown(name, pairs, view)}
<div>${decisionForm("quota", id, name, view)}</div>
</li>`;
};

const withdrawalCard = (row: WithdrawalRow, view: View): Html => {
  const record = withdrawalRecord(row, view.idSeed);
  const won = (amount: number): string => `${formatNumber(amount)}${view.translate(" won")}`;
  const { withdrawId: id, accountId, bankCode, accountNumber, holderName } = record;
  const name = won(record.totalAmount);
  const pairs: readonly Pair[] = [
    ["Paid out", won(record.amount)],
    ["Fee", won(record.fee)],
    ["Bank account", isolate(`${bankCode} ${accountNumber} ${holderName}`)],
    ["Account", accountId],
    ["Requested", formatTime(row.created)],
  ];
  return html`
<li class="panel waiting" id="w-${id}">${pairsShown(name, pairs, view)}
<div>${decisionForm("withdrawal", id, name, view)}</div>
</li>`;
};

type Pair = readonly [Label, Html | string];

const pairsShown = (name: string, pairs: readonly Pair[], { translate }: View): Html => html`
<div><h3>${name}</h3><dl class="pairs">${pairs.map(([word, value]) => html`<div><dt>${translate(word)}</dt><dd>${value}</dd></div>`)}</dl></div>`;

/** The end of a card. Return in the text starts a new line: only the buttons decide. */
const decisionForm = (kind: string, id: string, name: string, view: View): Html => {
  const { translate, submitted } = view;
  const comment = submitted?.fields.get("id") === id ? submitted.fields.get("said") : "";
  const content = html`<input type="hidden" name="case" value="${kind}"><input type="hidden" name="id" value="${id}">
<label for="said-${id}">${translate("Comment (optional)")}</label>
<textarea id="said-${id}" name="said" rows="2" maxlength="1000">
${comment}</textarea>
<div class="row after"><button name="action" value="approve" aria-label="${translate("Approve")}: ${name}">${translate("Approve")}</button>
<button class="danger" name="action" value="reject" aria-label="${translate("Reject")}: ${name}">${translate("Reject")}</button></div>`;
  return actionForm(view, undefined, content);
};

const latest = (view: View): Html => {
  const columns: readonly Column<TemplateRow>[] = [
    {
      head: "Name",
      cell: (row) =>
        html`<span>${isolate(row.name)} <code class="quiet small">${row.templateId}</code></span>`,
    },
    { head: "State of review", cell: ({ codes }) => html`<span>${statesOf(codes, view)}</span>` },
    { head: "Changed", cell: ({ updated }) => formatTime(updated) },
    { head: "Last comment", cell: lastComment },
  ];
  const rows = view.store.templates.changed(max.lines);
  const rowId = ({ templateId }: TemplateRow): string => `latest-${templateId}`;
  return html`<section aria-labelledby="latest"><h2 id="latest">${view.translate("Templates that changed last")}</h2>
${tableOf({ id: "changed", columns, rows, rowId }, view)}</section>`;
};

const lastComment = ({ codes }: TemplateRow): Html => {
  const last = codes.flatMap((it) => it.comments).findLast((it) => it.content !== null);
  return html`<span class="clamp">${last === undefined ? "–" : isolate(last.content ?? "")}</span>`;
};

/** The last word of the route, and the members that name the case and hold the comment. */
const cases: ReadonlyMap<string | undefined, readonly [path: string, id: string, said: string]> =
  new Map([
    ["template", ["template", "templateId", "comment"]],
    ["quota", ["quota", "handleKey", "reason"]],
    ["withdrawal", ["withdrawal", "withdrawId", "memo"]],
  ]);

/** One action for both decisions: the form names the case. */
const deciding =
  (decision: "approve" | "reject"): Action["request"] =>
  ({ text }) => {
    const [path, id, said] = cases.get(text("case")) ?? ["", "", ""];
    const comment = text("said")?.replaceAll("\r\n", "\n");
    return [
      "POST",
      `/_sandbox/review/${path}`,
      { [id]: text("id") ?? "", decision, [said]: comment },
    ];
  };

const gone = "Nothing left to review: the sandbox may have been reset.";

/** A decision made elsewhere is newer than the page. */
const refused: Action["refused"] = {
  TemplateNotFound: gone,
  ResourceNotFound: gone,
  FailedToUpdate: "Already decided, or not waiting for review.",
};

export const review: Page = {
  name: "review",
  title: "Review",
  count: ({ store }) => formatCount(store.dashboard.inReview()),
  show,
  actions: {
    approve: { done: "Approved.", refused, request: deciding("approve") },
    reject: { done: "Rejected.", refused, request: deciding("reject") },
  },
};
