/** An alimtalk or friendtalk in the layout of Kakao Talk. Its buttons lead nowhere: what they open is text. */

import { plain } from "./elements.ts";
import { type Html, html } from "./html.ts";
import type { Label, View } from "./page.ts";
import { pictureShown } from "./picture.ts";

const say = {
  arrived: { ko: "알림톡 도착", en: "Alimtalk arrived" },
  advertising: { ko: "(광고)", en: "(Advertising)" },
  noChannel: { ko: "알 수 없는 채널", en: "Unknown channel" },
  buttons: { ko: "버튼", en: "Buttons" },
} as const;

interface KakaoMessage {
  readonly type: string | null;
  readonly text: string;
  readonly accountId: string;
  readonly kakaoOptions: Readonly<Record<string, unknown>>;
}

/** Channel, title, text and buttons. */
export const kakaoBody = (message: KakaoMessage, view: View): Html => {
  const { type, text, accountId, kakaoOptions } = message;
  const title = textIn(kakaoOptions, "title");
  const picture = textIn(kakaoOptions, "imageId");
  return html`<p class="channel">${channelOf(textIn(kakaoOptions, "pfId"), view)}</p>
<div class="card">
${type === "ATA" ? html`<p class="arrived">${view.say(say.arrived)}</p>` : html``}
${picture === undefined ? html`` : pictureShown(accountId, picture, view)}
${kakaoOptions.adFlag === true ? html`<p class="advertising">${view.say(say.advertising)}</p>` : html``}
${title === undefined ? html`` : html`<p class="emphasis">${plain(title)}</p>`}
<p class="text">${plain(text)}</p>
${buttonsOf(kakaoOptions.buttons, view)}
</div>`;
};

const textIn = (members: Readonly<Record<string, unknown>>, name: string): string | undefined => {
  const value = members[name];
  return typeof value === "string" && value !== "" ? value : undefined;
};

const channelOf = (pfId: string | undefined, { store, say: words }: View): Html => {
  const channel = pfId === undefined ? undefined : store.channels.read(pfId);
  return channel === undefined
    ? html`${words(say.noChannel)} ${plain(pfId ?? "")}`
    : plain(`@${channel.searchId}`);
};

/** What each kind of button opens. */
const kinds: Readonly<Record<string, Label>> = {
  WL: { ko: "웹 링크", en: "Web link" },
  AL: { ko: "앱 링크", en: "App link" },
  DS: { ko: "배송 조회", en: "Delivery tracking" },
  BK: { ko: "봇 키워드", en: "Bot keyword" },
  MD: { ko: "메시지 전달", en: "Forward the message" },
  BC: { ko: "상담톡 전환", en: "Talk to a person" },
  BT: { ko: "챗봇 전환", en: "Talk to the bot" },
  AC: { ko: "채널 추가", en: "Add the channel" },
};

const links = ["linkMo", "linkPc", "linkAnd", "linkIos"];

const isButton = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

const buttonsOf = (buttons: unknown, view: View): Html => {
  const shown = Array.isArray(buttons) ? buttons.filter(isButton) : [];
  if (shown.length === 0) return html``;
  return html`<ul class="buttons" aria-label="${view.say(say.buttons)}">${shown.map((it) => button(it, view))}</ul>`;
};

const button = (it: Readonly<Record<string, unknown>>, view: View): Html => {
  const kind = kinds[textIn(it, "buttonType") ?? ""];
  return html`
<li><span class="face">${plain(textIn(it, "buttonName") ?? "")}</span>
<span class="opens">${kind ? view.say(kind) : ""}${links.map((name) => {
    const link = textIn(it, name);
    return link === undefined ? html`` : html` <code>${plain(link)}</code>`;
  })}</span></li>`;
};
