/** Groups: all of them, newest first, and one with everything that is known of it. */
import { groupStatuses } from "../../contract/message-records.ts";
import { type Html, html } from "../../markup/html.ts";
import type { GroupRow } from "../store/groups.ts";
import { idOf, seqOf } from "../store/ids.ts";
import { choiceOf, numberIn, numberShown, plain, searchButton, timeShown } from "./elements.ts";
import { oneGroup } from "./group.ts";
import type { Words } from "./language.ts";
import { addressOf, type Page, type View } from "./page.ts";
import { progressPanel } from "./progress.ts";
import { groupLabels, groupState } from "./states.ts";
import { type Column, pagedTable, tableOf } from "./table.ts";

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
