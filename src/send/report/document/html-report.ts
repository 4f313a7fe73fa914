/** The report of a run as one page, which loads nothing: figures, charts, and the rows that need attention. */

import { t, translated } from "../../../locale/locale.ts";
import base from "../../../markup/base.css";
import { Html, html, htmlDocument } from "../../../markup/html.ts";
import { formatFigure, formatRowCount } from "../../../message/price.ts";
import style from "./report.css";
import { type Bar, type OutcomeTally, outcomes, type ReportRow } from "./report-rows.ts";
import type { ReportFacts } from "./xlsx-report.ts";

/** Rows that a browser shows without effort; a sample of those that arrived is enough. */
const max = { rows: 10_000, delivered: 5_000 } as const;

/** The page, as bytes. What did not arrive comes first; not all of many rows are shown. */
export const htmlReport = async (
  title: string,
  facts: ReportFacts,
  rows: AsyncIterable<ReportRow>,
  tally: OutcomeTally,
): Promise<Uint8Array> => {
  const others: ReportRow[] = [];
  const delivered: ReportRow[] = [];
  for await (const row of rows) {
    tally.add(row);
    const isDelivered = row.status === "delivered";
    if (isDelivered && delivered.length < max.delivered) delivered.push(row);
    if (!isDelivered && others.length < max.rows) others.push(row);
  }
  const listed = [...others, ...delivered].slice(0, max.rows);
  return Buffer.from(page(title, facts, tally, listed).text);
};

const page = (
  title: string,
  facts: ReportFacts,
  tally: OutcomeTally,
  rows: readonly ReportRow[],
): Html => {
  const head = html`<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>${new Html(base + style)}</style>`;
  const body = html`<main>
<h1>${title}</h1>
${outcomeChart(tally)}
${codeChart(tally.codeBars())}
<section aria-labelledby="about"><h2 id="about">${t`The run`}</h2>
<dl class="facts">${facts.map(
    ([name, value]) =>
      html`<div><dt>${name}</dt><dd><bdi>${typeof value === "number" ? formatFigure(value) : value}</bdi></dd></div>`,
  )}</dl></section>
${table(rows, tally)}
</main>`;
  return htmlDocument(title, head, body);
};

/** `12.3 %`; a small share does not read as nothing. */
const percentOf = (part: number, whole: number): string => {
  const percent = whole === 0 ? 0 : (part / whole) * 100;
  if (part > 0 && percent < 0.1) return t`< 0.1 %`;
  return part < whole && percent > 99.9 ? t`> 99.9 %` : t`${Number(percent.toFixed(1))} %`;
};

/** One bar for all rows, and its parts in words. */
const outcomeChart = (tally: OutcomeTally): Html => {
  const total = tally.total();
  const parts = outcomes
    .map(([name, title]) => ({ name, title, count: tally.countOf(name) }))
    .filter(({ count }) => count > 0);
  const starts = parts.map((_, at) => parts.slice(0, at).reduce((sum, it) => sum + it.count, 0));
  const unit = total === 0 ? 0 : 1000 / total;
  return html`<section aria-labelledby="outcome"><h2 id="outcome">${t`What became of ${formatRowCount(total)}`}</h2>
<svg class="share" viewBox="0 0 1000 24" preserveAspectRatio="none" role="img" aria-labelledby="outcome">${parts.map(
    ({ name, count }, at) =>
      html`<rect class="${name}" x="${(starts[at] ?? 0) * unit}" width="${count * unit}" height="24"/>`,
  )}</svg>
<ul class="legend">${parts.map(
    ({ name, title, count }) =>
      html`<li><svg class="key" viewBox="0 0 10 10" aria-hidden="true"><rect class="${name}" width="10" height="10"/></svg><span>${translated(title)}</span><b>${formatFigure(count)}</b><span class="quiet">${percentOf(count, total)}</span></li>`,
  )}</ul></section>`;
};

/** Codes of what failed, the most frequent first: each with a bar as long as its share of all failures. */
const codeChart = (bars: readonly Bar[]): Html => {
  const total = bars.reduce((sum, { value }) => sum + value, 0);
  if (total === 0) return html``;
  return html`<section aria-labelledby="codes"><h2 id="codes">${t`Why ${formatRowCount(total)} failed`}</h2>
<ol class="codes">${bars.map(
    ({ name, value, note }) =>
      html`<li><p><b>${name}</b><span class="count">${formatFigure(value)} <span class="quiet">${percentOf(value, total)}</span></span></p>
<svg class="bar" viewBox="0 0 1000 8" preserveAspectRatio="none" aria-hidden="true"><rect class="ground" width="1000" height="8"/><rect class="failed" width="${(value / total) * 1000}" height="8"/></svg>
<p class="quiet">${note}</p></li>`,
  )}</ol></section>`;
};

const outcomeTitles = new Map<string, string>(outcomes);

const table = (rows: readonly ReportRow[], tally: OutcomeTally): Html => {
  const left = tally.total() - rows.length;
  const titles = [t`To`, t`Outcome`, t`From`, t`Type`, t`Text`];
  const [toTitle, outcomeTitle, fromTitle, typeTitle, textTitle] = titles;
  return html`<section aria-labelledby="rows"><h2 id="rows">${t`Rows`}</h2>
${left > 0 ? html`<p class="quiet">${t`This page shows ${formatRowCount(rows.length)}, those that did not arrive first. A report with --out report.xlsx has all of them.`}</p>` : html``}
<table><thead><tr>${titles.map((title) => html`<th scope="col">${title}</th>`)}</tr></thead>
<tbody>${rows.map(
    ({ to, from, type, text, status, code, meaning }) => html`
<tr><td data-label="${toTitle}">${to}</td><td data-label="${outcomeTitle}"><span class="state ${status}">${translated(outcomeTitles.get(status) ?? status)}</span>${status === "delivered" ? html`` : html` <span class="why">${code} <bdi>${meaning}</bdi></span>`}</td><td data-label="${fromTitle}">${from}</td><td data-label="${typeTitle}">${type}</td><td data-label="${textTitle}" class="text"><bdi>${text}</bdi></td></tr>`,
  )}</tbody></table></section>`;
};
