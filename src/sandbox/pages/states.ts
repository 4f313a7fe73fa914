/** How messages, groups and their states are called on the pages. */
import type { groupStatuses } from "../../contract/message-records.ts";
import { type StatusClass, statusClass, statusMeaning } from "../../message/status.ts";
import { type Html, html } from "./html.ts";
import type { Label, View } from "./page.ts";
import { koreanMeaning } from "./status-korean.ts";

const kinds: Readonly<Record<string, Label>> = {
  SMS: { ko: "문자", en: "SMS" },
  LMS: { ko: "장문", en: "LMS" },
  MMS: { ko: "사진", en: "MMS" },
  ATA: { ko: "알림톡", en: "Alimtalk" },
  CTA: { ko: "친구톡", en: "Friendtalk" },
  CTI: { ko: "친구톡 이미지", en: "Friendtalk image" },
  NSA: { ko: "네이버", en: "Naver" },
};

export const kindLabels = (type: string): Label => kinds[type] ?? { ko: type, en: type };

const classes: Readonly<Record<StatusClass, Label>> = {
  "refused at registration": { ko: "접수 거절", en: "Refused at registration" },
  accepted: { ko: "접수됨", en: "Accepted" },
  "refused by the platform": { ko: "서비스에서 실패", en: "Refused by the platform" },
  "at the carrier": { ko: "통신사로 전송 중", en: "At the carrier" },
  "refused by the carrier": { ko: "수신 실패", en: "Not received" },
  delivered: { ko: "수신 완료", en: "Delivered" },
  unknown: { ko: "알 수 없음", en: "Unknown" },
};

export interface State {
  readonly tone: "good" | "bad" | "wait";
  readonly title: string;
  /** What the code means. */
  readonly meaning: string;
}

export const stateOf = (code: string, { translate, language }: View): State => {
  const found = statusClass(code);
  const isWaiting = found === "accepted" || found === "at the carrier";
  return {
    tone: found === "delivered" ? "good" : isWaiting ? "wait" : "bad",
    title: translate(classes[found]),
    meaning: (language === "ko" ? koreanMeaning(code) : undefined) ?? statusMeaning(code),
  };
};

/** A message's code in words and colours, with its reason where it failed. */
export const messageState = (code: string, view: View): Html => {
  const { tone, title, meaning } = stateOf(code, view);
  return html`<span class="state ${tone}"><span class="dot" aria-hidden="true"></span><b>${code}</b> ${title}${tone === "bad" ? html`: ${meaning}` : html``}</span>`;
};

type GroupStatus = (typeof groupStatuses)[number];

export const groupLabels: Readonly<Record<GroupStatus, Label>> = {
  PENDING: { ko: "채우는 중", en: "Being filled" },
  SCHEDULED: { ko: "예약됨", en: "Scheduled" },
  SENDING: { ko: "보내는 중", en: "Being sent" },
  COMPLETE: { ko: "완료", en: "Complete" },
  FAILED: { ko: "실패", en: "Failed" },
  DELETED: { ko: "삭제됨", en: "Deleted" },
};

const groupTones: Readonly<Record<GroupStatus, "good" | "bad" | "wait" | "">> = {
  PENDING: "wait",
  SCHEDULED: "wait",
  SENDING: "wait",
  COMPLETE: "good",
  FAILED: "bad",
  DELETED: "",
};

export const groupState = (status: GroupStatus, { translate }: View): Html =>
  html`<span class="state whole ${groupTones[status]}"><span class="dot" aria-hidden="true"></span>${translate(groupLabels[status])}</span>`;
