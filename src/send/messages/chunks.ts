/** Cuts messages into the calls that take them. */
import type { MessageInput } from "../../contract/message-records.ts";
import { maxRecipients } from "../../contract/messages.ts";

/** Bytes of the messages of one call: 15 MB, less room for what surrounds them. */
const mostBytes = 15 * 1024 * 1024 - 1024;

/** In order, none empty: at most 10,000 recipients and 15 MB each. */
export function* chunksOf(messages: readonly MessageInput[]): Generator<readonly MessageInput[]> {
  let from = 0;
  let recipients = 0;
  let bytes = 0;
  for (const [index, message] of messages.entries()) {
    const count = Array.isArray(message.to) ? message.to.length : 1;
    const size = Buffer.byteLength(JSON.stringify(message)) + 1;
    if (index > from && (recipients + count > maxRecipients || bytes + size > mostBytes)) {
      yield messages.slice(from, index);
      from = index;
      recipients = 0;
      bytes = 0;
    }
    recipients += count;
    bytes += size;
  }
  if (from < messages.length) yield messages.slice(from);
}
