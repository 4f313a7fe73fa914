/** Tables of pages, and the ways through a list that is shown page by page. */
import { type Html, html } from "../../markup/html.ts";
import type { Label } from "./language.ts";
import { addressOf, type View } from "./page.ts";

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
