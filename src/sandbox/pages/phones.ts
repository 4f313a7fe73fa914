/** The phones: a list of them, one with everything that was sent to it, and a form for a test message. */
import { type Html, html } from "../../markup/html.ts";
import { accountA } from "../fixtures/accounts.ts";
import type { PhoneRow } from "../store/message-feed.ts";
import type { MessageRow } from "../store/messages.ts";
import { bubble } from "./bubble.ts";
import {
  actionForm,
  cursorIn,
  cursorText,
  formatDay,
  formatPhone,
  formatRecent,
  isolate,
  numberIn,
} from "./elements.ts";
import { choiceField, textField } from "./forms.ts";
import { type Action, addressOf, type Page, type View } from "./page.ts";
import { typeName } from "./states.ts";

const max = { phones: 30, bubbles: 40 };

const example = 'msg send --sandbox --to 01000000001 --from 0200000000 --text "안녕하세요"';

/** Phones, or the conversation of the one that `to` names. */
const show = (view: View): Html => {
  const like = view.query.get("q")?.replaceAll(/\D/g, "") ?? "";
  const from = numberIn(view, "more");
  const { rows, next } = view.store.messageFeed.phones({ like, from, limit: max.phones });
  const shown = from === undefined ? withExact(rows, like, view) : rows;
  const to = view.query.get("to") ?? undefined;
  const chosen = to ?? shown[0]?.recipient;
  return html`<div class="phones${to === undefined ? "" : " chosen"}">
<section class="list" aria-label="${view.translate("List of phones")}">
${testMessageForm(view)}
<form class="find" role="search" action="${addressOf("")}">
<label for="q">${view.translate("Find a number")}</label>
<div class="row"><input id="q" name="q" type="search" inputmode="tel" autocomplete="off" value="${view.query.get("q")}">
<button>${view.translate("Search")}</button></div>
</form>
<ul class="threads" id="threads" data-live>${shown.map((row) => thread(row, row.recipient === chosen, view))}</ul>
<div id="threads-more" data-live>${emptyOrMore(view, shown.length, next)}</div>
</section>
<div id="phone-place" data-live>${chosen === undefined ? "" : phone(chosen, view)}</div>
</div>`;
};

/** A full number is found however long ago it received a message. */
const withExact = (
  rows: readonly PhoneRow[],
  like: string,
  { store }: View,
): readonly PhoneRow[] =>
  rows.some((it) => it.recipient === like)
    ? rows
    : [...store.messageFeed.conversation(like, undefined, 1), ...rows];

const emptyOrMore = ({ query, translate }: View, found: number, next: number | undefined) => {
  const q = query.get("q") ?? undefined;
  if (next !== undefined)
    return html`<p class="pager"><a rel="next" href="${addressOf("", { q, more: String(next) })}">${translate("Older")} ›</a></p>`;
  if (found > 0) return undefined;
  return q === undefined && !query.has("more")
    ? html`<p class="empty">${translate("No phone has received anything yet. Send something from a terminal:")}</p><p><code class="typed">${example}</code></p>`
    : html`<p class="empty">${translate("No phone has this number.")}</p>`;
};

const thread = (row: PhoneRow, isChosen: boolean, view: View): Html => {
  const q = view.query.get("q") ?? undefined;
  return html`
<li id="phone-${row.recipient}"><a class="thread" href="${addressOf("", { to: row.recipient, q })}"${isChosen ? html` aria-current="true"` : ""}>
<span class="who">${formatPhone(row.recipient)}</span> ${formatRecent(row.created, view.now)}
<span class="last"><span class="kind">${typeName(row.type, view)}</span> ${isolate(beginningOf(row.text))}</span>
</a></li>`;
};

/** Whole characters: half a pair would be shown as a question mark. */
const beginningOf = (text: string): string => [...text.slice(0, 120)].slice(0, 60).join("");

/** One phone: its screen holds the newest at its end. */
const phone = (to: string, view: View): Html => {
  const { translate } = view;
  const rows = view.store.messageFeed.conversation(to, cursorIn(view), max.bubbles + 1);
  const next = rows[max.bubbles];
  const shown = rows.slice(0, max.bubbles).reverse();
  return html`<section class="phone" id="of-${to}" aria-labelledby="phone-name">
<p class="back"><a href="${addressOf("")}">‹ ${translate("All phones")}</a></p>
<div class="case">
<div class="top"><span class="ear" aria-hidden="true"></span><h2 id="phone-name">${formatPhone(to)}</h2></div>
<div class="screen" id="screen" data-live="end" role="log" tabindex="0" aria-label="${translate("Messages")}">
${next && html`<p class="pager" id="older"><a rel="next" href="${addressOf("", { to, from: cursorText(next) })}">${translate("Older messages")}</a></p>`}
${shown.map((row, at) => withDay(row, shown[at - 1], view))}
${view.query.has("from") ? html`<p class="pager" id="newest"><a href="${addressOf("", { to })}">${translate("Newest messages")}</a></p>` : ""}
</div>
</div>
</section>`;
};

/** A bubble, with the day above it if it is the day's first. */
const withDay = (row: MessageRow, before: MessageRow | undefined, view: View): Html => {
  const day = formatDay(row.created);
  const isSame = before !== undefined && formatDay(before.created) === day;
  const head = html`
<p class="day" id="day-${day}">${day}</p>`;
  return html`${isSame ? "" : head}
${bubble(row, view)}`;
};

const testMessageForm = (view: View): Html => {
  const { translate, store, submitted } = view;
  const action = "send";
  const senders = store.senders.of(accountA).map((it) => [it] as const);
  const fields = html`<div class="fields">
${textField({ action, name: "to", label: "To", value: "01000000001", input: "tel" }, view)}
${choiceField({ action, name: "from", label: "From" }, senders, view)}
${textField({ action, name: "text", label: "Text", value: "안녕하세요" }, view)}
</div><p class="after"><button>${translate("Send")}</button></p>`;
  return html`<details class="panel" id="test-message"${submitted?.action === action ? html` open` : ""}>
<summary>${translate("Send a test message")}</summary>
${actionForm(view, action, fields)}</details>`;
};

/** Sends it as the commands do. */
const send: Action = {
  done: "The message was sent.",
  refused: { FailedToAddMessage: "The message was refused. See the requests for the reason." },
  request: (form) => {
    const { phone, text, required } = form;
    const message = { to: phone("to"), from: text("from") ?? "", text: required("text") };
    return ["POST", "/messages/v4/send", { message }];
  },
};

export const phones: Page = { name: "", title: "Phones", show, actions: { send } };
