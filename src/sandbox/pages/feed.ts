/** All messages, newest first, with search and filters. */
import { messageTypes } from "../../contract/message-records.ts";
import { readInstant } from "../checks/dates.ts";
import { idOf } from "../store/ids.ts";
import type { FeedQuery } from "../store/message-feed.ts";
import type { MessageRow } from "../store/messages.ts";
import { numberShown, plain, searchButton, timeShown } from "./elements.ts";
import { type Html, html } from "./html.ts";
import { labels } from "./labels.ts";
import { addressOf, type Label, type Page, type View } from "./page.ts";
import { kindLabels, messageState } from "./states.ts";
import { type Column, pagedTable } from "./table.ts";

const texts = {
  title: { ko: "전체 메시지", en: "All messages" },
  filters: { ko: "메시지 찾기", en: "Find messages" },
  more: { ko: "더 많은 조건", en: "More filters" },
  text: { ko: "내용", en: "Text" },
  to: { ko: "받는 번호", en: "To" },
  from: { ko: "보낸 번호", en: "From" },
  type: { ko: "종류", en: "Type" },
  state: { ko: "상태", en: "State" },
  code: { ko: "상태 코드", en: "Status code" },
  since: { ko: "시작일", en: "From day" },
  until: { ko: "종료일", en: "To day" },
  all: { ko: "모두", en: "All" },
  failed: { ko: "실패", en: "Failed" },
  waiting: { ko: "진행 중", en: "Under way" },
  delivered: { ko: "수신 완료", en: "Delivered" },
  none: { ko: "해당하는 메시지가 없습니다.", en: "No message is like that." },
  searched: {
    ko: "최근 100,000건까지 찾았습니다. 더 이전 것은 아래에서 이어집니다.",
    en: "The newest 100,000 were searched; go on below for older ones.",
  },
  request: { ko: "요청", en: "Request" },
} as const satisfies Readonly<Record<string, Label>>;

const rowsOfPage = 50;

const stateChoices = { waiting: ["2000", "3000"], delivered: ["4000"], failed: undefined } as const;
const isState = (text: string | null): text is keyof typeof stateChoices =>
  text !== null && Object.hasOwn(stateChoices, text);

const queryOf = (query: URLSearchParams): FeedQuery => {
  const given = (name: string): string | undefined => query.get(name)?.trim() || undefined;
  const digits = (name: string): string | undefined => given(name)?.replaceAll("-", "");
  const day = (name: string, bound: "from" | "until") =>
    readInstant(given(name) ?? "", bound)?.getTime();
  const state = query.get("state");
  const code = given("code");
  const codes = code === undefined ? isState(state) && stateChoices[state] : [code];
  const from = given("begin");
  return {
    text: given("q"),
    recipient: digits("to"),
    sender: digits("sender"),
    type: given("type"),
    statusIn: codes ? codes : undefined,
    isFailed: state === "failed" && code === undefined,
    since: day("since", "from"),
    until: day("until", "until"),
    ...(from !== undefined && /^\d{1,15}$/.test(from) && { from: Number(from) }),
    limit: rowsOfPage,
  };
};

const show = (view: View): Html => {
  const { rows, next } = view.store.messageFeed.list(queryOf(view.query));
  const seed = view.store.settings.get("idSeed");
  const rowId = ({ seq, created }: MessageRow): string => `f-${idOf("M4V", seq, created, seed)}`;
  const empty = next === undefined ? texts.none : texts.searched;
  const ways = { page: "feed", next: next?.toString(), from: "begin", empty };
  return html`${filters(view)}
${pagedTable({ id: "feed", columns: columnsFor(view), rows, rowId }, ways, view)}`;
};

const columnsFor = (view: View): readonly Column<MessageRow>[] => [
  { head: labels.time, cell: (row) => requestLink(row, view) },
  {
    head: texts.to,
    cell: ({ recipient }) =>
      html`<a href="${addressOf("", { to: recipient })}">${plain(recipient)}</a>`,
  },
  { head: texts.from, cell: ({ sender }) => plain(sender) },
  {
    head: texts.type,
    cell: ({ type }) => html`<span class="kind">${view.translate(kindLabels(type))}</span>`,
  },
  { head: texts.text, cell: ({ text }) => html`<span class="clamp">${plain(text)}</span>` },
  { head: texts.state, cell: ({ statusCode }) => messageState(statusCode, view) },
];

const requestLink = ({ created, accountId }: MessageRow, view: View): Html => {
  const at = new Date(created).toISOString();
  return html`<a href="${addressOf("requests", { at, account: accountId })}" title="${view.translate(texts.request)}">${timeShown(created)}</a>`;
};

const filters = (view: View): Html => {
  const { query, translate } = view;
  const field = (name: string, word: Label, kind: string): Html =>
    html`<div><label for="${name}">${translate(word)}</label><input id="${name}" name="${name}" type="${kind}" autocomplete="off" value="${query.get(name)}"></div>`;
  return html`<form class="panel" role="search" aria-label="${translate(texts.filters)}" action="${addressOf("feed")}">
<div class="fields">${field("q", texts.text, "search")}
${field("to", texts.to, "text")}
${searchButton(view, "feed")}</div>
<details class="more" id="more"${more.some((it) => query.get(it)) ? html` open` : html``}><summary>${translate(texts.more)}</summary>
<div class="fields">${field("sender", texts.from, "text")}
${choices(
  "type",
  texts.type,
  messageTypes.map((it) => [it, translate(kindLabels(it))] as const),
  view,
)}
${choices(
  "state",
  texts.state,
  stateNames.map((it) => [it, translate(texts[it])] as const),
  view,
)}
${field("code", texts.code, "text")}
${field("since", texts.since, "date")}
${field("until", texts.until, "date")}</div></details>
</form>`;
};

/** Filters that are folded away until they are used. */
const more = ["sender", "type", "state", "code", "since", "until"];
const stateNames = ["waiting", "delivered", "failed"] as const;

const choices = (
  name: string,
  word: Label,
  among: readonly (readonly [value: string, title: string])[],
  { translate, query }: View,
): Html => html`<div><label for="${name}">${translate(word)}</label><select id="${name}" name="${name}">
<option value="">${translate(texts.all)}</option>${among.map(
  ([value, title]) =>
    html`<option value="${value}"${query.get(name) === value ? html` selected` : html``}>${title}</option>`,
)}</select></div>`;

/** Counting goes on no further than this: it must not cost what the messages cost. */
const maxCounted = 100_000;

export const feed: Page = {
  name: "feed",
  title: texts.title,
  count: ({ store }) => {
    const count = store.messageFeed.count(maxCounted + 1);
    return count > maxCounted ? `${numberShown(maxCounted)}+` : numberShown(count);
  },
  show,
};
