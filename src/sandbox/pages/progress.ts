/** The progress of a group, or of all groups of a run, as `msg run watch` shows it in a terminal. */
import { type Html, html } from "../../markup/html.ts";
import { isFailure } from "../../message/status.ts";
import { costOf } from "../rules/groups.ts";
import type { GroupRow } from "../store/groups.ts";
import { formatTime, phoneLink } from "./elements.ts";
import { formatNumber } from "./language.ts";
import type { View } from "./page.ts";
import { messageState } from "./states.ts";

/** The window of the rate, in business time. */
const windowMs = 15_000;
const maxFailures = 6;

/** A panel that is refreshed while it is open. */
export const progressPanel = (groups: readonly GroupRow[], view: View): Html => {
  const figures = figuresOf(groups, view);
  return html`<section class="panel" aria-labelledby="progress"><h3 id="progress">${view.translate("Progress")}</h3>
<div id="progress-now" data-live>${bar(figures, view)}${counts(figures, view)}</div>
<div id="progress-failures" data-live>${failures(figures, view)}</div></section>`;
};

type Figures = ReturnType<typeof figuresOf>;

/** `rate` is recent reports per second; `codes` are failures and how often each occurred. */
const figuresOf = (groups: readonly GroupRow[], { store, now }: View) => {
  const sum = (of: (row: GroupRow) => number): number =>
    groups.reduce((total, row) => total + of(row), 0);
  const since = now - windowMs;
  const codes = new Map<string, number>();
  let recent = 0;
  for (const it of groups.flatMap(({ seq }) => store.dashboard.codesOf(seq, since))) {
    if (isFailure(it.code)) codes.set(it.code, (codes.get(it.code) ?? 0) + it.count);
    recent += it.recent;
  }
  const last = groups.flatMap(({ seq }) => store.dashboard.lastFailures(seq, maxFailures));
  return {
    total: sum((it) => it.registeredSuccess),
    delivered: sum((it) => it.sentSuccess),
    failed: sum((it) => it.sentFailed),
    pending: sum((it) => Math.max(0, it.registeredSuccess - it.sentSuccess - it.sentFailed)),
    cost: sum(costOf),
    rate: recent / (windowMs / 1000),
    codes: [...codes].sort(([, one], [, other]) => other - one),
    last: last.sort((one, other) => other.updated - one.updated).slice(0, maxFailures),
  };
};

const width = 1000;

const bar = ({ total, delivered, failed, pending }: Figures, { translate }: View): Html => {
  const unit = total === 0 ? 0 : width / total;
  const part = (name: string, from: number, count: number): Html =>
    html`<rect class="${name}" x="${from * unit}" width="${count * unit}" height="16"/>`;
  return html`<svg class="progress" viewBox="0 0 ${width} 16" preserveAspectRatio="none" role="img" aria-label="${translate(["# delivered of #, # failed, # under way", delivered, total, failed, pending])}">${part("good", 0, delivered)}${part("bad", delivered, failed)}</svg>`;
};

const counts = (figures: Figures, { translate }: View): Html => {
  const { total, delivered, failed, pending, cost, rate } = figures;
  const seconds = String(Math.ceil(pending / rate));
  const isMoving = pending > 0 && rate > 0;
  const shown = [
    ["Accepted", formatNumber(total)],
    ["Delivered", formatNumber(delivered)],
    ["Failed", formatNumber(failed)],
    ["Under way", formatNumber(pending)],
    ["Rate", isMoving ? translate(["# a second", Math.round(rate * 10) / 10]) : "–"],
    ["Time left", isMoving ? translate(["# s", seconds]) : "–"],
    ["Cost", `${formatNumber(cost)}${translate(" won")}`],
  ] as const;
  return html`<dl class="figures">${shown.map(
    ([word, text]) => html`<div><dt>${translate(word)}</dt><dd>${text}</dd></div>`,
  )}</dl>`;
};

const failures = ({ codes, last }: Figures, view: View): Html | undefined => {
  if (codes.length === 0) return undefined;
  return html`<div class="columns after"><div><h4>${view.translate("Failures by code")}</h4><ul class="tally">${codes.map(
    ([code, count]) =>
      html`<li><span class="numeric">${formatNumber(count)}</span> <span>${messageState(code, view)}</span></li>`,
  )}</ul></div>
<div><h4>${view.translate("Last failures")}</h4><ul class="tally">${last.map(
    ({ recipient, code, updated }) =>
      html`<li>${formatTime(updated, "clock")} <span>${phoneLink(recipient)} <b>${code}</b></span></li>`,
  )}</ul></div></div>`;
};
