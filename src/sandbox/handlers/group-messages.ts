/** The messages of a group: added, listed, removed. */

import * as v from "valibot";
import { defaultRows } from "../../contract/endpoint.ts";
import { type MessageInput, messageInput } from "../../contract/message-records.ts";
import { readMember, rejectDeep } from "../checks/validate.ts";
import { addMessages } from "../rules/dispatch.ts";
import { checkState } from "../rules/group-states.ts";
import { withoutMessages } from "../rules/groups.ts";
import { type Handler, Refusal, validationError } from "../service.ts";
import { seqOf } from "../store/ids.ts";
import { messagePlace } from "./filters.ts";
import { groupOf } from "./group-record.ts";
import { messagePage } from "./message-record.ts";
import { resultsOf } from "./send-results.ts";

export const addGroupMessages: Handler<"addGroupMessages"> = ({ params, body }, service) => {
  const messages = listOf(body.messages);
  const group = groupOf(params.groupId, service);
  checkState("add", group);
  const stored = addMessages(service, group, messages);
  const idSeed = service.idSeed;
  const resultList = resultsOf(stored, idSeed);
  const errorCount = resultList.filter(({ statusCode }) => statusCode !== "2000").length;
  return { errorCount, resultList };
};

const list = v.array(messageInput);

/** The array itself, or the array as JSON text, read by the same schema. */
const listOf = (given: MessageInput[] | string): readonly MessageInput[] => {
  if (typeof given !== "string") return given;
  const value = parsed(given);
  rejectDeep(value);
  return readMember("messages", list, value);
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

export const listGroupMessages: Handler<"listGroupMessages"> = (
  { params, query = {} },
  service,
) => {
  const { store, caller, assume, idSeed } = service;
  const { startKey = null, limit = defaultRows } = query;
  const group = groupOf(params.groupId, service);
  const rows = store.listMessages({
    accountId: caller.accountId,
    conditions: [{ column: "groupSeq", is: "eq", value: group.seq }],
    from: startKey === null ? undefined : messagePlace(startKey, service, idSeed, group.seq),
    limit: limit + 1,
  });
  assume("next-key");
  assume("list-order");
  return messagePage(rows, { startKey, limit }, idSeed);
};

export const deleteGroupMessages: Handler<"deleteGroupMessages"> = (
  { params, body: { messageIds } },
  service,
) => {
  const { store, now, idSeed } = service;
  if (messageIds.length === 0) throw validationError("'messageIds' must not be empty.");
  const group = groupOf(params.groupId, service);
  checkState("remove", group);
  const seqs = messageIds.map((messageId) => seqOf("M4V", messageId, idSeed));
  const removed = store.messages.remove(group.seq, seqs);
  if (removed.length === 0) {
    throw new Refusal(400, "ResourceNotFound", "The group holds none of these messages.");
  }
  store.groups.update(withoutMessages(group, removed, now.getTime()));
  const gone = new Set(removed.map(({ seq }) => seq));
  const resultList = messageIds.map((messageId, index) => ({
    messageId,
    resultCode: gone.delete(seqs[index] ?? 0) ? "Success" : "ResourceNotFound",
  }));
  service.assume("remove-unknown");
  const errorCount = resultList.filter(({ resultCode }) => resultCode !== "Success").length;
  return { groupId: params.groupId, errorCount, resultList };
};
