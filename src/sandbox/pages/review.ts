/** What the service's staff decide: templates, requests for a higher quota, withdrawals. */

import { type Html, html } from "../../markup/html.ts";
import type { TemplateRow } from "../store/templates.ts";
import { numberShown, plain, timeShown } from "./elements.ts";
import type { Label } from "./language.ts";
import type { Action, Page, View } from "./page.ts";
import { quotaCard, statesOf, templateCard, withdrawalCard } from "./review-cards.ts";
import { type Column, tableOf } from "./table.ts";

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
