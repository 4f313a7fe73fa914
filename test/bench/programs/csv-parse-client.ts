/** The usual way of many: csv-parse, every message validated and serialised again, sent by fetch. */
import { createReadStream } from "node:fs";
import { parse } from "csv-parse";
import * as v from "valibot";
import { authorization } from "../../support/signer.ts";

const [url = "", file = ""] = process.argv.slice(2);
const chunk = 10_000;

const Message = v.object({
  to: v.pipe(v.string(), v.regex(/^\d+$/)),
  from: v.pipe(v.string(), v.regex(/^\d+$/)),
  text: v.pipe(v.string(), v.minLength(1)),
  type: v.optional(v.picklist(["SMS", "LMS", "MMS", "ATA", "CTA", "CTI"])),
  country: v.optional(v.string(), "82"),
});
const Request = v.object({ messages: v.array(Message), strict: v.optional(v.boolean(), false) });
const Line = v.object({ to: v.string(), name: v.string() });
const Answer = v.looseObject({ groupId: v.string(), count: v.looseObject({ total: v.number() }) });

const send = async (messages: readonly unknown[]): Promise<void> => {
  const input = v.parse(Request, { messages });
  const response = await fetch(`${url}/messages/v4/send-many/detail`, {
    method: "POST",
    headers: { authorization: authorization(), "content-type": "application/json" },
    body: JSON.stringify(v.parse(Request, JSON.parse(JSON.stringify(input)))),
  });
  v.parse(Answer, await response.json());
};

let messages: unknown[] = [];
for await (const line of createReadStream(file).pipe(parse({ columns: true }))) {
  const { to, name } = v.parse(Line, line);
  messages.push({ to, from: "0200000000", text: `${name}님, 안녕하세요` });
  if (messages.length < chunk) continue;
  await send(messages);
  messages = [];
}
if (messages.length > 0) await send(messages);
