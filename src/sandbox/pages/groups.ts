/** Groups: all of them, newest first, and one with everything that is known of it. */
import { groupStatuses } from "../../contract/message-records.ts";
import type { GroupLine } from "../store/dashboard-queries.ts";
import { idOf, seqOf } from "../store/ids.ts";
import { numberShown, pager, plain, searchButton, timeShown } from "./elements.ts";
import { oneGroup } from "./group.ts";
import { groupLabels, groupState } from "./group-states.ts";
import { type Html, html } from "./html.ts";
import { addressOf, type Label, type Page, type View } from "./page.ts";

const say = {
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
  return html`<p><a href="${addressOf("groups")}">‹ ${view.say(say.back)}</a></p>
${row === undefined ? html`<p class="empty">${view.say(say.notFound)}</p>` : oneGroup(row, view)}`;
};

const list = (view: View): Html => {
  const from = /^\d{1,15}$/.exec(view.query.get("from") ?? "")?.[0];
  const status = groupStatuses.find((it) => it === view.query.get("status"));
  const { rows, next } = view.store.dashboard.groups({
    ...(from !== undefined && { from: Number(from) }),
    status,
    limit: rowsOfPage,
  });
  const heads = [say.made, say.group, say.status, say.messages, say.outcome, say.cost, say.when];
  const empty = status === undefined && from === undefined ? say.noneYet : say.none;
  return html`${filters(status, view)}
<div class="wide"><table class="stack">
<thead><tr>${heads.map((it) => html`<th scope="col">${view.say(it)}</th>`)}</tr></thead>
<tbody id="groups" data-live>${rows.map((row) => line(row, view))}</tbody>
</table></div>
<div id="groups-end" data-live>${rows.length === 0 ? html`<p class="empty">${view.say(empty)}</p>` : html``}${pager(
    view,
    "groups",
    { next: next?.toString() },
  )}</div>`;
};

const filters = (
  status: string | undefined,
  view: View,
): Html => html`<form class="panel fields" role="search" aria-label="${view.say(say.filters)}" action="${addressOf("groups")}">
<div><label for="status">${view.say(say.status)}</label><select id="status" name="status">
<option value="">${view.say(say.all)}</option>${groupStatuses.map(
  (it) =>
    html`<option value="${it}"${it === status ? html` selected` : html``}>${view.say(groupLabels[it])}</option>`,
)}</select></div>
${searchButton(view, "groups")}
</form>`;

const line = (row: GroupLine, view: View): Html => {
  const id = idOf("G4V", row.seq, row.created, view.store.settings.get("idSeed"));
  const label = (word: Label) => html`data-label="${view.say(word)}"`;
  return html`
<tr id="g-${id}">
<td ${label(say.made)}>${timeShown(row.created)}</td>
<td ${label(say.group)}><a class="id" href="${addressOf("groups", { group: id })}"><code>${id}</code></a></td>
<td ${label(say.status)}>${groupState(row.status, view)}</td>
<td ${label(say.messages)}>${numberShown(row.registeredSuccess + row.registeredFailed)}</td>
<td ${quiet(!parts.some(([name]) => row[name] > 0))} ${label(say.outcome)}><span>${outcome(row, view)}</span></td>
<td ${label(say.cost)}>${numberShown(row.price)}</td>
<td ${quiet(row.scheduled === null)} ${label(say.when)}>${row.scheduled === null ? "–" : timeShown(row.scheduled)}</td>
</tr>`;
};

/** A cell that says nothing is left out where the table is stacked. */
const quiet = (isEmpty: boolean): Html => (isEmpty ? html`class="none"` : html``);

const parts = [
  ["sentSuccess", { ko: "수신", en: "delivered" }, "good"],
  ["sentFailed", { ko: "실패", en: "failed" }, "bad"],
  ["sentPending", { ko: "진행 중", en: "under way" }, "wait"],
  ["registeredFailed", { ko: "접수 거절", en: "refused" }, "bad"],
] as const satisfies readonly (readonly [keyof GroupLine, Label, string])[];

/** What is not zero, in words and colours. */
const outcome = (row: GroupLine, view: View): Html => {
  const shown = parts.filter(([name]) => row[name] > 0);
  if (shown.length === 0) return plain("–");
  return html`${shown.map(
    ([name, word, tone], at) =>
      html`${at === 0 ? "" : " · "}<span class="state ${tone}">${numberShown(row[name])} ${view.say(word)}</span>`,
  )}`;
};

export const groups: Page = { name: "groups", title: say.title, show };
