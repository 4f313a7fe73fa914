/** Requests for a higher quota, and withdrawals, as they wait for a decision. */

import { withdrawalRecord } from "../handlers/bank.ts";
import { requestRecord } from "../handlers/quota.ts";
import type { QuotaRequestRow } from "../store/quotas.ts";
import type { WithdrawalRow } from "../store/withdrawals.ts";
import { decisionForm } from "./decision.ts";
import { numberShown, plain, timeShown } from "./elements.ts";
import { type Html, html } from "./html.ts";
import { labels } from "./labels.ts";
import type { Label, View } from "./page.ts";

const say = {
  perDay: { ko: "건/일", en: "messages a day" },
  now: { ko: "지금 한도", en: "Now" },
  reason: { ko: "이유", en: "Reason" },
  papers: { ko: "첨부 파일", en: "Papers" },
  asked: { ko: "요청 시각", en: "Asked for" },
  won: { ko: "원", en: "won" },
  bank: { ko: "입금 계좌", en: "To" },
  fee: { ko: "수수료", en: "Fee" },
  paid: { ko: "실제 입금액", en: "Paid out" },
} as const satisfies Readonly<Record<string, Label>>;

type Pair = readonly [Label, Html | string];

const pairs = (all: readonly Pair[], view: View): Html =>
  html`<dl class="pairs">${all.map(([word, value]) => html`<div><dt>${view.say(word)}</dt><dd>${value}</dd></div>`)}</dl>`;

export const quotaCard = (row: QuotaRequestRow, view: View): Html => {
  const { handleKey: id, fileIds, reasonRequested, accountId, requestedQuota } = requestRecord(row);
  const name = `${numberShown(requestedQuota)} ${view.say(say.perDay)}`;
  const held = view.store.quotas.read(accountId)?.quota ?? 0;
  const all: readonly Pair[] = [
    [say.now, `${numberShown(held)} ${view.say(say.perDay)}`],
    [say.reason, plain(reasonRequested ?? "–")],
    [say.papers, fileIds.length === 0 ? "–" : plain(fileIds.join(", "))],
    [labels.account, accountId],
    [say.asked, timeShown(row.created)],
  ];
  return html`
<li class="panel waiting" id="q-${id}">
<div><h3>${name}</h3>${pairs(all, view)}</div>
<div>${decisionForm({ kind: "quota", id, name }, view)}</div>
</li>`;
};

export const withdrawalCard = (row: WithdrawalRow, view: View): Html => {
  const record = withdrawalRecord(row, view.store.settings.get("idSeed"));
  const won = (amount: number): string => `${numberShown(amount)} ${view.say(say.won)}`;
  const { withdrawId: id, accountId, bankCode, accountNumber, holderName } = record;
  const name = won(record.totalAmount);
  const all: readonly Pair[] = [
    [say.paid, won(record.amount)],
    [say.fee, won(record.fee)],
    [say.bank, plain(`${bankCode} ${accountNumber} ${holderName}`)],
    [labels.account, accountId],
    [say.asked, timeShown(row.created)],
  ];
  return html`
<li class="panel waiting" id="w-${id}">
<div><h3>${name}</h3>${pairs(all, view)}</div>
<div>${decisionForm({ kind: "withdrawal", id, name }, view)}</div>
</li>`;
};
