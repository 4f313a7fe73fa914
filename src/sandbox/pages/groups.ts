/** Groups: all of them, newest first, those of a run, and one with everything about it. */
import { type Group, groupStatuses } from "../../contract/message-records.ts";
import { type Html, html } from "../../markup/html.ts";
import { groupRecord } from "../handlers/groups.ts";
import type { GroupRow } from "../store/groups.ts";
import { idOf, seqOf } from "../store/ids.ts";
import type { MessageRow } from "../store/messages.ts";
import {
  type Column,
  choiceOf,
  numberIn,
  numberShown,
  pagedTable,
  phoneShown,
  placeIn,
  plain,
  searchButton,
  tableOf,
  timeShown,
} from "./elements.ts";
import type { Words } from "./language.ts";
import { addressOf, type Page, type View } from "./page.ts";
import { progressPanel } from "./progress.ts";
import { groupLabels, groupState, kindName, messageState } from "./states.ts";

const rowsOfPage = 50;

const show = (view: View): Html => {
  const run = view.query.get("run");
  if (run !== null) return oneRun(run, view);
  const asked = view.query.get("group");
  if (asked === null) return list(view);
  const row = view.store.groups.bySeq(seqOf("G4V", asked, view.idSeed));
  return html`<p><a href="${addressOf("groups")}">‹ ${view.translate("All groups")}</a></p>
${row === undefined ? html`<p class="empty">${view.translate("There is no such group.")}</p>` : oneGroup(row, view)}`;
};

/** Groups that a page of a run shows; more are those of a run of millions. */
const maxGroups = 100;

/** All groups of a run as one, and each of them. */
const oneRun = (run: string, view: View): Html => {
  const rows = view.store.dashboard.groupsOfRun(run, maxGroups);
  const rowId = (row: GroupRow): string => `g-${groupIdOf(row, view)}`;
  return html`<p><a href="${addressOf("groups")}">‹ ${view.translate("All groups")}</a></p>
<h2 class="id">${view.translate("Run")} <code>${run}</code></h2>
${
  rows.length === 0
    ? html`<p class="empty">${view.translate("No group here belongs to this run.")}</p>`
    : html`${progressPanel(rows, view)}<section aria-labelledby="of-run"><h3 id="of-run">${view.translate("Groups of the run")}</h3>${tableOf({ id: "groups", columns: columnsFor(view), rows, rowId }, view)}</section>`
}`;
};

const list = (view: View): Html => {
  const from = numberIn(view, "from");
  const status = groupStatuses.find((it) => it === view.query.get("status"));
  const { rows, next } = view.store.dashboard.groups({
    from,
    status,
    limit: rowsOfPage,
  });
  const empty =
    status === undefined && from === undefined
      ? "There is no group yet. Every send makes one."
      : "There is no such group.";
  const ways = { page: "groups", next: next?.toString(), empty } as const;
  const rowId = (row: GroupRow): string => `g-${groupIdOf(row, view)}`;
  return html`${filters(view)}
${pagedTable({ id: "groups", columns: columnsFor(view), rows, rowId }, ways, view)}`;
};

const groupIdOf = ({ seq, created }: GroupRow, { store }: View): string =>
  idOf("G4V", seq, created, store.settings.get("idSeed"));

const columnsFor = (view: View): readonly Column<GroupRow>[] => [
  { head: "Created", cell: (row) => timeShown(row.created) },
  { head: "Group", cell: (row) => groupLink(groupIdOf(row, view)) },
  { head: "Status", cell: (row) => groupState(row.status, view) },
  {
    head: "Messages",
    cell: (row) => numberShown(row.registeredSuccess + row.registeredFailed),
  },
  {
    head: "Outcome",
    cell: (row) => html`<span>${outcome(row, view)}</span>`,
    isEmpty: (row) => !parts.some(([name]) => row[name] > 0),
  },
  { head: "Price (won)", cell: (row) => numberShown(row.price) },
  {
    head: "Scheduled for",
    cell: ({ scheduled }) => (scheduled === null ? "–" : timeShown(scheduled)),
    isEmpty: ({ scheduled }) => scheduled === null,
  },
];

const groupLink = (group: string): Html =>
  html`<a class="id" href="${addressOf("groups", { group })}"><code>${group}</code></a>`;

const filters = (
  view: View,
): Html => html`<form class="panel fields" role="search" aria-label="${view.translate("Find groups")}" action="${addressOf("groups")}">
${choiceOf(
  "status",
  "Status",
  groupStatuses.map((it) => [it, view.translate(groupLabels[it])] as const),
  view,
)}
${searchButton(view, "groups")}
</form>`;

const parts = [
  ["sentSuccess", "# delivered", "good"],
  ["sentFailed", "# failed", "bad"],
  ["sentPending", "# under way", "wait"],
  ["registeredFailed", "# refused", "bad"],
] as const satisfies readonly (readonly [keyof GroupRow, Words, string])[];

/** What is not zero, in words and colours. */
const outcome = (row: GroupRow, view: View): Html => {
  const shown = parts.filter(([name]) => row[name] > 0);
  if (shown.length === 0) return plain("–");
  return html`${shown.map(
    ([name, word, tone], at) =>
      html`${at === 0 ? "" : " · "}<span class="state whole ${tone}">${view.translate([word, numberShown(row[name])])}</span>`,
  )}`;
};

export const groups: Page = { name: "groups", title: "Groups", show };

const max = { messages: 50, log: 100 };

const oneGroup = (row: GroupRow, view: View): Html => {
  const group = groupRecord(row, view.store);
  return html`<h2 class="id"><code>${group.groupId}</code></h2>
${runOf(group, view)}
${progressPanel([row], view)}
<div class="columns">
<section class="panel" aria-labelledby="about"><h3 id="about">${view.translate("Status")}</h3><div id="group-about" data-live>${about(row, view)}</div></section>
<section class="panel" aria-labelledby="counts"><h3 id="counts">${view.translate("Counts")}</h3><dl class="figures" id="group-counts" data-live>${counts(group, view)}</dl></section>
<section class="panel" aria-labelledby="money"><h3 id="money">${view.translate("Money (won)")}</h3><div id="group-money" data-live>${money(group, view)}</div></section>
<section class="panel" aria-labelledby="log"><h3 id="log">${view.translate("Log")}</h3><div id="group-log" data-live>${log(group, view)}</div></section>
</div>
<section aria-labelledby="messages"><h3 id="messages">${view.translate("Messages")}</h3>${messages(row, view)}</section>`;
};

/** The way to the whole run, where one has marked the group. */
const runOf = ({ customFields }: Group, { translate }: View): Html => {
  const run = customFields["msg.run"];
  if (typeof run !== "string") return html``;
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
<dl class="pairs">${times.map(([word, at]) => (at === null ? html`` : html`<div><dt>${view.translate(word)}</dt><dd>${timeShown(at)}</dd></div>`))}
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
<div id="count-of-${name}"><dt>${view.translate(word)}</dt><dd>${numberShown(count[name])}</dd></div>`,
  );

const moves = [
  ["requested", "Charged"],
  ["replacement", "Replacements"],
  ["refund", "Refunded"],
  ["sum", "Total"],
] as const;
const walletParts = [
  ["balance", "Balance"],
  ["point", "Points"],
] as const;

/** The service adds up what a group cost once it is complete: until then its sum is 0. */
const money = (group: Group, view: View): Html => html`<table>
<thead><tr><td></td>${walletParts.map(([, word]) => html`<th scope="col" class="numeric">${view.translate(word)}</th>`)}</tr></thead>
<tbody>${moves.map(
  ([move, word]) =>
    html`<tr><th scope="row">${view.translate(word)}</th>${walletParts.map(
      ([part]) =>
        html`<td class="numeric">${move === "sum" && group.status !== "COMPLETE" ? "–" : numberShown(group[part][move])}</td>`,
    )}</tr>`,
)}</tbody></table>`;

const log = (group: Group, view: View): Html => {
  const shown = group.log.slice(-max.log);
  return html`${shown.length < group.log.length ? html`<p class="quiet small">${view.translate("Earlier lines are left out.")}</p>` : html``}<ol class="log" tabindex="0" aria-labelledby="log">${shown.map(
    ({ createAt, message }) => html`<li>${timeShown(createAt)} ${plain(message)}</li>`,
  )}</ol>`;
};

const messages = (group: GroupRow, view: View): Html => {
  const rows = view.store.listMessages({
    accountId: group.accountId,
    conditions: [{ column: "groupSeq", is: "eq", value: group.seq }],
    from: placeIn(view),
    limit: max.messages + 1,
  });
  const next = rows[max.messages];
  const shown = rows.slice(0, max.messages);
  const id = ({ seq, created }: MessageRow): string => idOf("M4V", seq, created, view.idSeed);
  const columns: readonly Column<MessageRow>[] = [
    { head: "Time", cell: (row) => timeShown(row.created) },
    {
      head: "To",
      cell: (row) =>
        html`<a href="${addressOf("", { to: row.recipient })}#m-${id(row)}">${phoneShown(row.recipient)}</a>`,
    },
    {
      head: "Type",
      cell: (row) => html`<span class="kind">${kindName(row.type, view)}</span>`,
    },
    { head: "Text", cell: (row) => html`<span class="clamp">${plain(row.text)}</span>` },
    { head: "State", cell: (row) => messageState(row.statusCode, view) },
  ];
  const rowId = (row: MessageRow): string => `of-group-${id(row)}`;
  const from = next && `${next.created}-${next.seq}`;
  const ways = { page: "groups", next: from, empty: "It has no messages." } as const;
  return pagedTable({ id: "group-messages", columns, rows: shown, rowId }, ways, view);
};
