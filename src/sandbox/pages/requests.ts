/** The log of requests: the caller, the request, whether the signature was valid, and why it was refused. */
import { type Html, html } from "../../markup/html.ts";
import { explain } from "../../message/explain.ts";
import type { LoggedRequest } from "../store/requests.ts";
import {
  type Column,
  formatTime,
  isolate,
  numberIn,
  pagedTable,
  searchButton,
} from "./elements.ts";
import { formatNumber } from "./language.ts";
import { addressOf, type Page, type View } from "./page.ts";

/** Codes of the step that checks signatures and tokens. */
const authenticationCodes = [
  "InvalidAPIKey",
  "DuplicatedSignature",
  "RequestTimeTooSkewed",
  "SignatureDoesNotMatch",
  "Unauthorized",
];

/** A caller is known only after a valid signature; earlier refusals did not check it. */
const signatureOf = ({ apiKey, accountId, verdict }: LoggedRequest) => {
  if (apiKey !== null) return { word: "Valid", tone: "good" } as const;
  if (accountId !== null) return { word: "Valid token", tone: "good" } as const;
  return authenticationCodes.includes(verdict)
    ? ({ word: "Not valid", tone: "bad" } as const)
    : ({ word: "Not checked", tone: "" } as const);
};

const rowsOfPage = 50;

const show = (view: View): Html => {
  const { query, translate } = view;
  const found = view.store.requests.list({
    from: numberIn(view, "from"),
    isRefused: query.get("refused") === "yes",
    time: query.get("at") ?? undefined,
    accountId: query.get("account") ?? undefined,
    path: query.get("q") ?? undefined,
    limit: rowsOfPage + 1,
  });
  const rows = found.slice(0, rowsOfPage);
  const rowId = ({ requestId }: LoggedRequest): string => `r-${requestId}`;
  const next = found[rowsOfPage]?.requestId;
  const table = { id: "requests", columns: columnsFor(view), rows, rowId, next };
  return html`${filters(view)}
<p class="quiet">${translate(query.has("at") ? "Requests at the instant when the message was created." : "The newest 10,000 are kept.")}</p>
${pagedTable({ ...table, empty: "There is no such request." }, view)}`;
};

const columnsFor = (view: View): readonly Column<LoggedRequest>[] => [
  { head: "Time", cell: ({ time }) => formatTime(time) },
  {
    head: "Request",
    cell: ({ method, path }) =>
      html`<code class="any"><b>${isolate(method)}</b> ${isolate(path)}</code>`,
  },
  { head: "Key", cell: (row) => callerShown(row, view) },
  {
    head: "Signature",
    cell: (row) => {
      const { word, tone } = signatureOf(row);
      return html`<span class="state ${tone}">${view.translate(word)}</span>`;
    },
  },
  {
    head: "Response",
    cell: ({ status, verdict }) =>
      html`<span class="state ${verdict === "ok" ? "good whole" : "bad"}"><span class="dot" aria-hidden="true"></span><b>${status}</b> ${isolate(verdict)}</span>`,
  },
  { head: "Why", cell: (row) => reasonOf(row, view) },
];

const callerShown = ({ apiKey, accountId }: LoggedRequest, { translate }: View): Html => {
  const account = accountId && html` <span class="quiet small">${accountId}</span>`;
  if (apiKey !== null) return html`<code class="whole">${isolate(apiKey)}</code>${account}`;
  return html`<span class="quiet">${account ? translate("Access token") : "–"}</span>${account}`;
};

/** The service's answer, and what to do about it. */
const reasonOf = ({ verdict, why }: LoggedRequest, { language }: View): Html | undefined => {
  if (why === null) return undefined;
  const todo = explain(verdict)?.todo;
  return html`<span class="why">${isolate(why)}${todo && html` <span class="quiet small" lang="${language}">${todo}</span>`}</span>`;
};

const filters = (view: View): Html => {
  const { query, translate } = view;
  const kept = ["at", "account"].filter((name) => query.has(name));
  const hidden = kept.map(
    (name) => html`<input type="hidden" name="${name}" value="${query.get(name)}">`,
  );
  return html`<form class="panel fields" role="search" aria-label="${translate("Find requests")}" action="${addressOf("requests")}">
${hidden}
<div><label for="q">${translate("Path")}</label><input id="q" name="q" type="search" autocomplete="off" value="${query.get("q")}"></div>
<label class="row check"><input type="checkbox" name="refused" value="yes"${query.get("refused") === "yes" ? html` checked` : ""}> ${translate("Refused ones only")}</label>
${searchButton(view)}
</form>`;
};

export const requests: Page = {
  name: "requests",
  title: "Requests",
  count: ({ store }) => formatNumber(store.requests.count()),
  show,
};
