/** All messages, newest first, with search and filters. */
import { messageTypes } from "../../contract/message-records.ts";
import { type Html, html } from "../../markup/html.ts";
import { readInstant } from "../checks/dates.ts";
import { timeOf } from "../clock.ts";
import { timeFilters, valueFilters } from "../handlers/filters.ts";
import { failed } from "../store/dashboard-queries.ts";
import { idOf } from "../store/ids.ts";
import type { FeedQuery } from "../store/message-feed.ts";
import type { MessageRow } from "../store/messages.ts";
import {
  type Column,
  filterSelect,
  formatPhone,
  formatTime,
  numberIn,
  pagedTable,
  phoneLink,
  searchButton,
} from "./elements.ts";
import { formatNumber, type Label } from "./language.ts";
import { addressOf, type Page, type View } from "./page.ts";
import { messageColumns, typeName } from "./states.ts";

type State = readonly [name: Label, filters: FeedQuery["filters"]];

const states: ReadonlyMap<string | null, State> = new Map<string, State>([
  ["waiting", ["Under way", valueFilters("statusCode", ["2000", "3000"])]],
  ["delivered", ["Delivered", valueFilters("statusCode", "4000")]],
  ["failed", ["Failed", failed]],
]);

/** A code overrides the state. */
const filtersOf = ({ query }: View): FeedQuery["filters"] => {
  const given = (name: string): string | undefined => query.get(name)?.trim() || undefined;
  const digits = (name: string): string | undefined => given(name)?.replaceAll("-", "");
  const code = given("code");
  const day = (name: string, bound: "from" | "until") =>
    readInstant(given(name) ?? "", bound)?.toISOString();
  return [
    ...valueFilters("text", { like: given("q") }),
    ...valueFilters("recipient", digits("to")),
    ...valueFilters("sender", digits("sender")),
    ...valueFilters("type", given("type")),
    ...(code ? valueFilters("statusCode", code) : (states.get(query.get("state"))?.[1] ?? [])),
    ...timeFilters("created", { gte: day("since", "from"), lte: day("until", "until") }),
  ];
};

const show = (view: View): Html => {
  const from = numberIn(view, "from");
  const { rows, next } = view.store.messageFeed.list({ filters: filtersOf(view), from, limit: 50 });
  const empty =
    next === undefined
      ? "No matching messages."
      : "The newest 100,000 were searched. Older ones follow below.";
  const columns: readonly Column<MessageRow>[] = [
    { head: "Time", cell: (row) => requestLink(row, view) },
    { head: "To", cell: ({ recipient }) => phoneLink(recipient) },
    { head: "From", cell: ({ sender }) => formatPhone(sender) },
    ...messageColumns(view),
  ];
  const rowId = (row: MessageRow): string => `f-${idOf("message", row, view.idSeed)}`;
  return html`${filters(view)}
${pagedTable({ id: "feed", columns, rows, rowId, next, empty }, view)}`;
};

const requestLink = ({ created, accountId }: MessageRow, view: View): Html => {
  const at = timeOf(created);
  return html`<a href="${addressOf("requests", { at, account: accountId })}" title="${view.translate("Request")}">${formatTime(created)}</a>`;
};

const filters = (view: View): Html => {
  const { query, translate } = view;
  const field = (name: string, word: Label, kind: string): Html =>
    html`<div><label for="${name}">${translate(word)}</label><input id="${name}" name="${name}" type="${kind}" autocomplete="off" value="${query.get(name)}"></div>`;
  const types = messageTypes.map((it) => [it, typeName(it, view)] as const);
  const stateNames = [...states].map(([it, [name]]) => [String(it), translate(name)] as const);
  return html`<form class="panel" role="search" aria-label="${translate("Find messages")}" action="${addressOf("feed")}">
<div class="fields">${field("q", "Text", "search")}
${field("to", "To", "text")}
${searchButton(view)}</div>
<details class="more" id="more"${folded.some((it) => query.get(it)) ? html` open` : ""}><summary>${translate("More filters")}</summary>
<div class="fields">${field("sender", "From", "text")}
${filterSelect("type", "Type", types, view)}
${filterSelect("state", "State", stateNames, view)}
${field("code", "Status code", "text")}
${field("since", "From day", "date")}
${field("until", "To day", "date")}</div></details>
</form>`;
};

/** Filters that are folded away until they are used. */
const folded = ["sender", "type", "state", "code", "since", "until"];

/** Counting stops here: it must not cost as much as the messages. */
const maxCounted = 100_000;

export const feed: Page = {
  name: "feed",
  title: "All messages",
  count: ({ store }) => {
    const count = store.messageFeed.count(maxCounted + 1);
    return count > maxCounted ? `${formatNumber(maxCounted)}+` : formatNumber(count);
  },
  show,
};
