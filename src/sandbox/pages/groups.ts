/** Groups: all of them, newest first, those of a run, and one with everything about it. */
import { type Group, groupStatuses } from "../../contract/message-records.ts";
import { type Html, html } from "../../markup/html.ts";
import { groupRecord } from "../handlers/groups.ts";
import { costOf } from "../rules/groups.ts";
import type { GroupRow } from "../store/groups.ts";
import { idOf, seqOf } from "../store/ids.ts";
import type { MessageRow } from "../store/messages.ts";
import {
  type Column,
  cursorIn,
  cursorText,
  filterSelect,
  formatPhone,
  formatTime,
  isolate,
  numberIn,
  pagedTable,
  searchButton,
  tableOf,
} from "./elements.ts";
import { formatNumber } from "./language.ts";
import { addressOf, type Page, type View } from "./page.ts";
import { progressPanel } from "./progress.ts";
import { groupLabel, groupState, messageColumns } from "./states.ts";

/** A page of a run shows 100 of its groups; only a run of millions has more. */
const max = { groups: 50, ofRun: 100, messages: 50, log: 100 };

const show = (view: View): Html => {
  const run = view.query.get("run");
  const group = view.query.get("group");
  if (run === null && group === null) return list(view);
  const content = run === null ? oneGroup(group ?? "", view) : oneRun(run, view);
  return html`<p><a href="${addressOf("groups")}">‹ ${view.translate("All groups")}</a></p>
${content}`;
};

const list = (view: View): Html => {
  const from = numberIn(view, "from");
  const status = groupStatuses.find((it) => it === view.query.get("status"));
  const { rows, next } = view.store.dashboard.groups({ from, status, limit: max.groups });
  const empty =
    status === undefined && from === undefined
      ? "There is no group yet. Every send makes one."
      : "There is no such group.";
  const choices = groupStatuses.map((it) => [it, groupLabel(it, view)] as const);
  return html`<form class="panel fields" role="search" aria-label="${view.translate("Find groups")}" action="${addressOf("groups")}">
${filterSelect("status", "Status", choices, view)}
${searchButton(view)}
</form>
${pagedTable({ ...tableOfGroups(rows, view), next, empty }, view)}`;
};

/** All groups of a run as one, and each of them. */
const oneRun = (run: string, view: View): Html => {
  const rows = view.store.dashboard.groupsOfRun(run, max.ofRun);
  return html`<h2 class="id">${view.translate("Run")} <code>${run}</code></h2>
${
  rows.length === 0
    ? html`<p class="empty">${view.translate("No group here belongs to this run.")}</p>`
    : html`${progressPanel(rows, view)}<section aria-labelledby="of-run"><h3 id="of-run">${view.translate("Groups of the run")}</h3>${tableOf(tableOfGroups(rows, view), view)}</section>`
}`;
};

const tableOfGroups = (rows: readonly GroupRow[], view: View) => {
  const columns: readonly Column<GroupRow>[] = [
    { head: "Created", cell: (row) => formatTime(row.created) },
    { head: "Group", cell: (row) => groupLink(idOf("group", row, view.idSeed)) },
    { head: "Status", cell: (row) => groupState(row.status, view) },
    {
      head: "Messages",
      cell: (row) => formatNumber(row.registeredSuccess + row.registeredFailed),
    },
    { head: "Outcome", cell: (row) => outcome(row, view) },
    { head: "Cost (won)", cell: (row) => formatNumber(costOf(row)) },
    {
      head: "Scheduled for",
      cell: ({ scheduled }) => (scheduled === null ? undefined : formatTime(scheduled)),
    },
  ];
  return {
    id: "groups",
    columns,
    rows,
    rowId: (row: GroupRow) => `g-${idOf("group", row, view.idSeed)}`,
  };
};

const groupLink = (group: string): Html =>
  html`<a class="id" href="${addressOf("groups", { group })}"><code>${group}</code></a>`;

const parts = [
  ["sentSuccess", "# delivered", "good"],
  ["sentFailed", "# failed", "bad"],
  ["sentPending", "# under way", "wait"],
  ["registeredFailed", "# refused", "bad"],
] as const;

/** The counts that are not zero, in words and colours. */
const outcome = (row: GroupRow, view: View): Html | undefined => {
  const shown = parts.filter(([name]) => row[name] > 0);
  if (shown.length === 0) return undefined;
  return html`<span>${shown.map(
    ([name, word, tone], at) =>
      html`${at === 0 ? "" : " · "}<span class="state whole ${tone}">${view.translate([word, row[name]])}</span>`,
  )}</span>`;
};

const oneGroup = (groupId: string, view: View): Html => {
  const { translate, store } = view;
  const row = store.groups.read(seqOf("group", groupId, view.idSeed));
  if (row === undefined) return html`<p class="empty">${translate("There is no such group.")}</p>`;
  const group = groupRecord(row, store);
  return html`<h2 class="id"><code>${group.groupId}</code></h2>
${runOf(group, view)}
${progressPanel([row], view)}
<div class="columns">
<section class="panel" aria-labelledby="about"><h3 id="about">${translate("Status")}</h3><div id="group-about" data-live>${about(row, view)}</div></section>
<section class="panel" aria-labelledby="counts"><h3 id="counts">${translate("Counts")}</h3><dl class="figures" id="group-counts" data-live>${counts(group, view)}</dl></section>
<section class="panel" aria-labelledby="money"><h3 id="money">${translate("Money (won)")}</h3><div id="group-money" data-live>${money(group, view)}</div></section>
<section class="panel" aria-labelledby="log"><h3 id="log">${translate("Log")}</h3><div id="group-log" data-live>${log(group, view)}</div></section>
</div>
<section aria-labelledby="messages"><h3 id="messages">${translate("Messages")}</h3>${messages(row, view)}</section>`;
};

/** A link to the whole run, if one has marked the group. */
const runOf = ({ customFields }: Group, { translate }: View): Html | undefined => {
  const run = customFields["msg.run"];
  if (typeof run !== "string") return undefined;
  return html`<p>${translate("Run")}: <a class="id" href="${addressOf("groups", { run })}"><code>${run}</code></a></p>`;
};

const about = (row: GroupRow, view: View): Html => {
  const times = [
    ["Created", row.created],
    ["Scheduled for", row.scheduled],
    ["Sent at", row.sent],
    ["Completed", row.completed],
  ] as const;
  return html`<p class="large">${groupState(row.status, view)}</p>
<dl class="pairs">${times.map(([word, at]) => at && html`<div><dt>${view.translate(word)}</dt><dd>${formatTime(at)}</dd></div>`)}
<div><dt>${view.translate("Account")}</dt><dd>${row.accountId}</dd></div></dl>`;
};

const figures = [
  ["total", "Registered"],
  ["registeredSuccess", "Accepted"],
  ["registeredFailed", "Refused at registration"],
  ["sentTotal", "Sent"],
  ["sentPending", "Under way"],
  ["sentSuccess", "Delivered"],
  ["sentFailed", "Failed"],
  ["sentReplacement", "Replacements"],
  ["refund", "Refunded"],
] as const;

const counts = ({ count }: Group, view: View): Html[] =>
  figures.map(
    ([name, word]) => html`
<div id="count-of-${name}"><dt>${view.translate(word)}</dt><dd>${formatNumber(count[name])}</dd></div>`,
  );

const moves = [
  ["requested", "Charged"],
  ["replacement", "Replacements"],
  ["refund", "Refunded"],
  ["sum", "Total"],
] as const;

/** The service sums the cost of a group when it is complete: until then its sum is 0. */
const money = ({ status, balance, point }: Group, { translate }: View): Html => html`<table>
<thead><tr><td></td><th scope="col" class="numeric">${translate("Balance")}</th><th scope="col" class="numeric">${translate("Points")}</th></tr></thead>
<tbody>${moves.map(
  ([move, word]) =>
    html`<tr><th scope="row">${translate(word)}</th>${[balance, point].map((wallet) => html`<td class="numeric">${move === "sum" && status !== "COMPLETE" ? "–" : formatNumber(wallet[move])}</td>`)}</tr>`,
)}</tbody></table>`;

const log = (group: Group, view: View): Html => {
  const shown = group.log.slice(-max.log);
  const isCut = shown.length < group.log.length;
  return html`${isCut ? html`<p class="quiet small">${view.translate("Earlier lines are left out.")}</p>` : ""}<ol class="log" tabindex="0" aria-labelledby="log">${shown.map(
    ({ createAt, message }) => html`<li>${formatTime(createAt)} ${isolate(message)}</li>`,
  )}</ol>`;
};

const messages = (group: GroupRow, view: View): Html => {
  const found = view.store.messages.list({
    accountId: group.accountId,
    filters: [{ column: "groupSeq", is: "eq", value: group.seq }],
    from: cursorIn(view),
    limit: max.messages + 1,
  });
  const toPhone = (row: MessageRow): Html =>
    html`<a href="${addressOf("", { to: row.recipient })}#m-${idOf("message", row, view.idSeed)}">${formatPhone(row.recipient)}</a>`;
  const columns: readonly Column<MessageRow>[] = [
    { head: "Time", cell: (row) => formatTime(row.created) },
    { head: "To", cell: toPhone },
    ...messageColumns(view),
  ];
  const rows = found.slice(0, max.messages);
  const rowId = (row: MessageRow): string => `of-group-${idOf("message", row, view.idSeed)}`;
  const next = found[max.messages];
  const table = { id: "group-messages", columns, rows, rowId, next: next && cursorText(next) };
  return pagedTable({ ...table, empty: "It has no messages." }, view);
};

export const groups: Page = { name: "groups", title: "Groups", show };
