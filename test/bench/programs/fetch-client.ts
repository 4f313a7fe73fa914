/** The usual client of such a service: fetch, every request and answer validated and serialised again. */
import * as v from "valibot";
import { recipient, signed, timedSends } from "./timed-sends.ts";

const Message = v.object({
  to: v.pipe(v.string(), v.regex(/^\d+$/)),
  from: v.pipe(v.string(), v.regex(/^\d+$/)),
  text: v.pipe(v.string(), v.minLength(1)),
  type: v.optional(v.picklist(["SMS", "LMS", "MMS", "ATA", "CTA", "CTI"])),
  country: v.optional(v.string(), "82"),
});
const Request = v.object({ message: Message, strict: v.optional(v.boolean(), false) });
const Answer = v.looseObject({
  groupId: v.string(),
  messageId: v.string(),
  statusCode: v.string(),
});

await timedSends(async (index) => {
  const input = v.parse(Request, {
    message: { to: recipient(index), from: "0200000000", text: "안녕하세요" },
  });
  const body = JSON.stringify(v.parse(Request, JSON.parse(JSON.stringify(input))));
  const response = await fetch(`${process.argv[2]}/messages/v4/send`, {
    method: "POST",
    headers: { authorization: signed(), "content-type": "application/json" },
    body,
  });
  v.parse(Answer, await response.json());
});
