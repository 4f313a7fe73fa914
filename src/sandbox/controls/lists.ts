/** Shows what the sandbox holds: phones, request log, accounts. */
import type { Input, Reply } from "../../contract/endpoint.ts";
import type { Controls } from "../../contract/sandbox.ts";
import { messageRecord } from "../handlers/message-record.ts";
import { seqOf } from "../store/ids.ts";
import type { MessageRow } from "../store/messages.ts";
import type { Bench } from "./bench.ts";

type Received = Reply<Controls["listInbox"]>["messages"][number];

/** Rows of a page where the caller does not say. */
const usualRows = 20;

export const listInbox = (
  { query }: Input<Controls["listInbox"]>,
  { store }: Bench,
): Reply<Controls["listInbox"]> => {
  const { to, startKey, limit = usualRows } = query ?? {};
  const seed = store.settings.get("idSeed");
  const from = startKey === undefined ? undefined : seqOf("M4V", startKey, seed);
  if (startKey !== undefined && from === undefined) return { messages: [], nextKey: null };
  const rows = store.phones.received({ to, from, limit: limit + 1 });
  const [next] = rows.slice(limit);
  return {
    messages: rows.slice(0, limit).map((row) => received(row, seed)),
    nextKey: next === undefined ? null : messageRecord(next, seed).messageId,
  };
};

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

export const listRequests = (
  { query }: Input<Controls["listRequests"]>,
  { store }: Bench,
): Reply<Controls["listRequests"]> => {
  const { startKey, limit = usualRows } = query ?? {};
  const rows = store.requests.list({ from: startKey, limit: limit + 1 });
  return { requests: rows.slice(0, limit), nextKey: rows[limit]?.requestId ?? null };
};

export const listAccounts = (
  _input: unknown,
  { store }: Bench,
): Reply<Controls["listAccounts"]> => ({
  accounts: store.callers.accounts(),
  keys: store.callers.keys(),
  oauthClients: store.oauth.clients(),
  senders: store.callers.senders(),
  channels: store.channels.all().map(({ accountId, pfId, searchId, phoneNumber }) => ({
    accountId,
    pfId,
    searchId,
    phoneNumber,
  })),
  templates: store.templates.all().map(({ accountId, templateId, pfId, name, codes }) => ({
    accountId,
    templateId,
    pfId,
    name,
    status: codes.map(({ service, status }) => `${service} ${status}`).join(", "),
  })),
  apps: [],
});
