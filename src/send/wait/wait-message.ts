/** `send --wait`: what became of what was just sent. */

import { resultUnreadError } from "../../client/poll.ts";
import { listMessages } from "../../contract/messages.ts";
import { MsgError } from "../../errors.ts";
import { memberOf } from "../../json/read-json.ts";
import { statusMeaning } from "../../message/status.ts";
import type { Result } from "../../output/result.ts";
import type { Ports } from "../../ports.ts";
import { endingOf } from "./messages.ts";
import { waitForGroup } from "./wait-group.ts";

/**
 * Waits for the group of a result: a single message is shown as it ended (exit 10 where it did not
 * arrive), several as their group. Exit 8 when the time is over; nothing is sent again.
 */
export const waitForSent = async (
  ctx: Ports,
  sent: Result,
  within: string | undefined,
): Promise<Result> => {
  const record: unknown = "record" in sent ? sent.record : undefined;
  const messageId = textIn(record, "messageId");
  const groups = memberOf(record, "groups");
  const groupId = textIn(record, "groupId") ?? (Array.isArray(groups) ? String(groups[0]) : "");
  // Stopped before: the send has told so itself.
  if (ctx.signal.aborted) return sent;
  const todo = `msg group wait ${groupId} waits again, and sends nothing`;
  const asked = await known(ctx, todo, () => waitForGroup(ctx, groupId, within));
  if (asked instanceof MsgError) return { ...sent, ending: asked };
  const waited = asked;
  if (messageId === undefined) {
    const refused = "ending" in sent ? sent.ending : undefined;
    return "ending" in waited && waited.ending === undefined
      ? { ...waited, ending: refused }
      : waited;
  }
  const client = await ctx.session.client();
  const listed = await known(ctx, todo, () => client.call(listMessages, { query: { messageId } }));
  if (listed instanceof MsgError) return { ...sent, ending: listed };
  const message = listed.messageList[messageId];
  const ending = "ending" in waited ? waited.ending : undefined;
  // Whoever sent one message is told of that one, its id first, whether it has arrived yet or not.
  if (message === undefined) return { ...sent, ending };
  return {
    record: message,
    columns,
    ending: ending?.kind === "pending" ? ending : endingOf(message),
  };
};

/** What the question brought, or that it brought nothing. */
const known = async <T>(ctx: Ports, todo: string, ask: () => Promise<T>): Promise<T | MsgError> => {
  try {
    return await ask();
  } catch (error) {
    return resultUnreadError(ctx, error, todo);
  }
};

const columns = [
  ...["messageId", "groupId", "to", "from", "type", "status", "statusCode"],
  {
    name: "meaning",
    value: (row: { readonly statusCode: string }) => statusMeaning(row.statusCode),
  },
  "dateReported",
] as const;

const textIn = (record: unknown, name: string): string | undefined => {
  const value = memberOf(record, name);
  return typeof value === "string" ? value : undefined;
};
