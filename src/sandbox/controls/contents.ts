/** Shows what the sandbox holds: request log, accounts, codes, files, and what the phones received. */
import { declared, defaultRows } from "../../contract/endpoint.ts";
import { controls } from "../../contract/sandbox.ts";
import { codeLifetimeMs } from "../checks/second-factor.ts";
import { timeOf } from "../clock.ts";
import { linkTokenLifetimeMs } from "../handlers/kakao-channels.ts";
import { messageRecord } from "../handlers/message-record.ts";
import { pageOf } from "../handlers/records.ts";
import { withoutHyphens } from "../rules/recipients.ts";
import { notFound, type Service } from "../service.ts";
import { codeOf, idOf, seqOf } from "../store/ids.ts";
import type { TokenRow } from "../store/kakao.ts";
import type { MessageRow } from "../store/messages.ts";
import type { SecondFactorRow } from "../store/second-factors.ts";
import type { ControlHandler } from "./admin-context.ts";

export const listRequests: ControlHandler<"listRequests"> = ({ query }, { store }) => {
  const { startKey, limit = defaultRows } = query ?? {};
  const from = startKey === undefined ? undefined : Number(startKey);
  const found = store.requests.list({ from, limit: limit + 1 });
  const { rows, keys } = pageOf(found, limit, (row) => row.requestId);
  return { requests: rows, nextKey: keys.nextKey };
};

export const listAccounts: ControlHandler<"listAccounts"> = (_input, { store }) =>
  declared(controls.listAccounts.reply, {
    accounts: store.callers.accounts(),
    keys: store.callers.keys(),
    oauthClients: store.oauth.clients.all(),
    senders: store.senders.all(),
    channels: store.channels.all(),
    templates: store.templates.all().map((row) => ({
      ...row,
      status: row.codes.map(({ service, status }) => `${service} ${status}`).join(", "),
    })),
    apps: store.apps.all(),
  });

/** The newest codes of every part of the service that sends codes, newest first. */
export const sentCodes = (
  { store, now, idSeed }: Pick<Service, "store" | "now" | "idSeed">,
  max: number,
) => {
  const codes = [
    ...store.secondFactors.newest(max).map((row) => secondFactorCode(row, now, idSeed)),
    ...store.channels.tokens(max).map((row) => linkCode(row, now, idSeed)),
  ];
  return codes.sort((one, other) => other.created - one.created).slice(0, max);
};

const secondFactorCode = (row: SecondFactorRow, now: number, idSeed: number) => {
  const { seq, authType, destination, operation, status, attemptsLeft, created } = row;
  const expires = created + codeLifetimeMs;
  const ended = { USED: "used", LOCKED: "locked", SUPERSEDED: "superseded" } as const;
  const open = now < expires ? "open" : "expired";
  return {
    id: `factor-${seq}`,
    kind: authType,
    code: codeOf("code", seq, idSeed),
    destination,
    purpose: operation,
    transactionId: idOf("secondFactor", row, idSeed),
    state: status === "PENDING" ? open : ended[status],
    attemptsLeft,
    created,
    expires,
  } as const;
};

const linkCode = (row: TokenRow, now: number, idSeed: number) => {
  const { seq, phoneNumber, searchId, used, created } = row;
  const expires = created + linkTokenLifetimeMs;
  const open = now <= expires ? "open" : "expired";
  return {
    id: `token-${seq}`,
    kind: "LINK",
    code: codeOf("token", seq, idSeed),
    destination: phoneNumber,
    purpose: `@${searchId}`,
    transactionId: null,
    state: used === 1 ? "used" : open,
    attemptsLeft: undefined,
    created,
    expires,
  } as const;
};

export const listCodes: ControlHandler<"listCodes"> = ({ query }, context) => {
  const { offset = 0, limit = defaultRows } = query ?? {};
  const codes = sentCodes(context, offset + limit).slice(offset);
  const dated = codes.map((it) => ({ ...it, dateSent: timeOf(it.created) }));
  return declared(controls.listCodes.reply, dated);
};

/** Needs no credentials: anyone who knows the address may see the picture, as phones do. */
export const readFileBody: ControlHandler<"readFileBody"> = ({ params }, { store }) => {
  const { accountId, fileId } = params;
  const bytes = store.files.body(accountId, fileId);
  if (bytes !== undefined) return bytes;
  throw notFound(`There is no file '${fileId}'.`);
};

export const listInbox: ControlHandler<"listInbox"> = ({ query }, { store, idSeed }) => {
  const { to, startKey, limit = defaultRows } = query ?? {};
  const from = startKey === undefined ? undefined : seqOf("message", startKey, idSeed);
  const phone = to === undefined ? undefined : withoutHyphens(to);
  const found = store.messageFeed.received({ to: phone, from, limit: limit + 1 });
  const { rows, keys } = pageOf(found, limit, (row) => idOf("message", row, idSeed));
  return { messages: rows.map((row) => received(row, idSeed)), nextKey: keys.nextKey };
};

/** Of a message's members, those that the contract declares. */
const received = (row: MessageRow, idSeed: number) => {
  const record = messageRecord(row, idSeed);
  const dateReceived = record.dateReceived ?? record.dateUpdated;
  return declared(controls.showReceived.reply, { ...record, dateReceived });
};

export const showReceived: ControlHandler<"showReceived"> = ({ params }, { store, idSeed }) => {
  const row = store.messageFeed.readReceived(seqOf("message", params.messageId, idSeed));
  if (row !== undefined) return received(row, idSeed);
  throw notFound(`No phone has received the message '${params.messageId}'.`);
};

/** The most messages of a phone that are searched. */
const maxSearched = 1000;

export const findReceived: ControlHandler<"findReceived"> = ({ query }, { store, idSeed }) => {
  const { to, match } = query;
  const pattern = new RegExp(match ?? "", "u");
  const rows = store.messageFeed.received({ to: withoutHyphens(to), limit: maxSearched });
  const row = rows.find((it) => pattern.test(it.text));
  return { message: row === undefined ? null : received(row, idSeed) };
};
