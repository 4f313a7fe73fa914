/** One group: its state, counts, money, log and messages. */
import type { Group } from "../../contract/message-records.ts";
import { groupRecord } from "../handlers/group-record.ts";
import type { Place } from "../store/filters.ts";
import type { GroupRow } from "../store/groups.ts";
import { idOf } from "../store/ids.ts";
import type { MessageRow } from "../store/messages.ts";
import { numberShown, plain, timeShown } from "./elements.ts";
import { type Html, html } from "./html.ts";
import { labels } from "./labels.ts";
import { addressOf, type Label, type View } from "./page.ts";
import { groupState, kindLabels, messageState } from "./states.ts";
import { type Column, pagedTable } from "./table.ts";

const texts = {
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
<section class="panel" aria-labelledby="about"><h3 id="about">${view.translate(texts.status)}</h3><div id="group-about" data-live>${about(row, view)}</div></section>
<section class="panel" aria-labelledby="counts"><h3 id="counts">${view.translate(texts.counts)}</h3><dl class="figures" id="group-counts" data-live>${counts(group, view)}</dl></section>
<section class="panel" aria-labelledby="money"><h3 id="money">${view.translate(texts.money)}</h3><div id="group-money" data-live>${money(group, view)}</div></section>
<section class="panel" aria-labelledby="log"><h3 id="log">${view.translate(texts.log)}</h3><div id="group-log" data-live>${log(group, view)}</div></section>
</div>
<section aria-labelledby="messages"><h3 id="messages">${view.translate(texts.messages)}</h3>${messages(row, view)}</section>`;
};

const about = (row: GroupRow, view: View): Html => {
  const times = [
    [texts.made, row.created],
    [texts.scheduled, row.scheduled],
    [texts.sent, row.sent],
    [texts.completed, row.completed],
  ] as const;
  return html`<p class="large">${groupState(row.status, view)}</p>
<dl class="pairs">${times.map(([word, at]) => (at === null ? html`` : html`<div><dt>${view.translate(word)}</dt><dd>${timeShown(at)}</dd></div>`))}
<div><dt>${view.translate(labels.account)}</dt><dd>${row.accountId}</dd></div></dl>`;
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
<div id="count-of-${name}"><dt>${view.translate(texts[name])}</dt><dd>${numberShown(count[name])}</dd></div>`,
  );

const moves = [
  ["requested", texts.requested],
  ["replacement", texts.replacement],
  ["refund", texts.moneyBack],
  ["sum", texts.sum],
] as const;
const walletParts = ["balance", "point"] as const;

const money = (group: Group, view: View): Html => html`<table>
<thead><tr><td></td>${walletParts.map((it) => html`<th scope="col" class="numeric">${view.translate(texts[it])}</th>`)}</tr></thead>
<tbody>${moves.map(
  ([move, word]) =>
    html`<tr><th scope="row">${view.translate(word)}</th>${walletParts.map(
      (it) => html`<td class="numeric">${numberShown(group[it][move])}</td>`,
    )}</tr>`,
)}</tbody></table>`;

const log = (group: Group, view: View): Html => {
  const shown = group.log.slice(-max.log);
  return html`${shown.length < group.log.length ? html`<p class="quiet small">${view.translate(texts.earlier)}</p>` : html``}<ol class="log" tabindex="0" aria-labelledby="log">${shown.map(
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
  const seed = view.store.settings.get("idSeed");
  const id = ({ seq, created }: MessageRow): string => idOf("M4V", seq, created, seed);
  const columns: readonly Column<MessageRow>[] = [
    { head: labels.time, cell: (row) => timeShown(row.created) },
    {
      head: texts.to,
      cell: (row) =>
        html`<a href="${addressOf("", { to: row.recipient })}#m-${id(row)}">${plain(row.recipient)}</a>`,
    },
    {
      head: texts.type,
      cell: (row) => html`<span class="kind">${view.translate(kindLabels(row.type))}</span>`,
    },
    { head: texts.text, cell: (row) => html`<span class="clamp">${plain(row.text)}</span>` },
    { head: texts.state, cell: (row) => messageState(row.statusCode, view) },
  ];
  const rowId = (row: MessageRow): string => `of-group-${id(row)}`;
  const from = next && `${next.created}-${next.seq}`;
  const ways = { page: "groups", next: from, empty: texts.none };
  return pagedTable({ id: "group-messages", columns, rows: shown, rowId }, ways, view);
};

const placeIn = (text: string | null): Place | undefined => {
  const [, created, seq] = /^(\d{1,15})-(\d{1,15})$/.exec(text ?? "") ?? [];
  return created === undefined ? undefined : { created: Number(created), seq: Number(seq) };
};
