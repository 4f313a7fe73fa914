/** Messages: sending in one call and reading what was sent. */
import * as v from "valibot";
import { oneOf } from "./bounded.ts";
import { endpoint, get } from "./endpoint.ts";
import {
  byKey,
  bytes,
  date,
  flag,
  id,
  keys,
  list,
  number,
  operators,
  phone,
  text,
} from "./fields.ts";
import {
  agent,
  dateTypes,
  group,
  listedTypes,
  messageInput,
  sendResult,
  storedMessage,
} from "./message-records.ts";
import { blank, messageRead, messageWrite } from "./needs.ts";

/** Recipients of one call, after lists in `to` are expanded. */
export const maxRecipients = 10_000;

const strict = v.optional(flag("refuse characters outside KS X 1001 (완성형) (status code 1029)"));
const allowDuplicates = v.optional(flag("let one number receive several messages of this call"));
const messages = list(messageInput, "messages, up to 10,000 recipients");

export const sendMessage = endpoint({
  does: "Send one message",
  method: "POST",
  path: "/messages/v4/send",
  effect: "unsafe",
  spends: "messages",
  checkWith: "msg message list --since <since>",
  needs: blank,
  alsoNeeds: messageWrite,
  body: v.object({
    message: messageInput,
    strict,
    allowDuplicates,
    agent: v.optional(agent),
  }),
  reply: v.object({ ...sendResult.entries, groupId: v.string() }),
  proof: ["groupId", "messageId"],
});

export const sendMany = endpoint({
  does: "Send up to 10,000 messages in one call",
  method: "POST",
  path: "/messages/v4/send-many",
  effect: "unsafe",
  spends: "messages",
  checkWith: "msg message list --since <since>",
  needs: messageWrite,
  body: v.object({ messages, strict, allowDuplicates, agent: v.optional(agent) }),
  reply: group,
  proof: ["groupId", "count"],
});

export const sendManyDetail = endpoint({
  does: "Send up to 10,000 messages in one call and list what was refused",
  method: "POST",
  path: "/messages/v4/send-many/detail",
  effect: "unsafe",
  spends: "messages",
  checkWith: "msg message list --since <since>",
  needs: messageWrite,
  body: v.object({
    messages,
    strict,
    allowDuplicates,
    showMessageList: v.optional(flag("answer with every message, not only the refused ones")),
    scheduledDate: v.optional(date("when to send; default, and for a past time: at once")),
    agent: v.optional(agent),
  }),
  reply: v.object({
    groupInfo: group,
    failedMessageList: v.array(sendResult),
    messageList: v.optional(
      v.array(
        v.object({
          messageId: v.string(),
          statusCode: v.string(),
          statusMessage: v.string(),
          customFields: v.optional(v.record(v.string(), v.string())),
        }),
      ),
    ),
  }),
  proof: ["groupInfo"],
});

export const listMessages = get({
  does: "List messages, newest first",
  path: "/messages/v4/list",
  needs: messageRead,
  // An answer without it is no empty list: what is not in one may be sent again.
  proof: ["messageList"],
  page: { by: "key", items: "messageList" },
  query: {
    criteria: text(
      "members to filter by, separated by commas: messageId,groupId,to,from,type,dateCreated,dateUpdated,replacement,statusCode",
    ),
    cond: text("one comparison for each member: eq, ne, gt, gte, lt, lte"),
    value: text("one value for each member"),
    ...byKey,
    dateType: dateTypes,
    startDate: date("created (or updated) on or after", "from"),
    endDate: date("created (or updated) on or before", "until"),
    messageId: id("only this message"),
    messageIds: operators(id("only these messages"), "eq", "in"),
    groupId: id("only messages of this group"),
    to: phone("only this recipient"),
    from: phone("only this sender"),
    type: operators(oneOf(listedTypes, "only this message type"), "eq", "in"),
    statusCode: operators(text("only this status code"), "eq", "in"),
    dateCreated: date("created at exactly this instant"),
    dateUpdated: date("updated at exactly this instant"),
  },
  reply: v.object({
    ...keys,
    limit: v.number(),
    messageList: v.record(v.string(), storedMessage),
  }),
});

/** The same list at the path that some clients still use. */
export const listMessagesOld = endpoint({
  ...listMessages,
  path: "/messages/v4/list-old",
  beyond: true,
});

export const exportMessages = get({
  does: "Download messages as a spreadsheet",
  path: "/messages/v4/list/excel",
  needs: messageRead,
  query: {
    criteria: listMessages.query.criteria,
    cond: listMessages.query.cond,
    value: listMessages.query.value,
    subAccountId: id("only messages of this sub-account"),
    limit: number("rows of the spreadsheet, 1 to 50,000; default: 10,000"),
    dateType: dateTypes,
    startDate: date("created (or updated) on or after", "from"),
    endDate: date("created (or updated) on or before", "until"),
  },
  reply: bytes("a spreadsheet (xlsx)"),
});
