/** The money of an account: its balance, the history as a chart, and the ledger. */
import { type Html, html } from "../../markup/html.ts";
import { accountA } from "../fixtures/accounts.ts";
import { historyRecord } from "../handlers/billing.ts";
import type { AccountRow, LedgerRow } from "../store/accounts.ts";
import { seoulDay } from "../store/ids.ts";
import { balanceChart } from "./chart.ts";
import {
  accountChoice,
  type Column,
  chosenAccount,
  formatTime,
  isolate,
  numberIn,
  pagedTable,
} from "./elements.ts";
import { formatNumber, type Label } from "./language.ts";
import { addressOf, type Page, type View } from "./page.ts";

const kinds: Readonly<Record<LedgerRow["type"], Label>> = {
  RECHARGE: "Recharge",
  DEDUCT: "Deduction",
  REFUND: "Refund",
  MANUAL: "Adjustment",
};

const max = { rows: 50, points: 10_000 };

const show = (view: View): Html => {
  const { translate } = view;
  const accountId = chosenAccount(view);
  const account = view.store.accounts.get(accountId);
  return html`<section class="panel" aria-labelledby="now"><h2 id="now">${translate("Now")}</h2>
${accountChoice(view)}
<dl class="figures" id="wallet" data-live>${wallet(account, view)}</dl>
</section>
<div class="panel" id="chart" data-live>${chart(account, view)}</div>
<section aria-labelledby="ledger-title"><h2 id="ledger-title">${translate("Ledger")}</h2>${ledger(accountId, view)}</section>`;
};

const wallet = (account: AccountRow, { store, now, translate }: View): Html[] => {
  const { accountId, balance, point, quota, autoRecharge, minimumCash, rechargeTo } = account;
  const sent = store.quotas.sentOn(accountId, seoulDay(now));
  const { enabled, balances, channels } = account.alert;
  const alert = `${balances.map(formatNumber).join(", ")} (${channels.join(", ")})`;
  const recharge = `${formatNumber(minimumCash)} → ${formatNumber(rechargeTo)}`;
  const off = translate("Off");
  const figures = [
    ["balance", "Balance (won)", formatNumber(balance)],
    ["point", "Points", formatNumber(point)],
    ["today", "Sent today", formatNumber(sent)],
    ["quota", "Daily limit", formatNumber(quota)],
    ["alert", "Low-balance alert", enabled ? alert : off],
    ["recharge", "Automatic recharge", autoRecharge === 1 ? recharge : off],
  ] as const;
  return figures.map(
    ([name, word, value]) => html`
<div id="wallet-${name}"><dt>${translate(word)}</dt><dd>${value}</dd></div>`,
  );
};

const chart = (account: AccountRow, view: View): Html => {
  const points = view.store.dashboard.balances(account.accountId, max.points);
  if (points.length === 0)
    return html`<p class="empty">${view.translate("No money has moved.")}</p>`;
  const { enabled, balances } = account.alert;
  const isCut = points.length === max.points;
  return balanceChart(points, enabled ? balances : [], isCut, view);
};

const ledger = (accountId: string, view: View): Html => {
  const from = numberIn(view, "from");
  const { rows, next } = view.store.dashboard.ledger({ accountId, from, limit: max.rows });
  const columns: readonly Column<LedgerRow>[] = [
    { head: "Time", cell: (row) => formatTime(row.created) },
    { head: "Kind", cell: (row) => view.translate(kinds[row.type]) },
    { head: "Balance change", cell: (row) => signed(row.balanceAmount), isNumeric: true },
    { head: "Balance after", cell: (row) => formatNumber(row.newBalance), isNumeric: true },
    { head: "Points change", cell: (row) => signed(row.pointAmount), isNumeric: true },
    { head: "Points after", cell: (row) => formatNumber(row.newPoint), isNumeric: true },
    { head: "Why", cell: (row) => html`<span>${reasonOf(row, view)}</span>` },
  ];
  const rowId = (row: LedgerRow): string => `h-${historyRecord(row, view.idSeed).historyId}`;
  const empty = "No money has moved.";
  return pagedTable({ id: "ledger", columns, rows, rowId, next, empty }, view);
};

/** With its sign, so that income and expense differ at a glance. */
const signed = (amount: number): Html | undefined => {
  if (amount === 0) return undefined;
  return amount > 0
    ? html`<span class="state good">+${formatNumber(amount)}</span>`
    : html`<span>−${formatNumber(0 - amount)}</span>`;
};

const reasonOf = (row: LedgerRow, { translate, idSeed }: View): Html => {
  const { groupId: group, memo, rechargeMethod } = historyRecord(row, idSeed);
  const text = memo ?? rechargeMethod;
  if (group === null) return text === null ? html`–` : isolate(text);
  return html`<a href="${addressOf("groups", { group })}" title="${group}">${translate("Group")}</a> ${text === null ? "" : isolate(text)}`;
};

export const balance: Page = {
  name: "balance",
  title: "Balance",
  count: ({ store }) => formatNumber(store.accounts.get(accountA).balance),
  show,
};
