/** Sending in one call, and reading what was sent. */
import type { Input } from "../../contract/endpoint.ts";
import type * as Declared from "../../contract/messages.ts";
import { statusMeaning } from "../../message/status.ts";
import { instantOf } from "../checks/dates.ts";
import { type Dispatched, dispatch } from "../rules/dispatch.ts";
import { tooFarAhead } from "../rules/groups.ts";
import { notEnoughBalance } from "../rules/sending.ts";
import { type Handler, keeping, Refusal, type Service, validationError } from "../service.ts";
import { idOf } from "../store/ids.ts";
import { groupRecord } from "./groups.ts";
import { messageFilters } from "./message-filters.ts";
import { messagePage, messageRecord, resultsOf, shortResult } from "./message-record.ts";
import { checkSheetRows, isOtherAccount, spreadsheet } from "./records.ts";

export const sendMessage: Handler<"sendMessage"> = ({ body }, service) => {
  const { message, strict, allowDuplicates, agent } = body;
  if (Array.isArray(message.to)) throw validationError("'message.to' must be one number.");
  const sent = dispatch(service, { messages: [message], strict, allowDuplicates, agent });
  rejectUnpaid(sent, service);
  const [result] = resultsOf(sent, service.idSeed);
  if (result === undefined) throw new Error("A message was not stored.");
  if (sent.stop !== undefined) {
    service.assume("single-refusal");
    const why =
      sent.stop === "quota" ? "daily send quota exceeded" : statusMeaning(result.statusCode);
    throw keeping(new Refusal(400, "FailedToAddMessage", `${result.statusCode}, ${why}`));
  }
  return { ...result, groupId: idOf("group", sent.group, service.idSeed) };
};

export const sendMany: Handler<"sendMany"> = ({ body }, service) => {
  const sent = dispatch(service, body);
  assumeGroup(sent, service);
  const record = groupRecord(sent.group, service.store);
  return { ...record, price: Object.fromEntries(Object.keys(record.price).map((it) => [it, []])) };
};

export const sendManyDetail: Handler<"sendManyDetail"> = ({ body }, service) => {
  const sent = dispatch(service, { ...body, scheduled: scheduledOf(body, service) });
  assumeGroup(sent, service);
  const results = resultsOf(sent, service.idSeed);
  return {
    groupInfo: groupRecord(sent.group, service.store),
    failedMessageList: results.filter(({ statusCode }) => statusCode !== "2000"),
    ...(body.showMessageList && { messageList: results.map(shortResult) }),
  };
};

/** 402, with the group kept as FAILED. */
const rejectUnpaid = ({ stop }: Dispatched, { assume }: Service): void => {
  if (stop !== "balance") return;
  assume("no-balance");
  throw keeping(notEnoughBalance());
};

const assumeGroup = (sent: Dispatched, service: Service): void => {
  rejectUnpaid(sent, service);
  service.assume("group-price");
  if (sent.stop === "quota") service.assume("quota-refusal");
  if (sent.stop === "registration") service.assume("all-refused");
};

const scheduledOf = (
  { scheduledDate }: Input<typeof Declared.sendManyDetail>["body"],
  { now }: Service,
): number | undefined => {
  if (scheduledDate === undefined) return undefined;
  const scheduled = instantOf("scheduledDate", scheduledDate);
  const refusal = tooFarAhead(scheduled, now);
  if (refusal !== undefined) throw refusal;
  return scheduled;
};

export const listMessages: Handler<"listMessages"> = ({ query = {} }, service) =>
  messagePage(query, messageFilters(query, service), service);

export const listMessagesOld = listMessages;

/** Rows of a spreadsheet: by default, and at most. */
const sheetRows = { default: 10_000, max: 50_000 };

const sheetMembers = [
  "messageId",
  "groupId",
  "type",
  "from",
  "to",
  "country",
  "statusCode",
  "status",
  "reason",
  "networkName",
  "text",
  "dateCreated",
  "dateReported",
] as const;

export const exportMessages: Handler<"exportMessages"> = ({ query = {} }, service) => {
  const { store, caller, assume, idSeed } = service;
  const { limit: wanted = sheetRows.default, subAccountId } = query;
  checkSheetRows(wanted, sheetRows.max);
  const limit = isOtherAccount(subAccountId, caller) ? 0 : wanted;
  const { accountId } = caller;
  const filters = messageFilters(query, service);
  assume("sheet-columns");
  assume("sheet-rows");
  const rows = store.messages.list({ accountId, filters, limit }).map((row) => {
    const record = messageRecord(row, idSeed);
    return sheetMembers.map((member) => record[member]);
  });
  return spreadsheet(sheetMembers, rows);
};
