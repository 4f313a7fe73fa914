/** The usual way of many: csv-parse, every line a message, 10,000 at a time given to the usual client. */
import { createReadStream } from "node:fs";
import { parse } from "csv-parse";
import { usualSend } from "./usual-client.ts";

const [base = "", file = ""] = process.argv.slice(2);
const url = `${base}/messages/v4/send-many/detail`;
const chunk = 10_000;

let messages: unknown[] = [];
for await (const line of createReadStream(file).pipe(parse({ columns: true }))) {
  const { to, name }: Readonly<Record<string, string>> = line;
  messages.push({ to, from: "0200000000", text: `${name}님, 안녕하세요` });
  if (messages.length < chunk) continue;
  await usualSend(url, messages);
  messages = [];
}
if (messages.length > 0) await usualSend(url, messages);
