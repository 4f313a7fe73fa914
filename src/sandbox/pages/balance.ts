/** The money of an account: what it holds, how that came about as a chart, and the ledger. */
import { accountA } from "../fixtures/accounts.ts";
import { alertOf } from "../rules/wallet.ts";
import type { AccountRow } from "../store/accounts.ts";
import { historyIdOf, idOf, seoulDay } from "../store/ids.ts";
import type { LedgerRow } from "../store/ledger.ts";
import { accountChoice, chosenAccount } from "./account-form.ts";
import { balanceChart } from "./chart.ts";
import { numberShown, plain, timeShown } from "./elements.ts";
import { type Html, html } from "./html.ts";
import { labels } from "./labels.ts";
import { addressOf, type Label, type Page, type View } from "./page.ts";
import { type Column, pagedTable } from "./table.ts";

const texts = {
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
  if (account === undefined) return html`<p class="empty">${view.translate(texts.none)}</p>`;
  return html`<section class="panel" aria-labelledby="now"><h2 id="now">${view.translate(texts.now)}</h2>
${accountChoice(view, "balance")}
<dl class="figures" id="wallet" data-live>${wallet(account, view)}</dl>
</section>
<div class="panel" id="chart" data-live>${chart(account, view)}</div>
<section aria-labelledby="ledger-title"><h2 id="ledger-title">${view.translate(texts.ledger)}</h2>${ledger(accountId, view)}</section>`;
};

const wallet = (account: AccountRow, view: View): Html => {
  const { accountId, balance, point, quota, autoRecharge, minimumCash, rechargeTo } = account;
  const sent = view.store.accounts.sentOn(accountId, seoulDay(view.now.getTime()));
  const { enabled, balances, channels } = alertOf(account);
  const won = numberShown;
  const figure = (name: string, word: Label, value: string): Html => html`
<div id="wallet-${name}"><dt>${view.translate(word)}</dt><dd>${value}</dd></div>`;
  const off = view.translate(texts.off);
  return html`${figure("balance", texts.balance, won(balance))}${figure("point", texts.point, won(point))}${figure("today", texts.today, won(sent))}${figure("quota", texts.quota, won(quota))}${figure(
    "alert",
    texts.alert,
    enabled ? `${balances.map(won).join(", ")} (${channels.join(", ")})` : off,
  )}${figure(
    "recharge",
    texts.recharge,
    autoRecharge === 1 ? `${won(minimumCash)} → ${won(rechargeTo)}` : off,
  )}`;
};

const chart = (account: AccountRow, view: View): Html => {
  const points = view.store.dashboard.balances(account.accountId, max.points);
  if (points.length === 0) return html`<p class="empty">${view.translate(texts.none)}</p>`;
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
  const seed = view.store.settings.get("idSeed");
  const columns: readonly Column<LedgerRow>[] = [
    { head: labels.time, cell: (row) => timeShown(row.created) },
    {
      head: texts.kind,
      cell: (row) => view.translate(kinds[row.type] ?? { ko: row.type, en: row.type }),
    },
    {
      head: texts.change,
      cell: (row) => signed(row.balanceAmount),
      isNumeric: true,
      isEmpty: (row) => row.balanceAmount === 0,
    },
    { head: texts.after, cell: (row) => numberShown(row.newBalance), isNumeric: true },
    {
      head: texts.points,
      cell: (row) => signed(row.pointAmount),
      isNumeric: true,
      isEmpty: (row) => row.pointAmount === 0,
    },
    { head: texts.pointsAfter, cell: (row) => numberShown(row.newPoint), isNumeric: true },
    { head: texts.why, cell: (row) => html`<span>${whyOf(row, seed, view)}</span>` },
  ];
  const rowId = ({ seq, created }: LedgerRow): string => `h-${historyIdOf(seq, created, seed)}`;
  const ways = { page: "balance", next: next?.toString(), empty: texts.none };
  return pagedTable({ id: "ledger", columns, rows, rowId }, ways, view);
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
  return html`${group === undefined ? html`` : html`<a href="${addressOf("groups", { group })}" title="${group}">${view.translate(texts.group)}</a> `}${
    said === null ? (group === undefined ? "–" : "") : plain(said)
  }`;
};

export const balance: Page = {
  name: "balance",
  title: texts.title,
  count: ({ store }) => numberShown(store.accounts.read(accountA)?.balance ?? 0),
  show,
};
