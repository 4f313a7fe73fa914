/** How messages, groups and their states are called on the pages. */
import type { groupStatuses } from "../../contract/message-records.ts";
import { type Html, html } from "../../markup/html.ts";
import { type StatusClass, statusClass, statusMeaning } from "../../message/status.ts";
import { inLanguageOf, type Label } from "./language.ts";
import type { View } from "./page.ts";

const kinds: Readonly<Record<string, Label>> = {
  SMS: "SMS",
  LMS: "LMS",
  MMS: "MMS",
  ATA: "Alimtalk",
  CTA: "Friendtalk",
  CTI: "Friendtalk image",
  NSA: "Naver",
};

/** The name of a type; one that was refused may be any text. */
export const kindName = (type: string, { translate }: View): string => {
  const name = Object.hasOwn(kinds, type) ? kinds[type] : undefined;
  return name === undefined ? type : translate(name);
};

const classes: Readonly<Record<StatusClass, Label>> = {
  "refused at registration": "Refused at registration",
  accepted: "Accepted",
  "refused by the platform": "Refused by the platform",
  "at the carrier": "At the carrier",
  "refused by the carrier": "Not received",
  delivered: "Delivered",
  unknown: "Unknown",
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
    meaning: inLanguageOf(language, () => statusMeaning(code)),
  };
};

/** A message's code in words and colours, with its reason where it failed. */
export const messageState = (code: string, view: View): Html => {
  const { tone, title, meaning } = stateOf(code, view);
  return html`<span class="state ${tone}"><span class="dot" aria-hidden="true"></span><b>${code}</b> ${title}${tone === "bad" ? html`: ${meaning}` : html``}</span>`;
};

type GroupStatus = (typeof groupStatuses)[number];

export const groupLabels: Readonly<Record<GroupStatus, Label>> = {
  PENDING: "Being filled",
  SCHEDULED: "Scheduled",
  SENDING: "Being sent",
  COMPLETE: "Complete",
  FAILED: "Failed",
  DELETED: "Deleted",
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
