/**
 * The chart of a balance. Its lines are SVG that takes the width it gets; its words are beside it and
 * keep their size. The table under it holds the same in words.
 */

import { type Html, html } from "../../markup/html.ts";
import type { BalancePoint } from "../store/dashboard-queries.ts";
import { beginsOf, heightOf, plot, type Scale, scaleOf, stepsOf } from "./curve.ts";
import { numberShown, timeShown } from "./elements.ts";
import type { View } from "./page.ts";

export interface Chart {
  /** Oldest first; at least one. */
  readonly points: readonly BalancePoint[];
  /** Balances below which the owner is alerted. */
  readonly alerts: readonly number[];
  /** True where older movements are left out. */
  readonly isCut: boolean;
}

export const balanceChart = ({ points, alerts, isCut }: Chart, view: View): Html => {
  const values = points.map((it) => it.newBalance);
  const scale = scaleWith(values, alerts);
  const times = points.map((it) => it.created);
  const endMs = Math.max(view.now.getTime(), ...times.slice(-1));
  const firstMs = times[0] ?? endMs;
  const begins = beginsOf(times, endMs);
  return html`<figure class="chart">
<figcaption><b>${view.translate("The balance over time")}</b> <span class="quiet small">${view.translate(isCut ? "The newest 10,000 movements" : "By time, until now")}</span></figcaption>
<div class="plot">
<div class="y" aria-hidden="true">${[...scale.ticks].reverse().map((it) => html`<span>${numberShown(it)}</span>`)}</div>
${drawing(values, { begins, scale, alerts, description: describe(values, view) })}
<div class="x" aria-hidden="true">${[firstMs, (firstMs + endMs) / 2, endMs].map((ms) => timeShown(ms, "minute"))}</div>
</div>
${alerts.length === 0 ? html`` : html`<p class="legend small"><svg class="key" viewBox="0 0 24 2" aria-hidden="true"><path class="alert" d="M0 1H24"/></svg> ${view.translate("Low-balance alert")}: ${alerts.map((it) => describeAlert(it, scale, view)).join(", ")}</p>`}
</figure>`;
};

/** An alert is drawn where that does not press the curve flat. */
const scaleWith = (values: readonly number[], alerts: readonly number[]): Scale => {
  const own = scaleOf(values);
  const near = alerts.filter((it) => it >= own.low - (own.high - own.low));
  return scaleOf([...values, ...near]);
};

const describeAlert = (alert: number, scale: Scale, { translate }: View): string =>
  `${numberShown(alert)}${translate(" won")}${alert < scale.low ? ` (${translate("below the chart")})` : ""}`;

interface Drawing {
  readonly begins: readonly number[];
  readonly scale: Scale;
  readonly alerts: readonly number[];
  readonly description: string;
}

const drawing = (
  values: readonly number[],
  { begins, scale, alerts, description }: Drawing,
): Html => {
  const steps = stepsOf(values, begins, scale);
  const across = (value: number): string => `M0 ${heightOf(value, scale)}H${plot.width}`;
  const drawn = alerts.filter((it) => it >= scale.low && it <= scale.high);
  const end = heightOf(values.at(-1) ?? 0, scale);
  const line = (name: string, d: string): Html =>
    html`<path class="${name}" d="${d}" vector-effect="non-scaling-stroke"/>`;
  return html`<svg id="balance-curve" role="img" aria-label="${description}" viewBox="0 0 ${plot.width} ${plot.height}" preserveAspectRatio="none">
${line("grid", scale.ticks.map(across).join(""))}
<path class="area" d="${steps}V${plot.height}H0Z"/>
${drawn.map((it) => line("alert", across(it)))}
${line("balance", steps)}
${line("now", `M${plot.width} ${end}h0`)}
</svg>`;
};

/** What the picture shows, for those who do not see it. */
const describe = (values: readonly number[], { translate }: View): string => {
  const won = (value: number | undefined): string => numberShown(value ?? 0);
  const sorted = [...values].sort((one, other) => one - other);
  const [first, last, min, max] = [values[0], values.at(-1), sorted[0], sorted.at(-1)].map(won);
  return translate([
    "The balance over # movements: # won at first, # won now, at least # won, at most # won. The table below has them all.",
    ...[numberShown(values.length), first, last, min, max].map(String),
  ]);
};
