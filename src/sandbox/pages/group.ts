/** One group: its state, counts, money, log and messages. */
import type { Group } from "../../contract/message-records.ts";
import { groupRecord } from "../handlers/group-record.ts";
import type { GroupRow } from "../store/groups.ts";
import { idOf } from "../store/ids.ts";
import type { Place } from "../store/message-list.ts";
import type { MessageRow } from "../store/messages.ts";
import { numberShown, pager, plain, timeShown } from "./elements.ts";
import { groupState } from "./group-states.ts";
import { type Html, html } from "./html.ts";
import { labels } from "./labels.ts";
import { addressOf, type Label, type View } from "./page.ts";
import { kindLabels, stateOf } from "./states.ts";

const say = {
  status: { ko: "상태", en: "Status" },
  made: { ko: "만든 시각", en: "Made" },
  scheduled: { ko: "예약 시각", en: "Scheduled for" },
  sent: { ko: "보낸 시각", en: "Sent" },
  completed: { ko: "끝난 시각", en: "Completed" },
  counts: { ko: "건수", en: "Counts" },
  total: { ko: "등록", en: "Registered" },
  registeredSuccess: { ko: "접수", en: "Accepted" },
  registeredFailed: { ko: "접수 거절", en: "Refused at registration" },
  sentTotal: { ko: "발송", en: "Sent" },
  sentPending: { ko: "진행 중", en: "Under way" },
  sentSuccess: { ko: "수신 완료", en: "Delivered" },
  sentFailed: { ko: "실패", en: "Failed" },
  sentReplacement: { ko: "대체 발송", en: "Replacements" },
  refund: { ko: "환불", en: "Refunded" },
  money: { ko: "금액 (원)", en: "Money (won)" },
  balance: { ko: "잔액", en: "Balance" },
  point: { ko: "포인트", en: "Points" },
  requested: { ko: "청구", en: "Charged" },
  replacement: { ko: "대체 발송", en: "Replacements" },
  moneyBack: { ko: "환불", en: "Refunded" },
  sum: { ko: "합계", en: "Total" },
  log: { ko: "기록", en: "Log" },
  event: { ko: "일어난 일", en: "What happened" },
  earlier: { ko: "이전 기록은 생략했습니다.", en: "Earlier lines are left out." },
  messages: { ko: "메시지", en: "Messages" },
  to: { ko: "받는 번호", en: "To" },
  type: { ko: "종류", en: "Type" },
  text: { ko: "내용", en: "Text" },
  state: { ko: "상태", en: "State" },
  none: { ko: "메시지가 없습니다.", en: "It has no messages." },
} as const satisfies Readonly<Record<string, Label>>;

const max = { messages: 50, log: 100 };

export const oneGroup = (row: GroupRow, view: View): Html => {
  const group = groupRecord(row, view.store.settings.get("idSeed"));
  return html`<h2 class="id"><code>${group.groupId}</code></h2>
<div class="columns">
<section class="panel" aria-labelledby="about"><h3 id="about">${view.say(say.status)}</h3><div id="group-about" data-live>${about(row, view)}</div></section>
<section class="panel" aria-labelledby="counts"><h3 id="counts">${view.say(say.counts)}</h3><dl class="figures" id="group-counts" data-live>${counts(group, view)}</dl></section>
<section class="panel" aria-labelledby="money"><h3 id="money">${view.say(say.money)}</h3><div id="group-money" data-live>${money(group, view)}</div></section>
<section class="panel" aria-labelledby="log"><h3 id="log">${view.say(say.log)}</h3><div id="group-log" data-live>${log(group, view)}</div></section>
</div>
<section aria-labelledby="messages"><h3 id="messages">${view.say(say.messages)}</h3>${messages(row, view)}</section>`;
};

const about = (row: GroupRow, view: View): Html => {
  const times = [
    [say.made, row.created],
    [say.scheduled, row.scheduled],
    [say.sent, row.sent],
    [say.completed, row.completed],
  ] as const;
  return html`<p class="large">${groupState(row.status, view)}</p>
<dl class="pairs">${times.map(([word, at]) => (at === null ? html`` : html`<div><dt>${view.say(word)}</dt><dd>${timeShown(at)}</dd></div>`))}
<div><dt>${view.say(labels.account)}</dt><dd>${row.accountId}</dd></div></dl>`;
};

const figures = [
  "total",
  "registeredSuccess",
  "registeredFailed",
  "sentTotal",
  "sentPending",
  "sentSuccess",
  "sentFailed",
  "sentReplacement",
  "refund",
] as const;

const counts = ({ count }: Group, view: View): Html[] =>
  figures.map(
    (name) => html`
<div id="count-of-${name}"><dt>${view.say(say[name])}</dt><dd>${numberShown(count[name])}</dd></div>`,
  );

const moves = [
  ["requested", say.requested],
  ["replacement", say.replacement],
  ["refund", say.moneyBack],
  ["sum", say.sum],
] as const;
const walletParts = ["balance", "point"] as const;

const money = (group: Group, view: View): Html => html`<table>
<thead><tr><td></td>${walletParts.map((it) => html`<th scope="col" class="numeric">${view.say(say[it])}</th>`)}</tr></thead>
<tbody>${moves.map(
  ([move, word]) =>
    html`<tr><th scope="row">${view.say(word)}</th>${walletParts.map(
      (it) => html`<td class="numeric">${numberShown(group[it][move])}</td>`,
    )}</tr>`,
)}</tbody></table>`;

const log = (group: Group, view: View): Html => {
  const shown = group.log.slice(-max.log);
  return html`${shown.length < group.log.length ? html`<p class="quiet small">${view.say(say.earlier)}</p>` : html``}<ol class="log" tabindex="0" aria-labelledby="log">${shown.map(
    ({ createAt, message }) => html`<li>${timeShown(createAt)} ${plain(message)}</li>`,
  )}</ol>`;
};

const messages = (group: GroupRow, view: View): Html => {
  const rows = view.store.listMessages({
    accountId: group.accountId,
    conditions: [{ column: "groupSeq", is: "eq", value: group.seq }],
    from: placeIn(view.query.get("from")),
    limit: max.messages + 1,
  });
  const next = rows[max.messages];
  const shown = rows.slice(0, max.messages);
  const heads = [labels.time, say.to, say.type, say.text, say.state];
  return html`<div class="wide"><table class="stack">
<thead><tr>${heads.map((it) => html`<th scope="col">${view.say(it)}</th>`)}</tr></thead>
<tbody id="group-messages" data-live>${shown.map((row) => line(row, view))}</tbody>
</table></div>
<div id="group-messages-end" data-live>${shown.length === 0 ? html`<p class="empty">${view.say(say.none)}</p>` : html``}${pager(
    view,
    "groups",
    { next: next && `${next.created}-${next.seq}` },
  )}</div>`;
};

const placeIn = (text: string | null): Place | undefined => {
  const [, created, seq] = /^(\d{1,15})-(\d{1,15})$/.exec(text ?? "") ?? [];
  return created === undefined ? undefined : { created: Number(created), seq: Number(seq) };
};

const line = (row: MessageRow, view: View): Html => {
  const id = idOf("M4V", row.seq, row.created, view.store.settings.get("idSeed"));
  const { tone, title, meaning } = stateOf(row.statusCode, view);
  const label = (word: Label) => html`data-label="${view.say(word)}"`;
  return html`
<tr id="of-group-${id}">
<td ${label(labels.time)}>${timeShown(row.created)}</td>
<td ${label(say.to)}><a href="${addressOf("", { to: row.recipient })}#m-${id}">${plain(row.recipient)}</a></td>
<td ${label(say.type)}><span class="kind">${view.say(kindLabels(row.type))}</span></td>
<td ${label(say.text)}><span class="clamp">${plain(row.text)}</span></td>
<td ${label(say.state)}><span class="state ${tone}"><span class="dot" aria-hidden="true"></span><b>${row.statusCode}</b> ${title}${tone === "bad" ? html`: ${meaning}` : html``}</span></td>
</tr>`;
};
