/** The log of requests: who asked for what, whether the signature held, and why it was refused. */

import { type Html, html } from "../../markup/html.ts";
import { explain } from "../../message/explain.ts";
import type { LoggedRequest, RequestsPage } from "../store/requests.ts";
import {
  type Column,
  numberShown,
  pagedTable,
  plain,
  searchButton,
  timeShown,
} from "./elements.ts";
import { inLanguageOf, type Label } from "./language.ts";
import { addressOf, type Page, type View } from "./page.ts";

const signatures = {
  valid: "Valid",
  wrong: "Not valid",
  token: "Valid token",
  unchecked: "Not checked",
} as const satisfies Readonly<Record<string, Label>>;

/** Codes of the step that looks at signatures and tokens. */
const authenticationCodes = [
  "InvalidAPIKey",
  "DuplicatedSignature",
  "RequestTimeTooSkewed",
  "SignatureDoesNotMatch",
  "Unauthorized",
];

/** A caller is known only once the signature held; what was refused before was not looked at. */
const signatureOf = ({ apiKey, accountId, verdict }: LoggedRequest): keyof typeof signatures => {
  if (apiKey !== null) return "valid";
  if (accountId !== null) return "token";
  return authenticationCodes.includes(verdict) ? "wrong" : "unchecked";
};

const rowsOfPage = 50;

const queryOf = (query: URLSearchParams): RequestsPage => ({
  from: /^\d{1,15}$/.exec(query.get("from") ?? "")?.[0],
  isRefused: query.get("refused") === "yes",
  time: query.get("at") ?? undefined,
  accountId: query.get("account") ?? undefined,
  path: query.get("q") ?? undefined,
  limit: rowsOfPage + 1,
});

const show = (view: View): Html => {
  const rows = view.store.requests.list(queryOf(view.query));
  const shown = rows.slice(0, rowsOfPage);
  const rowId = ({ requestId }: LoggedRequest): string => `r-${requestId}`;
  const ways = {
    page: "requests",
    next: rows[rowsOfPage]?.requestId,
    empty: "There is no such request.",
  } as const;
  return html`${filters(view)}
<p class="quiet">${view.translate(view.query.has("at") ? "Requests at the instant when the message was created." : "The newest 10,000 are kept.")}</p>
${pagedTable({ id: "requests", columns: columnsFor(view), rows: shown, rowId }, ways, view)}`;
};

const columnsFor = (view: View): readonly Column<LoggedRequest>[] => [
  { head: "Time", cell: ({ time }) => timeShown(time) },
  {
    head: "Request",
    cell: ({ method, path }) =>
      html`<code class="any"><b>${plain(method)}</b> ${plain(path)}</code>`,
  },
  { head: "Key", cell: (row) => callerShown(row, view) },
  { head: "Signature", cell: (row) => signatureShown(row, view) },
  {
    head: "Response",
    cell: ({ status, verdict }) =>
      html`<span class="state ${verdict === "ok" ? "good whole" : "bad"}"><span class="dot" aria-hidden="true"></span><b>${status}</b> ${plain(verdict)}</span>`,
  },
  { head: "Why", cell: (row) => whyOf(row, view), isEmpty: ({ why }) => why === null },
];

const callerShown = ({ apiKey, accountId }: LoggedRequest, view: View): Html => {
  const account =
    accountId === null ? html`` : html` <span class="quiet small">${accountId}</span>`;
  if (apiKey !== null) return html`<code class="whole">${plain(apiKey)}</code>${account}`;
  return html`<span class="quiet">${accountId === null ? "–" : view.translate("Access token")}</span>${account}`;
};

const signatureShown = (row: LoggedRequest, view: View): Html => {
  const signature = signatureOf(row);
  const tones = { valid: "good", token: "good", wrong: "bad", unchecked: "" };
  return html`<span class="state ${tones[signature]}">${view.translate(signatures[signature])}</span>`;
};

/** What the service answered, and what can be done about it. */
const whyOf = ({ verdict, why }: LoggedRequest, { language }: View): Html => {
  if (why === null) return html`–`;
  const todo = inLanguageOf(language, () => explain(verdict)?.todo);
  return html`<span class="why">${plain(why)}${todo === undefined ? html`` : html` <span class="quiet small" lang="${language}">${todo}</span>`}</span>`;
};

const filters = (view: View): Html => {
  const { query, translate } = view;
  const at = query.get("at");
  const account = query.get("account");
  const hidden = (name: string, value: string | null): Html =>
    value === null ? html`` : html`<input type="hidden" name="${name}" value="${value}">`;
  return html`<form class="panel fields" role="search" aria-label="${translate("Find requests")}" action="${addressOf("requests")}">
${hidden("at", at)}${hidden("account", account)}
<div><label for="q">${translate("Path")}</label><input id="q" name="q" type="search" autocomplete="off" value="${query.get("q")}"></div>
<label class="check"><input type="checkbox" name="refused" value="yes"${query.get("refused") === "yes" ? html` checked` : html``}> ${translate("Refused ones only")}</label>
${searchButton(view, "requests")}
</form>`;
};

export const requests: Page = {
  name: "requests",
  title: "Requests",
  count: ({ store }) => numberShown(store.requests.count()),
  show,
};
