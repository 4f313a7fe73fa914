/** What the phones of the sandbox received. */
import * as v from "valibot";
import { pattern } from "./bounded.ts";
import { endpoint } from "./endpoint.ts";
import { id, number, phone, required, timestamp } from "./fields.ts";
import { anyone } from "./needs.ts";

const received = v.object({
  messageId: v.string(),
  groupId: v.string(),
  accountId: v.string(),
  dateReceived: timestamp(),
  to: v.string(),
  from: v.string(),
  type: v.nullable(v.string()),
  subject: v.nullable(v.string()),
  text: v.string(),
  imageId: v.nullable(v.string()),
  kakaoOptions: v.record(v.string(), v.unknown()),
  customFields: v.record(v.string(), v.unknown()),
});

/** Which of the messages is meant; the command that waits has it as a flag of its own. */
export const searched = pattern("only a message whose text this regular expression finds");

export const listInbox = endpoint({
  does: "List what the phones received, newest first",
  method: "GET",
  path: "/_sandbox/inbox",
  effect: "safe",
  needs: anyone,
  page: { by: "key", items: "messages", max: 500 },
  query: {
    to: phone("only this phone"),
    startKey: id("message to start the page from"),
    limit: number("rows of a page, 1 to 500"),
  },
  reply: v.object({
    messages: v.array(received),
    nextKey: v.nullable(v.string()),
  }),
});

export const showReceived = endpoint({
  does: "Show one message as its phone received it",
  method: "GET",
  path: "/_sandbox/inbox/:messageId",
  effect: "safe",
  needs: anyone,
  reply: received,
});

/** Answers at once: whoever waits asks again. */
export const findReceived = endpoint({
  does: "Find the newest message that a phone received",
  method: "GET",
  path: "/_sandbox/inbox/wait",
  effect: "safe",
  needs: anyone,
  query: {
    to: required(phone("the phone")),
    match: searched,
  },
  reply: v.object({ message: v.nullable(received) }),
});
