/** All messages, newest first, with search and filters. */
import { messageTypes } from "../../contract/message-records.ts";
import { readInstant } from "../checks/dates.ts";
import { idOf } from "../store/ids.ts";
import type { FeedQuery } from "../store/message-feed.ts";
import type { MessageRow } from "../store/messages.ts";
import { numberShown, pager, plain, searchButton, timeShown } from "./elements.ts";
import { type Html, html } from "./html.ts";
import { labels } from "./labels.ts";
import { addressOf, type Label, type Page, type View } from "./page.ts";
import { kindLabels, stateOf } from "./states.ts";

const say = {
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
  return html`${filters(view)}
<div class="wide"><table class="stack">
<thead><tr>${[labels.time, say.to, say.from, say.type, say.text, say.state].map(
    (it) => html`<th scope="col">${view.say(it)}</th>`,
  )}</tr></thead>
<tbody id="feed" data-live>${rows.map((row) => line(row, view))}</tbody>
</table></div>
<div id="feed-end" data-live>${ending(view, rows.length, next)}</div>`;
};

const ending = (view: View, found: number, next: number | undefined): Html => {
  const why = next === undefined ? say.none : say.searched;
  return html`${found === 0 ? html`<p class="empty">${view.say(why)}</p>` : html``}${pager(view, "feed", { next: next?.toString(), from: "begin" })}`;
};

const line = (row: MessageRow, view: View): Html => {
  const seed = view.store.settings.get("idSeed");
  const { tone, title, meaning } = stateOf(row.statusCode, view);
  const label = (word: Label) => html`data-label="${view.say(word)}"`;
  const at = new Date(row.created).toISOString();
  return html`
<tr id="f-${idOf("M4V", row.seq, row.created, seed)}">
<td ${label(labels.time)}><a href="${addressOf("requests", { at, account: row.accountId })}" title="${view.say(say.request)}">${timeShown(row.created)}</a></td>
<td ${label(say.to)}><a href="${addressOf("", { to: row.recipient })}">${plain(row.recipient)}</a></td>
<td ${label(say.from)}>${plain(row.sender)}</td>
<td ${label(say.type)}><span class="kind">${view.say(kindLabels(row.type))}</span></td>
<td ${label(say.text)}><span class="clamp">${plain(row.text)}</span></td>
<td ${label(say.state)}><span class="state ${tone}${tone === "bad" ? " why" : ""}"><span class="dot" aria-hidden="true"></span><b>${row.statusCode}</b> ${title}${tone === "bad" ? html`: ${meaning}` : html``}</span></td>
</tr>`;
};

const filters = (view: View): Html => {
  const { query, say: words } = view;
  const field = (name: string, word: Label, kind: string): Html =>
    html`<div><label for="${name}">${words(word)}</label><input id="${name}" name="${name}" type="${kind}" autocomplete="off" value="${query.get(name)}"></div>`;
  return html`<form class="panel" role="search" aria-label="${words(say.filters)}" action="${addressOf("feed")}">
<div class="fields">${field("q", say.text, "search")}
${field("to", say.to, "text")}
${searchButton(view, "feed")}</div>
<details class="more" id="more"${more.some((it) => query.get(it)) ? html` open` : html``}><summary>${words(say.more)}</summary>
<div class="fields">${field("sender", say.from, "text")}
${choices(
  "type",
  say.type,
  messageTypes.map((it) => [it, words(kindLabels(it))] as const),
  view,
)}
${choices(
  "state",
  say.state,
  stateNames.map((it) => [it, words(say[it])] as const),
  view,
)}
${field("code", say.code, "text")}
${field("since", say.since, "date")}
${field("until", say.until, "date")}</div></details>
</form>`;
};

/** Filters that are folded away until they are used. */
const more = ["sender", "type", "state", "code", "since", "until"];
const stateNames = ["waiting", "delivered", "failed"] as const;

const choices = (
  name: string,
  word: Label,
  among: readonly (readonly [value: string, title: string])[],
  { say: words, query }: View,
): Html => html`<div><label for="${name}">${words(word)}</label><select id="${name}" name="${name}">
<option value="">${words(say.all)}</option>${among.map(
  ([value, title]) =>
    html`<option value="${value}"${query.get(name) === value ? html` selected` : html``}>${title}</option>`,
)}</select></div>`;

/** Counting goes on no further than this: it must not cost what the messages cost. */
const maxCounted = 100_000;

export const feed: Page = {
  name: "feed",
  title: say.title,
  count: ({ store }) => {
    const count = store.messageFeed.count(maxCounted + 1);
    return count > maxCounted ? `${numberShown(maxCounted)}+` : numberShown(count);
  },
  show,
};
