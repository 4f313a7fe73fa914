/** One message as its phone shows it. */
import { sizeInBytes } from "../../message/type.ts";
import { messageRecord } from "../handlers/message-record.ts";
import type { MessageRow } from "../store/messages.ts";
import { numberShown, plain, timeShown } from "./elements.ts";
import { groupState } from "./group-states.ts";
import { type Html, html } from "./html.ts";
import { kakaoBody } from "./kakao-body.ts";
import { addressOf, type View } from "./page.ts";
import { pictureShown } from "./picture.ts";
import { kindLabels, stateOf } from "./states.ts";

const say = {
  bytes: { ko: "바이트", en: "bytes" },
  from: { ko: "발신", en: "From" },
  group: { ko: "그룹", en: "group" },
  request: { ko: "요청 보기", en: "Its request" },
  replacement: { ko: "대체 발송", en: "Replacement" },
} as const;

const kakaoTypes = ["ATA", "CTA", "CTI"];

/** Bubble and caption. What did not arrive is there too, marked as such. */
export const bubble = (row: MessageRow, view: View): Html => {
  const record = messageRecord(row, view.store.settings.get("idSeed"));
  const { tone, title, meaning } = stateOf(row.statusCode, view);
  const isKakao = kakaoTypes.includes(row.type);
  return html`<article class="message ${tone}${isKakao ? " kakao" : ""}" id="m-${record.messageId}">
<p class="sender"><span class="label">${view.say(say.from)}</span> ${plain(row.sender)} <span class="kind">${view.say(kindLabels(row.type))}</span>${
    row.replacement === 1 ? html` <span class="kind">${view.say(say.replacement)}</span>` : html``
  }</p>
<div class="bubble">${isKakao ? kakaoBody(record, view) : textBody(record, view)}</div>
<p class="caption">${timeShown(row.created, "short")} · ${numberShown(sizeInBytes(row.text))} ${view.say(say.bytes)}
<span class="state ${tone}"><span class="dot" aria-hidden="true"></span><b>${row.statusCode}</b> ${title}${
    tone === "bad" ? html`: ${meaning}` : html``
  }</span>${heldIn(row, view)}
<a href="${addressOf("requests", { at: new Date(row.created).toISOString(), account: row.accountId })}">${view.say(say.request)}</a></p>
</article>`;
};

/** What was accepted into a group that was never sent has not left, whatever its own code says. */
const heldIn = ({ groupSeq, statusCode }: MessageRow, view: View): Html => {
  const status = view.store.groups.bySeq(groupSeq)?.status;
  const isHeld =
    statusCode === "2000" &&
    (status === "PENDING" || status === "SCHEDULED" || status === "DELETED");
  return isHeld ? html` · ${view.say(say.group)}: ${groupState(status, view)}` : html``;
};

type Shown = Pick<ReturnType<typeof messageRecord>, "subject" | "imageId" | "text" | "accountId">;

const textBody = ({ subject, imageId, text, accountId }: Shown, view: View): Html =>
  html`${imageId ? pictureShown(accountId, imageId, view) : html``}${
    subject ? html`<p class="subject">${plain(subject)}</p>` : html``
  }<p class="text">${plain(text)}</p>`;
