/** Messages: sending in one call and reading what was sent. */
import * as v from "valibot";
import { byKey, oneOf } from "./bounded.ts";
import { endpoint, endpointWith } from "./endpoint.ts";
import {
  date,
  flag,
  id,
  keys,
  list,
  number,
  operators,
  phone,
  spreadsheet,
  text,
} from "./fields.ts";
import {
  agent,
  comparisons,
  group,
  listedTypes,
  messageInput,
  period,
  sendResult,
  storedMessage,
} from "./message-records.ts";
import { blank, messageRead, messageWrite } from "./needs.ts";

/** Recipients of one call, after lists in `to` are expanded. */
export const maxRecipients = 10_000;

const read = endpointWith({ method: "GET", effect: "safe", needs: messageRead });
const send = endpointWith({
  method: "POST",
  effect: "unsafe",
  spends: "messages",
  checkWith: "msg message list --since <since>",
});

const options = {
  strict: v.optional(flag("refuse characters outside KS X 1001 (완성형) (status code 1029)")),
  allowDuplicates: v.optional(flag("let one number receive several messages of this call")),
};
const messages = list(messageInput, "messages, up to 10,000 recipients");

export const sendMessage = send({
  does: "Send one message",
  path: "/messages/v4/send",
  needs: blank,
  alsoNeeds: messageWrite,
  body: v.object({ message: messageInput, ...options, agent: v.optional(agent) }),
  reply: v.object({ ...sendResult.entries, groupId: v.string() }),
  proof: ["groupId", "messageId"],
});

export const sendMany = send({
  does: "Send up to 10,000 messages in one call",
  path: "/messages/v4/send-many",
  needs: messageWrite,
  body: v.object({ messages, ...options, agent: v.optional(agent) }),
  reply: group,
  proof: ["groupId", "count"],
});

const takenMessage = v.pick(sendResult, [
  "messageId",
  "statusCode",
  "statusMessage",
  "customFields",
]);

export const sendManyDetail = send({
  does: "Send up to 10,000 messages in one call and list what was refused",
  path: "/messages/v4/send-many/detail",
  needs: messageWrite,
  body: v.object({
    messages,
    ...options,
    showMessageList: v.optional(flag("answer with every message, not only the refused ones")),
    scheduledDate: v.optional(date("when to send; default, and for a past time: at once")),
    agent: v.optional(agent),
  }),
  reply: v.object({
    groupInfo: group,
    failedMessageList: v.array(sendResult),
    messageList: v.optional(v.array(takenMessage)),
  }),
  proof: ["groupInfo"],
});

const criteria = text(
  "members to filter by, separated by commas: messageId, groupId, to, from, type, dateCreated, dateUpdated, replacement, statusCode",
);

export const listMessages = read({
  does: "List messages, newest first",
  path: "/messages/v4/list",
  // An answer without it is not an empty list: messages missing from a list may be sent again.
  proof: ["messageList"],
  page: { by: "key", items: "messageList" },
  query: {
    criteria,
    ...comparisons,
    ...byKey,
    ...period,
    messageId: id("only this message"),
    messageIds: operators(id("only these messages"), "eq", "in"),
    groupId: id("only messages of this group"),
    to: phone("only this recipient"),
    from: phone("only this sender"),
    type: operators(oneOf(listedTypes, "only this message type"), "eq", "in"),
    statusCode: operators(text("only this status code"), "eq", "in"),
    dateCreated: operators(date("created at exactly this instant"), "eq"),
    dateUpdated: operators(date("updated at exactly this instant"), "eq"),
  },
  reply: v.object({ ...keys, limit: v.number(), messageList: v.record(v.string(), storedMessage) }),
});

/** The same list at the path that some clients still use. */
export const listMessagesOld = endpoint({
  ...listMessages,
  path: "/messages/v4/list-old",
  beyond: true,
});

export const exportMessages = read({
  does: "Download messages as a spreadsheet",
  path: "/messages/v4/list/excel",
  query: {
    criteria,
    ...comparisons,
    subAccountId: id("only messages of this sub-account"),
    limit: number("rows of the spreadsheet, 1 to 50,000; default: 10,000"),
    ...period,
  },
  reply: spreadsheet("a spreadsheet (xlsx)"),
});
