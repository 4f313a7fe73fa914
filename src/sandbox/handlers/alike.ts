/**
 * Large calls whose messages are alike, answered without a value for each of them. What is answered and
 * stored is what the handler of the endpoint would; whatever is not alike is left to it.
 */
import { json } from "../answer.ts";
import { type Alike, mobileDigits, readAlike } from "../checks/alike.ts";
import type { QuickHandler } from "../checks/route.ts";
import { addAlike, type StoredAlike } from "../rules/filling.ts";
import { checkState } from "../rules/group-states.ts";
import type { Service } from "../service.ts";
import type { GroupRow } from "../store/groups.ts";
import { idsOf } from "../store/ids.ts";
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
  const results = resultTexts(alike, stored, group, service);
  return Buffer.from(`{"errorCount":0,"resultList":[${results}]}`, "latin1");
};

const slot = "\u0000";

/** The result of the first message, with what differs from one to the next in its place. */
const resultTexts = (
  { bytes, rows }: Alike,
  { first, firstSeq }: StoredAlike,
  group: GroupRow,
  { store, now }: Service,
): string => {
  const created = now.getTime();
  const idSeed = store.settings.get("idSeed");
  const sample = resultsOf({ messages: [first], firstSeq, created, group }, idSeed).at(0);
  const hasFields = sample.customFields !== undefined;
  const marked = { ...sample, messageId: slot, ...(hasFields && { customFields: slot }), to: slot };
  const [begin, ...parts] = JSON.stringify(marked)
    .split(JSON.stringify(slot))
    .map((part) => Buffer.from(part).toString("latin1"));
  const [beforeFields, beforeTo, end] = hasFields ? parts : ["", ...parts];
  const messageId = idsOf("M4V", created, idSeed);
  let text = "";
  for (const [index, { to, fields, fieldsEnd }] of rows.entries()) {
    const id = messageId(firstSeq + index);
    const own = bytes.slice(fields, fieldsEnd);
    const number = bytes.slice(to, to + mobileDigits);
    text += `${index > 0 ? "," : ""}${begin}"${id}"${beforeFields}${own}${beforeTo}"${number}"${end}`;
  }
  return text;
};

/** By the name of the endpoint. */
export const quickHandlers: Readonly<Record<string, QuickHandler<Service>>> = { addGroupMessages };
