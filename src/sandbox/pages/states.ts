/** The names of messages, groups and their states on the pages. */
import type { groupStatuses } from "../../contract/message-records.ts";
import { type Html, html } from "../../markup/html.ts";
import { type StatusClass, statusClass, statusMeaning } from "../../message/status.ts";
import type { MessageRow } from "../store/messages.ts";
import { type Column, isolate } from "./elements.ts";
import type { Label } from "./language.ts";
import type { View } from "./page.ts";

const kinds: ReadonlyMap<string, Label> = new Map([
  ["ATA", "Alimtalk"],
  ["CTA", "Friendtalk"],
  ["CTI", "Friendtalk image"],
  ["NSA", "Naver"],
]);

/** The name of a type, else the type itself: a refused one may be any text. */
export const typeName = (type: string, { translate }: View): string => {
  const name = kinds.get(type);
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

/** The tone of a message's code, its name, and what it means. */
export const stateOf = (code: string, { translate }: View) => {
  const found = statusClass(code);
  const isWaiting = found === "accepted" || found === "at the carrier";
  return {
    tone: found === "delivered" ? "good" : isWaiting ? "wait" : "bad",
    title: translate(classes[found]),
    meaning: statusMeaning(code),
  } as const;
};

/** A message's code in words and colours, with its reason if it failed. */
export const messageState = (code: string, view: View): Html => {
  const { tone, title, meaning } = stateOf(code, view);
  return html`<span class="state ${tone}"><span class="dot" aria-hidden="true"></span><b>${code}</b> ${title}${tone === "bad" ? html`: ${meaning}` : ""}</span>`;
};

/** Columns of every table of messages. */
export const messageColumns = (view: View): readonly Column<MessageRow>[] => [
  { head: "Type", cell: ({ type }) => html`<span class="kind">${typeName(type, view)}</span>` },
  { head: "Text", cell: ({ text }) => html`<span class="clamp">${isolate(text)}</span>` },
  { head: "State", cell: ({ statusCode }) => messageState(statusCode, view) },
];

type Tone = "good" | "bad" | "wait" | "";

const groupStates: Readonly<Record<(typeof groupStatuses)[number], readonly [Label, Tone]>> = {
  PENDING: ["Being filled", "wait"],
  SCHEDULED: ["Scheduled", "wait"],
  SENDING: ["Being sent", "wait"],
  COMPLETE: ["Complete", "good"],
  FAILED: ["Failed", "bad"],
  DELETED: ["Deleted", ""],
};

export const groupLabel = (status: keyof typeof groupStates, { translate }: View): string =>
  translate(groupStates[status][0]);

export const groupState = (status: keyof typeof groupStates, view: View): Html =>
  stateBadge(groupStates[status], view);

/** A dot in a colour, and a word. */
export const stateBadge = ([word, tone]: readonly [Label, Tone], { translate }: View): Html =>
  html`<span class="state whole ${tone}"><span class="dot" aria-hidden="true"></span>${translate(word)}</span>`;
