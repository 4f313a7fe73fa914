/** The states of groups in words and colours. */
import type { groupStatuses } from "../../contract/message-records.ts";
import { type Html, html } from "./html.ts";
import type { Label, View } from "./page.ts";

type Status = (typeof groupStatuses)[number];

export const groupLabels: Readonly<Record<Status, Label>> = {
  PENDING: { ko: "채우는 중", en: "Being filled" },
  SCHEDULED: { ko: "예약됨", en: "Scheduled" },
  SENDING: { ko: "보내는 중", en: "Being sent" },
  COMPLETE: { ko: "완료", en: "Complete" },
  FAILED: { ko: "실패", en: "Failed" },
  DELETED: { ko: "삭제됨", en: "Deleted" },
};

const tones: Readonly<Record<Status, "good" | "bad" | "wait" | "">> = {
  PENDING: "wait",
  SCHEDULED: "wait",
  SENDING: "wait",
  COMPLETE: "good",
  FAILED: "bad",
  DELETED: "",
};

export const groupState = (status: Status, { say }: View): Html =>
  html`<span class="state whole ${tones[status]}"><span class="dot" aria-hidden="true"></span>${say(groupLabels[status])}</span>`;
