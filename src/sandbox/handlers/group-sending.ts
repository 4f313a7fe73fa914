/** Groups as they are sent: now, later, not after all, once more. */
import type { Group } from "../../contract/message-records.ts";
import { checkApp, checkSendingApp } from "../rules/apps.ts";
import { refuseUnsent } from "../rules/delivery.ts";
import { checkState, type Operation } from "../rules/group-states.ts";
import { logged, withReopened } from "../rules/groups.ts";
import { beyondHorizon, isBeyondHorizon, readSchedule, schedule } from "../rules/schedules.ts";
import { send, unsentCode } from "../rules/sending.ts";
import { type Handler, Refusal, type Service, validationError } from "../service.ts";
import type { GroupRow } from "../store/groups.ts";
import { groupOf, groupRecord } from "./group-record.ts";

export const sendGroup: Handler<"sendGroup"> = ({ params }, service) => {
  const group = groupOf(params.groupId, service);
  checkState("send", group);
  return sent(service, group, "checked");
};

export const resendGroup: Handler<"resendGroup"> = ({ params }, service) => {
  const { store, now } = service;
  const group = groupOf(params.groupId, service);
  checkState("resend", group);
  const at = now.getTime();
  store.messages.reopen(group.seq, unsentCode, at);
  service.assume("resend-counts");
  return sent(service, withReopened(group, store.messages.counts(group.seq), at), "exempt");
};

/** Throws Refusal where nothing is accepted or money lacks: then the group stays as it was. */
const sent = (service: Service, group: GroupRow, quota: "checked" | "exempt"): Group => {
  const { store, now } = service;
  const at = now.getTime();
  if (group.registeredSuccess === 0) throw validationError("The group has no accepted message.");
  checkSendingApp(store, group.appId);
  const { group: result, stop } = send(store, group, at, quota);
  if (stop === "balance") {
    const text = "Balance and points together are below the price.";
    throw new Refusal(402, "NotEnoughBalance", text);
  }
  if (stop !== undefined) {
    refuseUnsent(store, group, at);
    service.assume("quota-refusal");
  }
  service.assume("group-price");
  return saved(service, result);
};

const saved = ({ store }: Service, group: GroupRow): Group => {
  store.groups.update(group);
  return groupRecord(group, store);
};

export const scheduleGroup: Handler<"scheduleGroup"> = ({ params, body }, service) =>
  scheduled("schedule", params.groupId, body.scheduledDate, service);

export const rescheduleGroup: Handler<"rescheduleGroup"> = ({ params, body }, service) =>
  scheduled("reschedule", params.groupId, body.scheduledDate, service);

const scheduled = (
  operation: Operation,
  groupId: string,
  text: string,
  service: Service,
): Group => {
  const { store, now } = service;
  const instant = readSchedule(text);
  const at = now.getTime();
  const group = groupOf(groupId, service);
  checkState(operation, group);
  // Whether it is active is asked when its hour comes.
  checkApp(store, group.appId);
  if (instant <= at) {
    const why = `'scheduledDate' must lie ahead, not '${text}'.`;
    throw new Refusal(400, "InvalidScheduledDate", why);
  }
  if (isBeyondHorizon(instant, now)) {
    store.groups.update(logged(group, at, "schedule refused: more than 6 months ahead"));
    throw beyondHorizon(true);
  }
  return saved(service, schedule(store, group, instant, at));
};

export const unscheduleGroup: Handler<"unscheduleGroup"> = ({ params }, service) => {
  const group = groupOf(params.groupId, service);
  checkState("unschedule", group);
  const open: GroupRow = { ...group, status: "PENDING", scheduled: null };
  return saved(service, logged(open, service.now.getTime(), "schedule cancelled"));
};
