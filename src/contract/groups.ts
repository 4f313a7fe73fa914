/** Message groups: filled first, sent once. */
import * as v from "valibot";
import { endpoint, get } from "./endpoint.ts";
import { byKey, bytes, date, flag, id, json, keys, list, pairs, text } from "./fields.ts";
import { dateTypes, group, messageInput, sendResult, storedMessage } from "./message-records.ts";
import { messageRead, messageWrite } from "./needs.ts";

/** Messages of one group, refused ones included. */
export const maxInGroup = 1_000_000;

const nothing = v.object({});

export const createGroup = endpoint({
  does: "Create an empty group",
  method: "POST",
  path: "/messages/v4/groups",
  // An empty group costs nothing and sends nothing; a second one does no harm.
  effect: "settling",
  needs: messageWrite,
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

export const listGroupMessages = get({
  does: "List the messages of a group, newest first",
  path: "/messages/v4/groups/:groupId/messages",
  needs: messageRead,
  page: { by: "key", items: "messageList" },
  query: {
    ...byKey,
  },
  reply: v.object({
    ...keys,
    limit: v.number(),
    messageList: v.record(v.string(), storedMessage),
  }),
});

export const deleteGroupMessages = endpoint({
  does: "Remove messages from a group that was not sent",
  method: "DELETE",
  path: "/messages/v4/groups/:groupId/messages",
  effect: "settling",
  needs: messageWrite,
  body: v.object({ messageIds: list(id("message"), "messages to remove") }),
  reply: v.object({
    groupId: v.string(),
    errorCount: v.number(),
    resultList: v.array(v.object({ messageId: v.string(), resultCode: v.string() })),
  }),
  proof: ["resultList.resultCode"],
});

export const sendGroup = endpoint({
  does: "Send a group",
  method: "POST",
  path: "/messages/v4/groups/:groupId/send",
  // A second send is refused (409 AlreadySent, GroupInProcessing), so it may be repeated freely.
  effect: "settling",
  spends: "messages",
  needs: messageWrite,
  body: nothing,
  reply: group,
  proof: ["groupId", "status"],
});

const schedule = v.object({ scheduledDate: date("when to send, up to 6 months ahead") });

export const scheduleGroup = endpoint({
  does: "Schedule a group",
  method: "POST",
  path: "/messages/v4/groups/:groupId/schedule",
  effect: "settling",
  spends: "messages",
  needs: messageWrite,
  body: schedule,
  reply: group,
  proof: ["groupId", "status"],
});

export const rescheduleGroup = endpoint({
  does: "Change when a scheduled group is sent",
  method: "PUT",
  path: "/messages/v4/groups/:groupId/schedule",
  effect: "settling",
  spends: "messages",
  needs: messageWrite,
  body: schedule,
  reply: group,
});

export const unscheduleGroup = endpoint({
  does: "Cancel the schedule of a group",
  method: "DELETE",
  path: "/messages/v4/groups/:groupId/schedule",
  effect: "settling",
  needs: messageWrite,
  reply: group,
  proof: ["groupId"],
});

const groupFilters = {
  criteria: text(
    "members to filter by, separated by commas: groupId,status,dateCreated,dateUpdated,scheduledDate,count.total,count.sentTotal",
  ),
  cond: text("one comparison for each member: eq, ne, gt, gte, lt, lte"),
  value: text("one value for each member"),
  ...byKey,
  dateType: dateTypes,
  startDate: date("created (or updated) on or after", "from"),
  endDate: date("created (or updated) on or before", "until"),
};

export const listGroups = get({
  does: "List groups, newest first",
  path: "/messages/v4/groups",
  needs: messageRead,
  page: { by: "key", items: "groupList" },
  query: groupFilters,
  proof: ["groupList"],
  reply: v.object({
    ...keys,
    limit: v.number(),
    groupList: v.record(v.string(), group),
  }),
});

export const readGroup = get({
  does: "Read one group",
  path: "/messages/v4/groups/:groupId",
  needs: messageRead,
  reply: group,
  proof: ["groupId", "status", "count"],
});

export const deleteGroup = endpoint({
  does: "Delete a group that was not sent",
  method: "DELETE",
  path: "/messages/v4/groups/:groupId",
  effect: "settling",
  needs: messageWrite,
  reply: group,
  proof: ["groupId"],
});

export const resendGroup = endpoint({
  does: "Send a group again that failed as a whole",
  method: "POST",
  path: "/messages/v4/groups/:groupId/resend",
  // Only FAILED groups are resent, and the first resend leaves that state.
  effect: "settling",
  spends: "messages",
  needs: messageWrite,
  body: nothing,
  reply: group,
  proof: ["groupId", "status"],
});

export const exportGroups = get({
  does: "Download the list of groups as a spreadsheet",
  path: "/messages/v4/groups/excel",
  needs: messageRead,
  query: { ...groupFilters, subAccountId: id("only this sub-account") },
  reply: bytes("xlsx document"),
});
