/**
 * Large calls whose messages are alike, answered without a value for each of them. What is answered and
 * stored is what the handler of the endpoint would; whatever is not alike is left to it.
 */
import { type Part, partOf, viewOf } from "../../bytes/part.ts";
import { ByteWriter } from "../../bytes/writer.ts";
import type { SendResult } from "../../contract/message-records.ts";
import { json } from "../answer.ts";
import { type Alike, mobileDigits, readAlike } from "../checks/alike.ts";
import type { QuickHandler } from "../checks/route.ts";
import { addAlike, type StoredAlike } from "../rules/filling.ts";
import { checkState } from "../rules/group-states.ts";
import type { Service } from "../service.ts";
import type { GroupRow } from "../store/groups.ts";
import { ownSize, ownWriter } from "../store/ids.ts";
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
  const writeOwn = ownWriter("M4V", idSeed);
  const { count, to, textEnd, fieldsEnd, fieldsGap } = rows;
  const fixed = beforeId.length + ownSize + beforeFields.length + beforeTo.length + end.length;
  let size = opening.length + count * (fixed + mobileDigits) + closing.length;
  for (let row = 0; row < count; row += 1)
    size += (fieldsEnd[row] ?? 0) - (textEnd[row] ?? 0) - fieldsGap;
  const view = viewOf(body);
  const reply = new ByteWriter(size);
  reply.put(opening);
  for (let row = 0; row < count; row += 1) {
    const number = to[row] ?? 0;
    reply.put(beforeId);
    writeOwn(firstSeq + row, reply.bytes, reply.at);
    reply.at += ownSize;
    reply.put(beforeFields);
    reply.copyOf(view, (textEnd[row] ?? 0) + fieldsGap, fieldsEnd[row] ?? 0);
    reply.put(beforeTo);
    reply.copyOf(view, number, number + mobileDigits);
    reply.put(end);
  }
  // In place of the last comma.
  reply.at -= 1;
  reply.put(closing);
  return reply.written;
};

const opening = partOf('{"errorCount":0,"resultList":[');
const closing = partOf("]}");
const slot = "\u0000";

/** A result and its comma, cut where the next one differs: at its id, its own fields and its number. */
const partsOf = (sample: SendResult): readonly [Part, Part, Part, Part] => {
  const { customFields, messageId } = sample;
  const hasFields = customFields !== undefined;
  const marked = { ...sample, messageId: slot, ...(hasFields && { customFields: slot }), to: slot };
  const [beforeId, ...parts] = JSON.stringify(marked).split(JSON.stringify(slot));
  const [beforeFields = "", beforeTo = "", end = ""] = hasFields ? parts : ["", ...parts];
  return [
    partOf(`${beforeId}"${messageId.slice(0, -ownSize)}`),
    partOf(`"${beforeFields}`),
    partOf(`${beforeTo}"`),
    partOf(`"${end},`),
  ];
};

/** By the name of the endpoint. */
export const quickHandlers: Readonly<Record<string, QuickHandler<Service>>> = { addGroupMessages };
