/** The usual client sends one message at a time. */
import { recipient, timedSends } from "./timed-sends.ts";
import { usualSend } from "./usual-client.ts";

const url = `${process.argv[2]}/messages/v4/send-many/detail`;

await timedSends(async (index) => {
  await usualSend(url, { to: recipient(index), from: "0200000000", text: "안녕하세요" });
});
