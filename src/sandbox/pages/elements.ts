/** Building blocks of pages: numbers, times, forms and tables. */
import { seoulTime } from "../../contract/time.ts";
import { type Html, html } from "../../markup/html.ts";
import { accountA } from "../fixtures/accounts.ts";
import type { Cursor } from "../store/rows.ts";
import { formatNumber, type Label } from "./language.ts";
import { addressOf, type View } from "./page.ts";

/** Text of any content: it stays as it is and does not reorder the text around it (bidi). */
export const isolate = (text: string): Html => html`<bdi>${text}</bdi>`;

/** A telephone number as Koreans write it: 010-1234-5678, 02-123-4567, 1588-1234. */
export const formatPhone = (number: string): Html => {
  const parts = /^(?:(02|0\d{2})(\d{3,4})|(1\d{3}))(\d{4})$/.exec(number)?.slice(1);
  return isolate(parts?.filter((it) => it !== undefined).join("-") ?? number);
};

/** A telephone number that links to what the phone received. */
export const phoneLink = (number: string): Html =>
  html`<a href="${addressOf("", { to: number })}">${formatPhone(number)}</a>`;

const cuts = {
  full: [0],
  minute: [0, 16],
  day: [5, 10],
  clock: [11, 19],
  short: [11, 16],
} as const;

/** An instant in Korean time, with its date or without. */
export const formatTime = (at: Date | number | string, form: keyof typeof cuts = "full"): Html => {
  const instant = new Date(at);
  const seoul = seoulTime(instant);
  return html`<time datetime="${instant.toISOString()}" title="${seoul} UTC+9">${seoul.slice(...cuts[form])}</time>`;
};

/** When something came, in a list: the time if today, else the day. */
export const formatRecent = (at: number, now: number): Html =>
  formatTime(at, formatDay(at) === formatDay(now) ? "short" : "day");

/** The day in Korean time. */
export const formatDay = (at: number): string => seoulTime(new Date(at)).slice(0, 10);

/** A form that does something: it carries the token, and names the action unless its buttons do. */
export const actionForm = (
  { token, page }: View,
  action: string | undefined,
  content: Html,
  parameters: Readonly<Record<string, string | undefined>> = {},
): Html => html`<form method="post" action="${addressOf(page.name, parameters)}">
<input type="hidden" name="token" value="${token}">
${action && html`<input type="hidden" name="action" value="${action}">`}
${content}
</form>`;

/** The end of a form that filters a list, with the way back to all of it. */
export const searchButton = ({ translate, query, page }: View): Html =>
  html`<div class="row"><button>${translate("Search")}</button>${
    query.size > 0 ? html` <a href="${addressOf(page.name)}">${translate("Clear")}</a>` : ""
  }</div>`;

/** Where a page of a list begins, as a number; undefined for its beginning. */
export const numberIn = ({ query }: View, name: string): number | undefined => {
  const text = query.get(name) ?? "";
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
};

/** The same by time and number. */
export const cursorIn = ({ query }: View): Cursor | undefined => {
  const [, created, seq] = /^(\d{1,15})-(\d{1,15})$/.exec(query.get("from") ?? "") ?? [];
  return created === undefined ? undefined : { created: Number(created), seq: Number(seq) };
};

export const cursorText = ({ created, seq }: Cursor): string => `${created}-${seq}`;

/** A field of a search: everything, or one of a few values. */
export const filterSelect = (
  name: string,
  label: Label,
  among: readonly (readonly [value: string, title: string])[],
  { translate, query }: View,
): Html => html`<div><label for="${name}">${translate(label)}</label><select id="${name}" name="${name}">
<option value="">${translate("All")}</option>${among.map(([value, title]) => option(value, title, query.get(name)))}</select></div>`;

export const option = (value: string, title: string, chosen: string | null | undefined): Html =>
  html`<option value="${value}"${value === chosen ? html` selected` : ""}>${title}</option>`;

/** How many there are; empty if there are none. */
export const formatCount = (count: number): string => (count === 0 ? "" : formatNumber(count));

/** One column of a table: its head, and the attributes of its cells besides the label. */
export interface Column<R> {
  readonly head: Label;
  /** Undefined if it says nothing: shown as 0 or a dash, and left out of a stacked table. */
  readonly cell: (row: R) => Html | string | undefined;
  readonly isNumeric?: boolean;
}

export interface Table<R> {
  /** The id of the table's body, which the pages' script renews; left out if it renews a part around it. */
  readonly id?: string;
  readonly columns: readonly Column<R>[];
  readonly rows: readonly R[];
  readonly rowId: (row: R) => string;
}

/** A table whose cells name their column, for screens too narrow for a table. */
export const tableOf = <R>({ id, columns, rows, rowId }: Table<R>, { translate }: View): Html => {
  const classOf = (isNumeric = false, isEmpty = false): Html | string => {
    const text = [isNumeric && "numeric", isEmpty && "none"].filter(Boolean).join(" ");
    return text && html` class="${text}"`;
  };
  const cellOf = ({ head, cell, isNumeric }: Column<R>, row: R): Html => {
    const content = cell(row);
    const nothing = isNumeric ? html`<span class="quiet">0</span>` : "–";
    return html`
<td${classOf(isNumeric, content === undefined)} data-label="${translate(head)}">${content ?? nothing}</td>`;
  };
  return html`<div class="wide"><table class="stack">
<thead><tr>${columns.map((it) => html`<th scope="col"${classOf(it.isNumeric)}>${translate(it.head)}</th>`)}</tr></thead>
<tbody${id && html` id="${id}" data-live`}>${rows.map(
    (row) => html`
<tr id="${rowId(row)}">${columns.map((it) => cellOf(it, row))}
</tr>`,
  )}</tbody>
</table></div>`;
};

interface PagedTable<R> extends Table<R> {
  readonly id: string;
  readonly next: string | number | undefined;
  /** The text of a table without rows. */
  readonly empty: Label;
}

/** A table that is one page of a list, with links to its newest and its older rows. */
export const pagedTable = <R>(table: PagedTable<R>, view: View): Html => {
  const { id, rows, next, empty } = table;
  const { translate } = view;
  const page = view.page.name;
  const { from, ...parameters } = Object.fromEntries(view.query);
  const pager = html`<nav class="pager" aria-label="${translate("Pages of the list")}">
${from === undefined ? "" : html`<a href="${addressOf(page, parameters)}">‹ ${translate("Newest")}</a>`}
${next === undefined ? "" : html`<a rel="next" href="${addressOf(page, { ...parameters, from: String(next) })}">${translate("Older")} ›</a>`}
</nav>`;
  return html`${tableOf(table, view)}
<div id="${id}-end" data-live>${
    rows.length === 0 ? html`<p class="empty">${translate(empty)}</p>` : ""
  }${from === undefined && next === undefined ? "" : pager}</div>`;
};

/** The account that the address names; that of the first fixtures if it names none. */
export const chosenAccount = ({ store, query }: View): string => {
  const named = query.get("account") ?? accountA;
  return store.accounts.read(named) === undefined ? accountA : named;
};

/** A form that leads to the same page for another account. */
export const accountChoice = (view: View): Html => {
  const chosen = chosenAccount(view);
  const options = view.store.callers
    .accounts()
    .map(({ accountId, status }) => option(accountId, `${accountId} ${status}`, chosen));
  return html`<form class="beside" action="${addressOf(view.page.name)}"><div><label for="account">${view.translate("Account number")}</label>
<select id="account" name="account">${options}</select></div>
<button class="second">${view.translate("Show")}</button></form>`;
};
