/**
 * Large calls whose messages are alike, answered without a value for each of them. What is answered and
 * stored is what the handler of the endpoint would; whatever is not alike is left to it.
 */
import type { SendResult } from "../../contract/message-records.ts";
import { json } from "../answer.ts";
import { type Alike, mobileDigits, readAlike } from "../checks/alike.ts";
import type { QuickHandler } from "../checks/route.ts";
import { addAlike, type StoredAlike } from "../rules/filling.ts";
import { checkState } from "../rules/group-states.ts";
import type { Service } from "../service.ts";
import type { GroupRow } from "../store/groups.ts";
import { idSize, idWriter } from "../store/ids.ts";
import { groupOf } from "./group-lookup.ts";
import { resultsOf } from "./send-results.ts";

const addGroupMessages: QuickHandler<Service> = ({ groupId = "" }, body, service) => {
  const alike = readAlike(body);
  if (alike === undefined) return undefined;
  const group = groupOf(groupId, service);
  checkState("add", group);
  const stored = addAlike(service, group, alike);
  if (stored === undefined) return undefined;
  service.shape({ status: 200, headers: { "content-type": json } });
  return replyOf(alike, stored, group, service);
};

/**
 * The results, each the first of them with what differs in its place. They are written as bytes: as a
 * text, ten thousand of them would first be a hundred thousand pieces.
 */
const replyOf = (
  { body, rows }: Alike,
  { first, firstSeq }: StoredAlike,
  group: GroupRow,
  { store, now }: Service,
): Uint8Array => {
  const created = now.getTime();
  const idSeed = store.settings.get("idSeed");
  const sample = resultsOf({ messages: [first], firstSeq, created, group }, idSeed).at(0);
  const [beforeId, beforeFields, beforeTo, end] = partsOf(sample);
  const writeId = idWriter("M4V", created, idSeed);
  const fixed = beforeId.length + idSize + beforeFields.length + beforeTo.length + end.length;
  const own = rows.reduce((sum, { fields, fieldsEnd }) => sum + fieldsEnd - fields, 0);
  const size = rows.length * (fixed + mobileDigits) + own;
  const reply = Buffer.allocUnsafe(head.length + size + tail.length);
  reply.set(head);
  let at = head.length;
  for (const [index, { to, fields, fieldsEnd }] of rows.entries()) {
    reply.set(beforeId, at);
    at += beforeId.length;
    writeId(firstSeq + index, reply, at);
    reply.set(beforeFields, at + idSize);
    at = copy(body, fields, fieldsEnd, reply, at + idSize + beforeFields.length);
    reply.set(beforeTo, at);
    at = copy(body, to, to + mobileDigits, reply, at + beforeTo.length);
    reply.set(end, at);
    at += end.length;
  }
  // In place of the last comma.
  reply.set(tail, at - 1);
  return reply.subarray(0, at - 1 + tail.length);
};

const head = Buffer.from('{"errorCount":0,"resultList":[');
const tail = Buffer.from("]}");
const slot = "\u0000";

/** A result and its comma, cut where the next one differs: at its id, its own fields and its number. */
const partsOf = (sample: SendResult): readonly [Buffer, Buffer, Buffer, Buffer] => {
  const hasFields = sample.customFields !== undefined;
  const marked = { ...sample, messageId: slot, ...(hasFields && { customFields: slot }), to: slot };
  const [beforeId, ...parts] = JSON.stringify(marked).split(JSON.stringify(slot));
  const [beforeFields = "", beforeTo = "", end = ""] = hasFields ? parts : ["", ...parts];
  return [
    Buffer.from(`${beforeId}"`),
    Buffer.from(`"${beforeFields}`),
    Buffer.from(`${beforeTo}"`),
    Buffer.from(`"${end},`),
  ];
};

/** Returns where the copy ends. A call for some ten bytes would take longer than they do one by one. */
const copy = (from: Uint8Array, start: number, end: number, to: Uint8Array, at: number): number => {
  let place = at;
  for (let here = start; here < end; here += 1) {
    to[place] = from[here] ?? 0;
    place += 1;
  }
  return place;
};

/** By the name of the endpoint. */
export const quickHandlers: Readonly<Record<string, QuickHandler<Service>>> = { addGroupMessages };
