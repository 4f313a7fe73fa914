/**
 * The chart of a balance. Its lines are SVG that takes the available width; its text is next to it
 * and keeps its size. The table under it holds the same as text.
 */
import { type Html, html } from "../../markup/html.ts";
import type { BalancePoint } from "../store/dashboard-queries.ts";
import { formatTime } from "./elements.ts";
import { formatNumber } from "./language.ts";
import type { View } from "./page.ts";

/** `points` are oldest first, at least one; the owner is alerted below `alerts`; `isCut` leaves out older ones. */
export const balanceChart = (
  points: readonly BalancePoint[],
  alerts: readonly number[],
  isCut: boolean,
  view: View,
): Html => {
  const { translate } = view;
  const values = points.map((it) => it.newBalance);
  const scale = scaleWith(values, alerts);
  const times = points.map((it) => it.created);
  const endMs = Math.max(view.now, ...times.slice(-1));
  const firstMs = times[0] ?? endMs;
  const ticks = [...scale.ticks].reverse().map((it) => html`<span>${formatNumber(it)}</span>`);
  const alertsShown = alerts.map((it) => {
    const where = it < scale.low ? ` (${translate("below the chart")})` : "";
    return `${formatNumber(it)}${translate(" won")}${where}`;
  });
  return html`<figure class="chart">
<figcaption><b>${translate("The balance over time")}</b> <span class="quiet small">${translate(isCut ? "The newest 10,000 movements" : "By time, until now")}</span></figcaption>
<div class="plot">
<div class="y quiet small" aria-hidden="true">${ticks}</div>
<svg id="balance-curve" role="img" aria-label="${describe(values, view)}" viewBox="0 0 ${plot.width} ${plot.height}" preserveAspectRatio="none">
${linesOf(values, positionsOf(times, endMs), scale, alerts)}
</svg>
<div class="x quiet small" aria-hidden="true">${[firstMs, (firstMs + endMs) / 2, endMs].map((ms) => formatTime(ms, "minute"))}</div>
</div>
${alerts.length === 0 ? "" : html`<p class="legend quiet small"><svg class="key" viewBox="0 0 24 2" aria-hidden="true"><path class="alert" d="M0 1H24"/></svg> ${translate("Low-balance alert")}: ${alertsShown.join(", ")}</p>`}
</figure>`;
};

/** An alert is drawn if that does not flatten the curve. */
const scaleWith = (values: readonly number[], alerts: readonly number[]): Scale => {
  const own = scaleOf(values);
  const near = alerts.filter((it) => it >= own.low - (own.high - own.low));
  return scaleOf([...values, ...near]);
};

const linesOf = (
  values: readonly number[],
  begins: readonly number[],
  scale: Scale,
  alerts: readonly number[],
): Html => {
  const steps = curveOf(values, begins, scale);
  const across = (value: number): string => `M0 ${heightOf(value, scale)}H${plot.width}`;
  const drawn = alerts.filter((it) => it >= scale.low && it <= scale.high);
  const end = heightOf(values.at(-1) ?? 0, scale);
  const line = (name: string, d: string): Html =>
    html`<path class="${name}" d="${d}" vector-effect="non-scaling-stroke"/>`;
  return html`${line("grid", scale.ticks.map(across).join(""))}
<path class="area" d="${steps}V${plot.height}H0Z"/>
${drawn.map((it) => line("alert", across(it)))}
${line("balance", steps)}
${line("now", `M${plot.width} ${end}h0`)}`;
};

/** A description of the picture, for people who do not see it. */
const describe = (values: readonly number[], { translate }: View): string => {
  const [first = 0, last = first] = [values[0], values.at(-1)];
  return translate([
    "The balance over # movements: # won at first, # won now, at least # won, at most # won. The table below has them all.",
    values.length,
    first,
    last,
    Math.min(...values),
    Math.max(...values),
  ]);
};

/** The width and height of the plot in units, whatever its size on the screen. */
export const plot = { width: 1000, height: 300 } as const;

type Scale = ReturnType<typeof scaleOf>;

const wantedTicks = 4;

/** Round numbers that hold all values, evenly spaced; if all are equal, from zero to their double. */
export const scaleOf = (values: readonly number[]) => {
  const [lowest, highest] = [Math.min(...values), Math.max(...values)];
  const isFlat = lowest === highest;
  const [min, max] = isFlat ? [0, Math.max(highest * 2, 1)] : [lowest, highest];
  const step = roundStep(Math.max((max - min) / wantedTicks, 1));
  const low = Math.floor(min / step) * step;
  const high = Math.ceil(max / step) * step;
  const count = Math.round((high - low) / step);
  return { low, high, ticks: Array.from({ length: count + 1 }, (_, at) => low + at * step) };
};

/** 1, 2, 2.5 or 5 of some power of ten, whole and not less than `min`. */
const roundStep = (min: number): number => {
  const power = 10 ** Math.floor(Math.log10(min));
  const factor = [1, 2, 2.5, 5].find((it) => it * power >= min && (it * power) % 1 === 0) ?? 10;
  return factor * power;
};

/** How far down in the plot a value lies. */
export const heightOf = (value: number, { low, high }: Scale): number =>
  round(((high - value) / (high - low)) * plot.height);

/**
 * Where each value begins, from 0 to 1 of the width, by its time; `endMs` is the right end. If the clock
 * was moved back, no value moves to the left.
 */
export const positionsOf = (timesMs: readonly number[], endMs: number): readonly number[] => {
  const first = timesMs[0] ?? 0;
  let latest = first;
  const reached = timesMs.map((ms) => {
    latest = Math.max(latest, ms);
    return latest;
  });
  const span = Math.max(endMs, latest) - first;
  return reached.map((ms, at) => (span > 0 ? (ms - first) / span : at / timesMs.length));
};

/** The curve as steps: a value holds until the next one begins. */
export const curveOf = (
  values: readonly number[],
  begins: readonly number[],
  scale: Scale,
): string => {
  const right = (at: number): number => round((begins[at] ?? 0) * plot.width);
  const steps = values.map((value, at) => `H${right(at)}V${heightOf(value, scale)}`);
  return `M0 ${heightOf(values[0] ?? 0, scale)}${steps.slice(1).join("")}H${plot.width}`;
};

const round = (value: number): number => Math.round(value * 10) / 10;
