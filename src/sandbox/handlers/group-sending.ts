/** Filling and sending groups: now, later, cancelled, sent again. */
import * as v from "valibot";
import { type Group, type MessageInput, messageInput } from "../../contract/message-records.ts";
import { readJson } from "../../json/read-json.ts";
import { instantOf } from "../checks/dates.ts";
import { readMember } from "../checks/validate.ts";
import { checkApp, checkSendingApp } from "../rules/apps.ts";
import { refuseUnsent } from "../rules/delivery.ts";
import { addMessages } from "../rules/dispatch.ts";
import {
  checkState,
  invalidSchedule,
  logged,
  type Operation,
  schedule,
  tooFarAhead,
  withCounted,
  withReopened,
} from "../rules/groups.ts";
import { notEnoughBalance, send, unsentCode } from "../rules/sending.ts";
import { type Handler, keeping, Refusal, type Service, validationError } from "../service.ts";
import type { GroupRow } from "../store/groups.ts";
import { seqOf } from "../store/ids.ts";
import { groupOf, groupRecord } from "./groups.ts";
import { messagePage, resultsOf } from "./message-record.ts";

export const sendGroup: Handler<"sendGroup"> = ({ params }, service) => {
  const group = groupOf(params.groupId, service);
  checkState("send", group);
  return sent(service, group, "checked");
};

export const resendGroup: Handler<"resendGroup"> = ({ params }, service) => {
  const { store, now } = service;
  const group = groupOf(params.groupId, service);
  checkState("resend", group);
  store.messages.reopen(group.seq, unsentCode, now);
  service.assume("resend-counts");
  return sent(service, withReopened(group, store.messages.counts(group.seq), now), "exempt");
};

/** Throws Refusal if nothing is accepted or money is lacking: then the group stays as it was. */
const sent = (service: Service, group: GroupRow, quota: "checked" | "exempt"): Group => {
  const { store, now } = service;
  if (group.registeredSuccess === 0) throw validationError("The group has no accepted message.");
  checkSendingApp(store, group.appId);
  const { group: result, stop } = send(store, group, now, quota);
  if (stop === "balance") throw notEnoughBalance();
  if (stop !== undefined) {
    refuseUnsent(store, group, now);
    service.assume("quota-refusal");
  }
  service.assume("group-price");
  return save(service, result);
};

const save = ({ store }: Service, group: GroupRow): Group => {
  store.groups.update(group);
  return groupRecord(group, store);
};

const scheduling =
  (operation: Operation): Handler<"scheduleGroup"> =>
  ({ params, body: { scheduledDate } }, service) => {
    const { store, now } = service;
    const instant = instantOf("scheduledDate", scheduledDate);
    const group = groupOf(params.groupId, service);
    checkState(operation, group);
    // Whether the app is active is checked at the scheduled time.
    checkApp(store, group.appId);
    if (instant <= now)
      throw invalidSchedule(`'scheduledDate' must lie ahead, not '${scheduledDate}'.`);
    const refusal = tooFarAhead(instant, now);
    if (refusal !== undefined) {
      store.groups.update(logged(group, now, "schedule refused: more than 6 months ahead"));
      throw keeping(refusal);
    }
    return save(service, schedule(store, group, instant, now));
  };

export const scheduleGroup = scheduling("schedule");
export const rescheduleGroup = scheduling("reschedule");

export const unscheduleGroup: Handler<"unscheduleGroup"> = ({ params }, service) => {
  const group = groupOf(params.groupId, service);
  checkState("unschedule", group);
  const open: GroupRow = { ...group, status: "PENDING", scheduled: null };
  return save(service, logged(open, service.now, "schedule cancelled"));
};

export const addGroupMessages: Handler<"addGroupMessages"> = ({ params, body }, service) => {
  const messages = listOf(body.messages);
  const group = groupOf(params.groupId, service);
  checkState("add", group);
  const resultList = resultsOf(addMessages(service, group, messages), service.idSeed);
  const errorCount = resultList.filter(({ statusCode }) => statusCode !== "2000").length;
  return { errorCount, resultList };
};

const list = v.array(messageInput);

/** The array itself, or the array as JSON text, read by the same schema. */
const listOf = (given: MessageInput[] | string): readonly MessageInput[] => {
  if (typeof given !== "string") return given;
  return readMember("messages", list, readJson(Buffer.from(given)));
};

export const listGroupMessages: Handler<"listGroupMessages"> = ({ params, query }, service) => {
  const { seq } = groupOf(params.groupId, service);
  return messagePage(query ?? {}, [{ column: "groupSeq", is: "eq", value: seq }], service, seq);
};

export const deleteGroupMessages: Handler<"deleteGroupMessages"> = ({ params, body }, service) => {
  const { store, now, idSeed } = service;
  const { messageIds } = body;
  if (messageIds.length === 0) throw validationError("'messageIds' must not be empty.");
  const group = groupOf(params.groupId, service);
  checkState("remove", group);
  const seqs = messageIds.map((messageId) => seqOf("message", messageId, idSeed));
  const removed = store.messages.remove(group.seq, seqs);
  if (removed.length === 0)
    throw new Refusal(400, "ResourceNotFound", "The group holds none of these messages.");
  store.groups.update(withCounted(group, removed, -1, now));
  const gone = new Set(removed.map(({ seq }) => seq));
  const resultList = messageIds.map((messageId, index) => ({
    messageId,
    resultCode: gone.delete(seqs[index] ?? 0) ? "Success" : "ResourceNotFound",
  }));
  service.assume("remove-unknown");
  const errorCount = resultList.filter(({ resultCode }) => resultCode !== "Success").length;
  return { groupId: params.groupId, errorCount, resultList };
};
