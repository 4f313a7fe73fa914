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

export const listInbox: ControlHandler<"listInbox"> = ({ query }, { store, idSeed }) => {
  const { to, startKey, limit = defaultRows } = query ?? {};
  const from = startKey === undefined ? undefined : seqOf("M4V", startKey, idSeed);
  const phone = to === undefined ? undefined : digitsOf(to);
  const found = store.messageFeed.received({ to: phone, from, limit: limit + 1 });
  const { rows, keys } = pageOf(found, limit, (row) => messageIdOf(row, idSeed));
  return { messages: rows.map((row) => received(row, idSeed)), nextKey: keys.nextKey };
};

const digitsOf = (phone: string): string => phone.replaceAll("-", "");

const received = (row: MessageRow, idSeed: number): Received => {
  const record = messageRecord(row, idSeed);
  const { messageId, groupId, accountId, to, from, type, subject, text, imageId } = record;
  const { kakaoOptions, customFields, dateReceived, dateUpdated } = record;
  return {
    ...{ messageId, groupId, accountId },
    dateReceived: dateReceived ?? dateUpdated,
    ...{ to, from, type, subject, text, imageId, kakaoOptions, customFields },
  };
};

export const showReceived: ControlHandler<"showReceived"> = ({ params }, { store, idSeed }) => {
  const row = store.messageFeed.one(seqOf("M4V", params.messageId, idSeed));
  if (row !== undefined) return received(row, idSeed);
  throw notFound(`No phone has received the message '${params.messageId}'.`);
};

/** How many messages of a phone are searched. */
const maxSearched = 1000;

export const findReceived: ControlHandler<"findReceived"> = (
  { query: { to, match } },
  { store, idSeed },
) => {
  const pattern = new RegExp(match ?? "", "u");
  const rows = store.messageFeed.received({ to: digitsOf(to), limit: maxSearched });
  const row = rows.find((it) => pattern.test(it.text));
  return { message: row === undefined ? null : received(row, idSeed) };
};
