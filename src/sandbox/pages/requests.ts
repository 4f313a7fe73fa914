/** The log of requests: who asked for what, whether the signature held, and why it was refused. */
import { explain } from "../../message/explain.ts";
import type { LoggedRequest, RequestsPage } from "../store/requests.ts";
import { numberShown, plain, searchButton, timeShown } from "./elements.ts";
import { type Html, html } from "./html.ts";
import { labels } from "./labels.ts";
import { addressOf, type Label, type Page, type View } from "./page.ts";
import { type Column, pagedTable } from "./table.ts";

const texts = {
  title: { ko: "요청 기록", en: "Requests" },
  filters: { ko: "요청 찾기", en: "Find requests" },
  path: { ko: "주소", en: "Path" },
  who: { ko: "키", en: "Key" },
  request: { ko: "요청", en: "Request" },
  signature: { ko: "서명", en: "Signature" },
  answer: { ko: "응답", en: "Answer" },
  why: { ko: "거절 이유", en: "Why" },
  refusedOnly: { ko: "거절된 요청만", en: "Refused ones only" },
  none: { ko: "해당하는 요청이 없습니다.", en: "There is no such request." },
  ofMessage: {
    ko: "메시지를 보낸 순간의 요청입니다.",
    en: "The requests of the instant at which the message was made.",
  },
  kept: { ko: "최근 10,000건을 보관합니다.", en: "The newest 10,000 are kept." },
  token: { ko: "접근 토큰", en: "Access token" },
} as const satisfies Readonly<Record<string, Label>>;

const signatures = {
  valid: { ko: "올바름", en: "Valid" },
  wrong: { ko: "올바르지 않음", en: "Not valid" },
  token: { ko: "토큰 확인", en: "Valid token" },
  unchecked: { ko: "확인하지 않음", en: "Not looked at" },
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
  const ways = { page: "requests", next: rows[rowsOfPage]?.requestId, empty: texts.none };
  return html`${filters(view)}
<p class="quiet">${view.translate(view.query.has("at") ? texts.ofMessage : texts.kept)}</p>
${pagedTable({ id: "requests", columns: columnsFor(view), rows: shown, rowId }, ways, view)}`;
};

const columnsFor = (view: View): readonly Column<LoggedRequest>[] => [
  { head: labels.time, cell: ({ time }) => timeShown(time) },
  {
    head: texts.request,
    cell: ({ method, path }) =>
      html`<code class="any"><b>${plain(method)}</b> ${plain(path)}</code>`,
  },
  { head: texts.who, cell: (row) => callerShown(row, view) },
  { head: texts.signature, cell: (row) => signatureShown(row, view) },
  {
    head: texts.answer,
    cell: ({ status, verdict }) =>
      html`<span class="state ${verdict === "ok" ? "good" : "bad"}"><span class="dot" aria-hidden="true"></span><b>${status}</b> ${plain(verdict)}</span>`,
  },
  { head: texts.why, cell: whyOf, isEmpty: ({ why }) => why === null },
];

const callerShown = ({ apiKey, accountId }: LoggedRequest, view: View): Html => {
  const account =
    accountId === null ? html`` : html` <span class="quiet small">${accountId}</span>`;
  if (apiKey !== null) return html`<code class="whole">${plain(apiKey)}</code>${account}`;
  return html`<span class="quiet">${accountId === null ? "–" : view.translate(texts.token)}</span>${account}`;
};

const signatureShown = (row: LoggedRequest, view: View): Html => {
  const signature = signatureOf(row);
  const tones = { valid: "good", token: "good", wrong: "bad", unchecked: "" };
  return html`<span class="state ${tones[signature]}">${view.translate(signatures[signature])}</span>`;
};

/** What the service answered, and what can be done about it. */
const whyOf = ({ verdict, why }: LoggedRequest): Html => {
  if (why === null) return html`–`;
  const todo = explain(verdict)?.todo;
  return html`<span class="why">${plain(why)}${todo === undefined ? html`` : html` <span class="quiet small" lang="en">${todo}</span>`}</span>`;
};

const filters = (view: View): Html => {
  const { query, translate } = view;
  const at = query.get("at");
  const account = query.get("account");
  const hidden = (name: string, value: string | null): Html =>
    value === null ? html`` : html`<input type="hidden" name="${name}" value="${value}">`;
  return html`<form class="panel fields" role="search" aria-label="${translate(texts.filters)}" action="${addressOf("requests")}">
${hidden("at", at)}${hidden("account", account)}
<div><label for="q">${translate(texts.path)}</label><input id="q" name="q" type="search" autocomplete="off" value="${query.get("q")}"></div>
<label class="check"><input type="checkbox" name="refused" value="yes"${query.get("refused") === "yes" ? html` checked` : html``}> ${translate(texts.refusedOnly)}</label>
${searchButton(view, "requests")}
</form>`;
};

export const requests: Page = {
  name: "requests",
  title: texts.title,
  count: ({ store }) => numberShown(store.requests.count()),
  show,
};
