/** Pieces that pages are put together from: numbers, times, forms and tables. */
import { seoulOffsetMs } from "../../contract/time.ts";
import { type Html, html } from "../../markup/html.ts";
import { formTokenField } from "../http/request-guard.ts";
import type { Place } from "../store/rows.ts";
import type { Label } from "./language.ts";
import { addressOf, type View } from "./page.ts";

/** Text of any content: it stays as it is and turns nothing around it (bidi). */
export const plain = (text: string): Html => html`<bdi>${text}</bdi>`;

/** A telephone number as Koreans write it: 010-1234-5678, 02-123-4567, 1588-1234. */
export const phoneShown = (number: string): Html => {
  const parts = /^(?:(02|0\d{2})(\d{3,4})|(1\d{3}))(\d{4})$/.exec(number)?.slice(1);
  return plain(parts?.filter((it) => it !== undefined).join("-") ?? number);
};

const cuts = {
  full: [0, 19],
  minute: [0, 16],
  day: [5, 10],
  clock: [11, 19],
  short: [11, 16],
} as const;

/** An instant as Korea's clocks show it, with its date or without. */
export const timeShown = (at: Date | number | string, form: keyof typeof cuts = "full"): Html => {
  const instant = new Date(at);
  const seoul = new Date(instant.getTime() + seoulOffsetMs).toISOString().replace("T", " ");
  const full = seoul.slice(...cuts.full);
  return html`<time datetime="${instant.toISOString()}" title="${full} UTC+9">${seoul.slice(...cuts[form])}</time>`;
};

/** When something came, in a list: the time of today, else the day. */
export const recentShown = (at: number, now: Date): Html =>
  timeShown(at, dayShown(at) === dayShown(now.getTime()) ? "short" : "day");

/** The day of Korea's calendar. */
export const dayShown = (at: number): string =>
  new Date(at + seoulOffsetMs).toISOString().slice(0, 10);

export interface FormOf {
  readonly page: string;
  /** Left out where each of its buttons names one. */
  readonly action?: string;
  /** What the page is asked for, which it goes on to show. */
  readonly asked?: Readonly<Record<string, string | undefined>>;
}

/** A form that does something: it carries the token, and names page and action. */
export const formOf = (
  { token }: View,
  { page, action, asked }: FormOf,
  content: Html,
): Html => html`<form method="post" action="${addressOf(page, asked)}">
<input type="hidden" name="${formTokenField}" value="${token}">
${action === undefined ? html`` : html`<input type="hidden" name="action" value="${action}">`}
${content}
</form>`;

/** The end of a form that filters a list, with the way back to all of it. */
export const searchButton = ({ translate, query }: View, page: string): Html =>
  html`<div class="row"><button>${translate("Search")}</button>${
    query.size === 0 ? html`` : html` <a href="${addressOf(page)}">${translate("Clear")}</a>`
  }</div>`;

/** The row that a page of a list begins with, by its number; undefined for the newest. */
export const numberIn = ({ query }: View, name: string): number | undefined => {
  const text = query.get(name) ?? "";
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
};

/** The same by time and number. */
export const placeIn = ({ query }: View): Place | undefined => {
  const [, created, seq] = /^(\d{1,15})-(\d{1,15})$/.exec(query.get("from") ?? "") ?? [];
  return created === undefined ? undefined : { created: Number(created), seq: Number(seq) };
};

/** A field of a search that is left at all, or set to one of a few values. */
export const choiceOf = (
  name: string,
  label: Label,
  among: readonly (readonly [value: string, title: string])[],
  { translate, query }: View,
): Html => html`<div><label for="${name}">${translate(label)}</label><select id="${name}" name="${name}">
<option value="">${translate("All")}</option>${among.map(
  ([value, title]) =>
    html`<option value="${value}"${query.get(name) === value ? html` selected` : html``}>${title}</option>`,
)}</select></div>`;

/** A number as people write it: 12,345. */
export const numberShown = (value: number): string => value.toLocaleString("en-US");

/** One column of a table: its head, and the attributes of its cells beside the label. */
export interface Column<R> {
  readonly head: Label;
  readonly cell: (row: R) => Html | string;
  readonly isNumeric?: boolean;
  /** True where the cell says nothing: it is left out where the table is stacked. */
  readonly isEmpty?: (row: R) => boolean;
}

export interface Table<R> {
  /** Of the body, which the script of the pages renews; left out where that renews what is around it. */
  readonly id?: string;
  readonly columns: readonly Column<R>[];
  readonly rows: readonly R[];
  readonly rowId: (row: R) => string;
}

/** A table whose cells name their column, for screens too narrow for a table. */
export const tableOf = <R>({ id, columns, rows, rowId }: Table<R>, { translate }: View): Html => {
  const classOf = ({ isNumeric, isEmpty }: Column<R>, row?: R): string =>
    [isNumeric && "numeric", row !== undefined && isEmpty?.(row) && "none"]
      .filter(Boolean)
      .join(" ");
  const attribute = (classes: string): Html => (classes ? html` class="${classes}"` : html``);
  return html`<div class="wide"><table class="stack">
<thead><tr>${columns.map((it) => html`<th scope="col"${attribute(classOf(it))}>${translate(it.head)}</th>`)}</tr></thead>
<tbody${id === undefined ? html`` : html` id="${id}" data-live`}>${rows.map(
    (row) => html`
<tr id="${rowId(row)}">${columns.map(
      (it) => html`
<td${attribute(classOf(it, row))} data-label="${translate(it.head)}">${it.cell(row)}</td>`,
    )}
</tr>`,
  )}</tbody>
</table></div>`;
};

/** Where a list goes on, and what it says where it has no rows. */
interface Ways {
  readonly page: string;
  readonly next: string | undefined;
  /** The parameter that names the first row of a page. */
  readonly from?: string;
  readonly empty: Label;
}

/** A table that is one page of a list, with the ways to its other pages. */
export const pagedTable = <R>(
  table: Table<R> & { readonly id: string },
  { page, empty, ...ways }: Ways,
  view: View,
): Html => html`${tableOf(table, view)}
<div id="${table.id}-end" data-live>${
  table.rows.length === 0 ? html`<p class="empty">${view.translate(empty)}</p>` : html``
}${pager(view, page, ways)}</div>`;

/** Ways to the newest and to the older rows of a list that is paged by key. */
const pager = (
  { translate, query }: View,
  page: string,
  { next, from = "from" }: { readonly next: string | undefined; readonly from?: string },
): Html => {
  const { [from]: begin, ...asked } = Object.fromEntries(query);
  if (begin === undefined && next === undefined) return html``;
  return html`<nav class="pager" aria-label="${translate("Pages of the list")}">
${begin === undefined ? html`` : html`<a href="${addressOf(page, asked)}">‹ ${translate("Newest")}</a>`}
${next === undefined ? html`` : html`<a rel="next" href="${addressOf(page, { ...asked, [from]: next })}">${translate("Older")} ›</a>`}
</nav>`;
};
