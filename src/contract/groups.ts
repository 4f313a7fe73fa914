/** Message groups: filled first, sent once. */
import * as v from "valibot";
import { byKey } from "./bounded.ts";
import { endpoint, endpointWith } from "./endpoint.ts";
import { date, flag, id, json, keys, list, number, pairs, spreadsheet, text } from "./fields.ts";
import {
  comparisons,
  group,
  messageInput,
  period,
  sendResult,
  storedMessage,
} from "./message-records.ts";
import { messageRead, messageWrite } from "./needs.ts";

/** Messages of one group, refused ones included. */
export const maxInGroup = 1_000_000;

const read = endpointWith({ method: "GET", effect: "safe", needs: messageRead });
const write = endpointWith({ effect: "settling", needs: messageWrite });
const nothing = v.object({});

export const createGroup = write({
  does: "Create an empty group",
  method: "POST",
  path: "/messages/v4/groups",
  // An empty group costs nothing and sends nothing; a second one does no harm.
  body: v.object({
    appId: v.optional(
      id("app of the app store; its id: msg app profits, or the service's console"),
    ),
    strict: v.optional(flag("refuse characters outside KS X 1001 (완성형)")),
    allowDuplicates: v.optional(flag("let one number receive several messages of the group")),
    sdkVersion: v.optional(text("program that the call comes from")),
    osPlatform: v.optional(text("system that the call comes from")),
    customFields: v.optional(pairs("your own data: keys up to 30, values up to 100 characters")),
    hint: v.optional(json("undocumented, and not stored")),
  }),
  reply: group,
  proof: ["groupId"],
});

export const addGroupMessages = endpoint({
  does: "Add up to 10,000 messages to a group",
  method: "PUT",
  path: "/messages/v4/groups/:groupId/messages",
  effect: "unsafe",
  checkWith: "msg group get <groupId>",
  needs: messageWrite,
  body: v.object({
    // Older clients send the array as JSON text.
    messages: v.union([
      list(messageInput, "messages, up to 10,000 recipients"),
      text("the same array as JSON text"),
    ]),
  }),
  reply: v.object({ errorCount: v.number(), resultList: v.array(sendResult) }),
  proof: ["resultList.statusCode"],
});

export const listGroupMessages = read({
  does: "List the messages of a group, newest first",
  path: "/messages/v4/groups/:groupId/messages",
  page: { by: "key", items: "messageList" },
  query: { ...byKey },
  reply: v.object({ ...keys, limit: v.number(), messageList: v.record(v.string(), storedMessage) }),
});

export const deleteGroupMessages = write({
  does: "Remove messages from a group that was not sent",
  method: "DELETE",
  path: "/messages/v4/groups/:groupId/messages",
  body: v.object({ messageIds: list(id("message"), "messages to remove") }),
  reply: v.object({
    groupId: v.string(),
    errorCount: v.number(),
    resultList: v.array(v.object({ messageId: v.string(), resultCode: v.string() })),
  }),
  proof: ["resultList.resultCode"],
});

export const sendGroup = write({
  does: "Send a group",
  method: "POST",
  path: "/messages/v4/groups/:groupId/send",
  // A second send is refused (409 AlreadySent, GroupInProcessing), so it may be repeated freely.
  spends: "messages",
  body: nothing,
  reply: group,
  proof: ["status"],
});

const schedule = v.object({ scheduledDate: date("when to send, up to 6 months ahead") });

export const scheduleGroup = write({
  does: "Schedule a group",
  method: "POST",
  path: "/messages/v4/groups/:groupId/schedule",
  spends: "messages",
  body: schedule,
  reply: group,
  proof: ["status"],
});

export const rescheduleGroup = write({
  does: "Change when a scheduled group is sent",
  method: "PUT",
  path: "/messages/v4/groups/:groupId/schedule",
  spends: "messages",
  body: schedule,
  reply: group,
});

export const unscheduleGroup = write({
  does: "Cancel the schedule of a group",
  method: "DELETE",
  path: "/messages/v4/groups/:groupId/schedule",
  reply: group,
});

const groupFilters = {
  criteria: text(
    "members to filter by, separated by commas: groupId, status, dateCreated, dateUpdated, scheduledDate, count.total, count.sentTotal",
  ),
  ...comparisons,
  ...byKey,
  ...period,
};

export const listGroups = read({
  does: "List groups, newest first",
  path: "/messages/v4/groups",
  page: { by: "key", items: "groupList" },
  query: groupFilters,
  proof: ["groupList"],
  reply: v.object({ ...keys, limit: v.number(), groupList: v.record(v.string(), group) }),
});

export const readGroup = read({
  does: "Read one group",
  path: "/messages/v4/groups/:groupId",
  reply: group,
  proof: ["status", "count"],
});

export const deleteGroup = write({
  does: "Delete a group that was not sent",
  method: "DELETE",
  path: "/messages/v4/groups/:groupId",
  reply: group,
});

export const resendGroup = write({
  does: "Send a group again that failed as a whole",
  method: "POST",
  path: "/messages/v4/groups/:groupId/resend",
  // Only FAILED groups are resent, and the first resend leaves that state.
  spends: "messages",
  body: nothing,
  reply: group,
  proof: ["status"],
});

export const exportGroups = read({
  does: "Download the list of groups as a spreadsheet",
  path: "/messages/v4/groups/excel",
  query: {
    ...groupFilters,
    limit: number("rows of the spreadsheet, 1 to 1,048,575; default: all"),
    subAccountId: id("only this sub-account"),
  },
  reply: spreadsheet("xlsx document"),
});
