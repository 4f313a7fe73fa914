/** What the phones received. */

import type { Reply } from "../../contract/endpoint.ts";
import { defaultRows } from "../../contract/endpoint.ts";
import type { Controls } from "../../contract/sandbox.ts";
import { pageOf } from "../handlers/list-page.ts";
import { messageIdOf, messageRecord } from "../handlers/message-record.ts";
import { notFound } from "../service.ts";
import { seqOf } from "../store/ids.ts";
import type { MessageRow } from "../store/messages.ts";
import type { ControlHandler } from "./admin-context.ts";

type Received = Reply<Controls["listInbox"]>["messages"][number];

export const listInbox: ControlHandler<"listInbox"> = ({ query }, { store }) => {
  const { to, startKey, limit = defaultRows } = query ?? {};
  const seed = store.settings.get("idSeed");
  const from = startKey === undefined ? undefined : seqOf("M4V", startKey, seed);
  const phone = to === undefined ? undefined : digitsOf(to);
  const found = store.messageFeed.received({ to: phone, from, limit: limit + 1 });
  const { rows, keys } = pageOf(found, limit, (row) => messageIdOf(row, seed));
  return { messages: rows.map((row) => received(row, seed)), nextKey: keys.nextKey };
};

const digitsOf = (phone: string): string => phone.replaceAll("-", "");

const received = (row: MessageRow, seed: number): Received => {
  const record = messageRecord(row, seed);
  const { messageId, groupId, accountId, to, from, type, subject, text, imageId } = record;
  const { kakaoOptions, customFields, dateReceived, dateUpdated } = record;
  return {
    messageId,
    groupId,
    accountId,
    dateReceived: dateReceived ?? dateUpdated,
    to,
    from,
    type,
    subject,
    text,
    imageId,
    kakaoOptions,
    customFields,
  };
};

export const showReceived: ControlHandler<"showReceived"> = ({ params }, { store }) => {
  const seed = store.settings.get("idSeed");
  const row = store.messageFeed.one(seqOf("M4V", params.messageId, seed));
  if (row !== undefined) return received(row, seed);
  throw notFound(`No phone has received the message '${params.messageId}'.`);
};

/** How many messages of a phone are searched. */
const maxSearched = 1000;

export const findReceived: ControlHandler<"findReceived"> = (
  { query: { to, match } },
  { store },
) => {
  const pattern = new RegExp(match ?? "", "u");
  const rows = store.messageFeed.received({ to: digitsOf(to), limit: maxSearched });
  const row = rows.find((it) => pattern.test(it.text));
  return { message: row === undefined ? null : received(row, store.settings.get("idSeed")) };
};
