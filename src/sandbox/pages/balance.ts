/** The money of an account: what it holds, how that came about as a chart, and the ledger. */
import { accountA } from "../fixtures/accounts.ts";
import { alertOf } from "../rules/wallet.ts";
import type { AccountRow } from "../store/accounts.ts";
import { idOf, seoulDay } from "../store/ids.ts";
import type { LedgerRow } from "../store/ledger.ts";
import { historyIdOf } from "../store/money-ids.ts";
import { accountChoice, chosenAccount } from "./account-form.ts";
import { balanceChart } from "./chart.ts";
import { numberShown, pager, plain, timeShown } from "./elements.ts";
import { type Html, html } from "./html.ts";
import { labels } from "./labels.ts";
import { addressOf, type Label, type Page, type View } from "./page.ts";

const say = {
  title: { ko: "잔액", en: "Balance" },
  now: { ko: "지금", en: "Now" },
  balance: { ko: "잔액 (원)", en: "Balance (won)" },
  point: { ko: "포인트", en: "Points" },
  today: { ko: "오늘 보낸 건수", en: "Sent today" },
  quota: { ko: "하루 한도", en: "Messages a day" },
  alert: { ko: "잔액 알림", en: "Low-balance alert" },
  recharge: { ko: "자동 충전", en: "Automatic recharge" },
  off: { ko: "꺼짐", en: "Off" },
  ledger: { ko: "원장", en: "Ledger" },
  kind: { ko: "구분", en: "Kind" },
  change: { ko: "잔액 변동", en: "Balance" },
  points: { ko: "포인트 변동", en: "Points" },
  after: { ko: "변동 후 잔액", en: "Balance after" },
  pointsAfter: { ko: "변동 후 포인트", en: "Points after" },
  why: { ko: "이유", en: "Why" },
  group: { ko: "발송 그룹", en: "Group" },
  none: { ko: "움직임이 없습니다.", en: "No money has moved." },
} as const satisfies Readonly<Record<string, Label>>;

const kinds: Readonly<Record<string, Label>> = {
  RECHARGE: { ko: "충전", en: "Recharge" },
  DEDUCT: { ko: "차감", en: "Deduction" },
  MANUAL: { ko: "조정", en: "Adjustment" },
};

const max = { rows: 50, points: 10_000 };

const show = (view: View): Html => {
  const accountId = chosenAccount(view);
  const account = view.store.accounts.read(accountId);
  if (account === undefined) return html`<p class="empty">${view.say(say.none)}</p>`;
  return html`<section class="panel" aria-labelledby="now"><h2 id="now">${view.say(say.now)}</h2>
${accountChoice(view, "balance")}
<dl class="figures" id="purses" data-live>${wallet(account, view)}</dl>
</section>
<div class="panel" id="chart" data-live>${chart(account, view)}</div>
<section aria-labelledby="ledger-title"><h2 id="ledger-title">${view.say(say.ledger)}</h2>${ledger(accountId, view)}</section>`;
};

const wallet = (account: AccountRow, view: View): Html => {
  const { accountId, balance, point, quota, autoRecharge, minimumCash, rechargeTo } = account;
  const sent = view.store.accounts.sentOn(accountId, seoulDay(view.now.getTime()));
  const { enabled, balances, channels } = alertOf(account);
  const won = (value: number): string => numberShown(value);
  const figure = (name: string, word: Label, value: string): Html => html`
<div id="purse-${name}"><dt>${view.say(word)}</dt><dd>${value}</dd></div>`;
  const off = view.say(say.off);
  return html`${figure("balance", say.balance, won(balance))}${figure("point", say.point, won(point))}${figure("today", say.today, won(sent))}${figure("quota", say.quota, won(quota))}${figure(
    "alert",
    say.alert,
    enabled ? `${balances.map(won).join(", ")} (${channels.join(", ")})` : off,
  )}${figure(
    "recharge",
    say.recharge,
    autoRecharge === 1 ? `${won(minimumCash)} → ${won(rechargeTo)}` : off,
  )}`;
};

const chart = (account: AccountRow, view: View): Html => {
  const points = view.store.dashboard.balances(account.accountId, max.points);
  if (points.length === 0) return html`<p class="empty">${view.say(say.none)}</p>`;
  const { enabled, balances } = alertOf(account);
  const isCut = points.length === max.points;
  return balanceChart({ points, alerts: enabled ? balances : [], isCut }, view);
};

const ledger = (accountId: string, view: View): Html => {
  const from = /^\d{1,15}$/.exec(view.query.get("from") ?? "")?.[0];
  const { rows, next } = view.store.dashboard.ledger({
    accountId,
    ...(from !== undefined && { from: Number(from) }),
    limit: max.rows,
  });
  const numbers = [say.change, say.after, say.points, say.pointsAfter];
  return html`<div class="wide"><table class="stack">
<thead><tr><th scope="col">${view.say(labels.time)}</th><th scope="col">${view.say(say.kind)}</th>${numbers.map(
    (it) => html`<th scope="col" class="numeric">${view.say(it)}</th>`,
  )}<th scope="col">${view.say(say.why)}</th></tr></thead>
<tbody id="ledger" data-live>${rows.map((row) => line(row, view))}</tbody>
</table></div>
<div id="ledger-end" data-live>${rows.length === 0 ? html`<p class="empty">${view.say(say.none)}</p>` : html``}${pager(
    view,
    "balance",
    { next: next?.toString() },
  )}</div>`;
};

const line = (row: LedgerRow, view: View): Html => {
  const seed = view.store.settings.get("idSeed");
  const label = (word: Label) => html`data-label="${view.say(word)}"`;
  return html`
<tr id="h-${historyIdOf(row.seq, row.created, seed)}">
<td ${label(labels.time)}>${timeShown(row.created)}</td>
<td ${label(say.kind)}>${view.say(kinds[row.type] ?? { ko: row.type, en: row.type })}</td>
<td class="numeric${row.balanceAmount === 0 ? " none" : ""}" ${label(say.change)}>${signed(row.balanceAmount)}</td>
<td class="numeric" ${label(say.after)}>${numberShown(row.newBalance)}</td>
<td class="numeric${row.pointAmount === 0 ? " none" : ""}" ${label(say.points)}>${signed(row.pointAmount)}</td>
<td class="numeric" ${label(say.pointsAfter)}>${numberShown(row.newPoint)}</td>
<td ${label(say.why)}><span>${whyOf(row, seed, view)}</span></td>
</tr>`;
};

/** With its sign, so that what came in does not look like what went out. */
const signed = (amount: number): Html => {
  if (amount === 0) return html`<span class="quiet">0</span>`;
  return amount > 0
    ? html`<span class="state good">+${numberShown(amount)}</span>`
    : html`<span>−${numberShown(0 - amount)}</span>`;
};

const whyOf = (row: LedgerRow, seed: number, view: View): Html => {
  const { groupSeq, groupCreated, memo, rechargeMethod } = row;
  const group =
    groupSeq === null || groupCreated === null
      ? undefined
      : idOf("G4V", groupSeq, groupCreated, seed);
  const said = memo ?? rechargeMethod;
  return html`${group === undefined ? html`` : html`<a href="${addressOf("groups", { group })}" title="${group}">${view.say(say.group)}</a> `}${
    said === null ? (group === undefined ? "–" : "") : plain(said)
  }`;
};

export const balance: Page = {
  name: "balance",
  title: say.title,
  count: ({ store }) => numberShown(store.accounts.read(accountA)?.balance ?? 0),
  show,
};
