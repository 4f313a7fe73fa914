/** Groups: all of them, newest first, and one with everything that is known of it. */
import { groupStatuses } from "../../contract/message-records.ts";
import type { GroupRow } from "../store/groups.ts";
import { idOf, seqOf } from "../store/ids.ts";
import { numberShown, plain, searchButton, timeShown } from "./elements.ts";
import { oneGroup } from "./group.ts";
import { type Html, html } from "./html.ts";
import { addressOf, type Label, type Page, type View } from "./page.ts";
import { groupLabels, groupState } from "./states.ts";
import { type Column, pagedTable } from "./table.ts";

const texts = {
  title: { ko: "그룹", en: "Groups" },
  filters: { ko: "그룹 찾기", en: "Find groups" },
  status: { ko: "상태", en: "Status" },
  all: { ko: "모두", en: "All" },
  made: { ko: "만든 시각", en: "Made" },
  group: { ko: "그룹", en: "Group" },
  messages: { ko: "메시지", en: "Messages" },
  outcome: { ko: "결과", en: "Outcome" },
  cost: { ko: "금액 (원)", en: "Price (won)" },
  when: { ko: "예약", en: "Scheduled" },
  none: { ko: "해당하는 그룹이 없습니다.", en: "There is no such group." },
  noneYet: {
    ko: "아직 그룹이 없습니다. 메시지를 한 번 보낼 때마다 그룹이 하나 생깁니다.",
    en: "There is no group yet. Every send makes one.",
  },
  notFound: { ko: "그런 그룹이 없습니다.", en: "There is no such group." },
  back: { ko: "모든 그룹", en: "All groups" },
} as const satisfies Readonly<Record<string, Label>>;

const rowsOfPage = 50;

const show = (view: View): Html => {
  const asked = view.query.get("group");
  if (asked === null) return list(view);
  const seq = seqOf("G4V", asked, view.store.settings.get("idSeed"));
  const row = seq === undefined ? undefined : view.store.groups.bySeq(seq);
  return html`<p><a href="${addressOf("groups")}">‹ ${view.translate(texts.back)}</a></p>
${row === undefined ? html`<p class="empty">${view.translate(texts.notFound)}</p>` : oneGroup(row, view)}`;
};

const list = (view: View): Html => {
  const from = /^\d{1,15}$/.exec(view.query.get("from") ?? "")?.[0];
  const status = groupStatuses.find((it) => it === view.query.get("status"));
  const { rows, next } = view.store.dashboard.groups({
    ...(from !== undefined && { from: Number(from) }),
    status,
    limit: rowsOfPage,
  });
  const empty = status === undefined && from === undefined ? texts.noneYet : texts.none;
  const ways = { page: "groups", next: next?.toString(), empty };
  const rowId = (row: GroupRow): string => `g-${groupIdOf(row, view)}`;
  return html`${filters(status, view)}
${pagedTable({ id: "groups", columns: columnsFor(view), rows, rowId }, ways, view)}`;
};

const groupIdOf = ({ seq, created }: GroupRow, { store }: View): string =>
  idOf("G4V", seq, created, store.settings.get("idSeed"));

const columnsFor = (view: View): readonly Column<GroupRow>[] => [
  { head: texts.made, cell: (row) => timeShown(row.created) },
  { head: texts.group, cell: (row) => groupLink(groupIdOf(row, view)) },
  { head: texts.status, cell: (row) => groupState(row.status, view) },
  {
    head: texts.messages,
    cell: (row) => numberShown(row.registeredSuccess + row.registeredFailed),
  },
  {
    head: texts.outcome,
    cell: (row) => html`<span>${outcome(row, view)}</span>`,
    isEmpty: (row) => !parts.some(([name]) => row[name] > 0),
  },
  { head: texts.cost, cell: (row) => numberShown(row.price) },
  {
    head: texts.when,
    cell: ({ scheduled }) => (scheduled === null ? "–" : timeShown(scheduled)),
    isEmpty: ({ scheduled }) => scheduled === null,
  },
];

const groupLink = (group: string): Html =>
  html`<a class="id" href="${addressOf("groups", { group })}"><code>${group}</code></a>`;

const filters = (
  status: string | undefined,
  view: View,
): Html => html`<form class="panel fields" role="search" aria-label="${view.translate(texts.filters)}" action="${addressOf("groups")}">
<div><label for="status">${view.translate(texts.status)}</label><select id="status" name="status">
<option value="">${view.translate(texts.all)}</option>${groupStatuses.map(
  (it) =>
    html`<option value="${it}"${it === status ? html` selected` : html``}>${view.translate(groupLabels[it])}</option>`,
)}</select></div>
${searchButton(view, "groups")}
</form>`;

const parts = [
  ["sentSuccess", { ko: "수신", en: "delivered" }, "good"],
  ["sentFailed", { ko: "실패", en: "failed" }, "bad"],
  ["sentPending", { ko: "진행 중", en: "under way" }, "wait"],
  ["registeredFailed", { ko: "접수 거절", en: "refused" }, "bad"],
] as const satisfies readonly (readonly [keyof GroupRow, Label, string])[];

/** What is not zero, in words and colours. */
const outcome = (row: GroupRow, view: View): Html => {
  const shown = parts.filter(([name]) => row[name] > 0);
  if (shown.length === 0) return plain("–");
  return html`${shown.map(
    ([name, word, tone], at) =>
      html`${at === 0 ? "" : " · "}<span class="state ${tone}">${numberShown(row[name])} ${view.translate(word)}</span>`,
  )}`;
};

export const groups: Page = { name: "groups", title: texts.title, show };
