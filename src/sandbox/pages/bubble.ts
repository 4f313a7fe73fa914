/** One message as its phone shows it; its buttons lead nowhere: their targets are shown as text. */
import type { StoredMessage } from "../../contract/message-records.ts";
import { isRecord } from "../../json/read-json.ts";
import { type Html, html } from "../../markup/html.ts";
import { buttonLinks } from "../../message/check-members.ts";
import { contentOf, type Format } from "../../message/file-rules.ts";
import { isKakaoType, sizeInBytes } from "../../message/type.ts";
import { timeOf } from "../clock.ts";
import { messageRecord } from "../handlers/message-record.ts";
import type { MessageRow } from "../store/messages.ts";
import type { Store } from "../store/store.ts";
import { formatPhone, formatTime, isolate } from "./elements.ts";
import type { Label } from "./language.ts";
import { addressOf, pagesPath, type View } from "./page.ts";
import { groupState, messageState, stateOf, typeName } from "./states.ts";

/** Bubble and caption. Undelivered messages are shown too, marked as such. */
export const bubble = (row: MessageRow, view: View): Html => {
  const record = messageRecord(row, view.idSeed);
  const { tone } = stateOf(row.statusCode, view);
  const isKakao = isKakaoType(row.type);
  return html`<article class="message ${tone}${isKakao ? " kakao" : ""}" id="m-${record.messageId}">
<p class="sender quiet small"><span class="label">${view.translate("From")}</span> ${formatPhone(row.sender)} <span class="kind">${typeName(row.type, view)}</span>${row.replacement === 1 ? html` <span class="kind">${view.translate("Replacement")}</span>` : ""}</p>
<div class="bubble">${isKakao ? kakaoBody(record, view) : textBody(record, view)}</div>
<p class="caption">${formatTime(row.created, "short")} · ${view.translate(["# bytes", sizeInBytes(row.text)])}
${messageState(row.statusCode, view)}${heldIn(row, view)}
<a href="${addressOf("requests", { at: timeOf(row.created), account: row.accountId })}">${view.translate("View request")}</a></p>
</article>`;
};

/** A message accepted into a group that was never sent has not left, whatever its own code says. */
const heldIn = ({ groupSeq, statusCode }: MessageRow, view: View): Html | undefined => {
  const status = view.store.groups.read(groupSeq)?.status;
  const isUnsent = status === "PENDING" || status === "SCHEDULED" || status === "DELETED";
  return isUnsent && statusCode === "2000"
    ? html` · ${view.translate("group")}: ${groupState(status, view)}`
    : undefined;
};

type Shown = Pick<StoredMessage, "subject" | "imageId" | "text" | "accountId">;

const textBody = ({ subject, imageId, text, accountId }: Shown, view: View): Html =>
  html`${imageId && pictureOf(accountId, imageId, view)}${
    subject && html`<p class="subject">${isolate(subject)}</p>`
  }<p class="text">${isolate(text)}</p>`;

type KakaoMessage = Pick<StoredMessage, "type" | "text" | "accountId" | "kakaoOptions">;

/** Channel, title, text and buttons. */
export const kakaoBody = (message: KakaoMessage, view: View): Html => {
  const { type, text, accountId, kakaoOptions } = message;
  const title = textIn(kakaoOptions, "title");
  const picture = textIn(kakaoOptions, "imageId");
  return html`<p class="channel small">${channelOf(textIn(kakaoOptions, "pfId"), view)}</p>
<div class="card">
${type === "ATA" ? html`<p class="arrived small">${view.translate("Alimtalk arrived")}</p>` : ""}
${picture && pictureOf(accountId, picture, view)}
${kakaoOptions.adFlag === true ? html`<p class="advertising small">${view.translate("(Advertising)")}</p>` : ""}
${title && html`<p class="emphasis">${isolate(title)}</p>`}
<p class="text">${isolate(text)}</p>
${buttonsOf(kakaoOptions.buttons, view)}
</div>`;
};

const textIn = (members: Readonly<Record<string, unknown>>, name: string): string | undefined => {
  const value = members[name];
  return typeof value === "string" && value !== "" ? value : undefined;
};

const channelOf = (pfId: string | undefined, { store, translate }: View): Html => {
  const channel = pfId === undefined ? undefined : store.channels.read(pfId);
  return channel === undefined
    ? html`${translate("Unknown channel")} ${isolate(pfId ?? "")}`
    : isolate(`@${channel.searchId}`);
};

/** What each kind of button opens; a refused message may name any other kind. */
const buttonKinds: ReadonlyMap<string | undefined, Label> = new Map([
  ["WL", "Web link"],
  ["AL", "App link"],
  ["DS", "Delivery tracking"],
  ["BK", "Bot keyword"],
  ["MD", "Forward the message"],
  ["BC", "Talk to a person"],
  ["BT", "Talk to the bot"],
  ["AC", "Add the channel"],
]);

const buttonsOf = (buttons: unknown, view: View): Html | undefined => {
  const shown = Array.isArray(buttons) ? buttons.filter(isRecord) : [];
  if (shown.length === 0) return undefined;
  return html`<ul class="buttons" aria-label="${view.translate("Buttons")}">${shown.map((it) => button(it, view))}</ul>`;
};

const button = (it: Readonly<Record<string, unknown>>, view: View): Html => {
  const kind = buttonKinds.get(textIn(it, "buttonType"));
  const opened = buttonLinks.map((name) => textIn(it, name)).filter((it) => it !== undefined);
  return html`
<li><span class="face">${isolate(textIn(it, "buttonName") ?? "")}</span>
<span class="opens">${kind && view.translate(kind)}${opened.map((link) => html` <code>${isolate(link)}</code>`)}</span></li>`;
};

/** Nothing else is shown: an SVG, for example, may carry a script. */
const shownTypes: ReadonlyMap<Format | undefined, string> = new Map([
  ["jpg", "image/jpeg"],
  ["png", "image/png"],
  ["gif", "image/gif"],
]);

/** The type of a stored picture, read from its bytes; undefined for anything that is not shown. */
export const picture = (store: Store, accountId: string, fileId: string) => {
  const bytes = store.files.body(accountId, fileId);
  if (bytes === undefined) return undefined;
  const type = shownTypes.get(contentOf(bytes)?.format);
  return type === undefined ? undefined : { type, bytes };
};

/** The picture of a message; one that is not stored is reported as missing. */
const pictureOf = (accountId: string, fileId: string, { store, translate }: View): Html => {
  const file = store.files.read(fileId);
  if (file?.accountId !== accountId || file.type === "DOCUMENT")
    return html`<p class="missing small">${translate("There is no such picture")}: ${isolate(fileId)}</p>`;
  const { width, height, originalName } = file;
  const size = width === null || height === null ? "" : html` width="${width}" height="${height}"`;
  return html`<img class="picture" src="${pagesPath}picture/${accountId}/${fileId}"${size} alt="${translate("Picture")}: ${originalName}" loading="lazy">`;
};
