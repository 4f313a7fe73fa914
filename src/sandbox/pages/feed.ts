/** All messages, newest first, with search and filters. */
import { messageTypes } from "../../contract/message-records.ts";
import { type Html, html } from "../../markup/html.ts";
import { readInstant } from "../checks/dates.ts";
import { idOf } from "../store/ids.ts";
import type { FeedQuery } from "../store/message-feed.ts";
import type { MessageRow } from "../store/messages.ts";
import {
  type Column,
  choiceOf,
  numberIn,
  numberShown,
  pagedTable,
  phoneShown,
  plain,
  searchButton,
  timeShown,
} from "./elements.ts";
import type { Label } from "./language.ts";
import { addressOf, type Page, type View } from "./page.ts";
import { kindName, messageState } from "./states.ts";

const rowsOfPage = 50;

const stateChoices = { waiting: ["2000", "3000"], delivered: ["4000"], failed: undefined } as const;
const isState = (text: string | null): text is keyof typeof stateChoices =>
  text !== null && Object.hasOwn(stateChoices, text);

const queryOf = (view: View): FeedQuery => {
  const { query } = view;
  const given = (name: string): string | undefined => query.get(name)?.trim() || undefined;
  const digits = (name: string): string | undefined => given(name)?.replaceAll("-", "");
  const day = (name: string, bound: "from" | "until") =>
    readInstant(given(name) ?? "", bound)?.getTime();
  const state = query.get("state");
  const code = given("code");
  const codes = code === undefined ? isState(state) && stateChoices[state] : [code];
  return {
    text: given("q"),
    recipient: digits("to"),
    sender: digits("sender"),
    type: given("type"),
    statusIn: codes ? codes : undefined,
    isFailed: state === "failed" && code === undefined,
    since: day("since", "from"),
    until: day("until", "until"),
    from: numberIn(view, "begin"),
    limit: rowsOfPage,
  };
};

const show = (view: View): Html => {
  const { rows, next } = view.store.messageFeed.list(queryOf(view));
  const rowId = ({ seq, created }: MessageRow): string =>
    `f-${idOf("M4V", seq, created, view.idSeed)}`;
  const empty =
    next === undefined
      ? "No matching messages."
      : "The newest 100,000 were searched. Older ones follow below.";
  const ways = { page: "feed", next: next?.toString(), from: "begin", empty } as const;
  return html`${filters(view)}
${pagedTable({ id: "feed", columns: columnsFor(view), rows, rowId }, ways, view)}`;
};

const columnsFor = (view: View): readonly Column<MessageRow>[] => [
  { head: "Time", cell: (row) => requestLink(row, view) },
  {
    head: "To",
    cell: ({ recipient }) =>
      html`<a href="${addressOf("", { to: recipient })}">${phoneShown(recipient)}</a>`,
  },
  { head: "From", cell: ({ sender }) => phoneShown(sender) },
  {
    head: "Type",
    cell: ({ type }) => html`<span class="kind">${kindName(type, view)}</span>`,
  },
  { head: "Text", cell: ({ text }) => html`<span class="clamp">${plain(text)}</span>` },
  { head: "State", cell: ({ statusCode }) => messageState(statusCode, view) },
];

const requestLink = ({ created, accountId }: MessageRow, view: View): Html => {
  const at = new Date(created).toISOString();
  return html`<a href="${addressOf("requests", { at, account: accountId })}" title="${view.translate("Request")}">${timeShown(created)}</a>`;
};

const filters = (view: View): Html => {
  const { query, translate } = view;
  const field = (name: string, word: Label, kind: string): Html =>
    html`<div><label for="${name}">${translate(word)}</label><input id="${name}" name="${name}" type="${kind}" autocomplete="off" value="${query.get(name)}"></div>`;
  return html`<form class="panel" role="search" aria-label="${translate("Find messages")}" action="${addressOf("feed")}">
<div class="fields">${field("q", "Text", "search")}
${field("to", "To", "text")}
${searchButton(view, "feed")}</div>
<details class="more" id="more"${more.some((it) => query.get(it)) ? html` open` : html``}><summary>${translate("More filters")}</summary>
<div class="fields">${field("sender", "From", "text")}
${choiceOf(
  "type",
  "Type",
  messageTypes.map((it) => [it, kindName(it, view)] as const),
  view,
)}
${choiceOf(
  "state",
  "State",
  Object.entries(stateNames).map(([it, word]) => [it, translate(word)] as const),
  view,
)}
${field("code", "Status code", "text")}
${field("since", "From day", "date")}
${field("until", "To day", "date")}</div></details>
</form>`;
};

/** Filters that are folded away until they are used. */
const more = ["sender", "type", "state", "code", "since", "until"];
const stateNames = { waiting: "Under way", delivered: "Delivered", failed: "Failed" } as const;

/** Counting goes on no further than this: it must not cost what the messages cost. */
const maxCounted = 100_000;

export const feed: Page = {
  name: "feed",
  title: "All messages",
  count: ({ store }) => {
    const count = store.messageFeed.count(maxCounted + 1);
    return count > maxCounted ? `${numberShown(maxCounted)}+` : numberShown(count);
  },
  show,
};
