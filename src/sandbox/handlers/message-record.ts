/** A stored message as lists and sending calls answer it. */
import * as v from "valibot";
import {
  listedTypes,
  type SendResult,
  type StoredMessage,
} from "../../contract/message-records.ts";
import { statusMeaning } from "../../message/status.ts";
import { timeOf } from "../clock.ts";
import type { StoredMessages } from "../rules/dispatch.ts";
import type { Service } from "../service.ts";
import { idOf } from "../store/ids.ts";
import type { MessageColumn, MessageRow, NewMessage } from "../store/messages.ts";
import type { Filter } from "../store/rows.ts";
import { datesOf, numberedPage, type PageInput, timeOrNull } from "./records.ts";

export const messageRecord = (row: MessageRow, idSeed: number): StoredMessage => {
  const messageId = idOf("message", row, idSeed);
  const { statusCode, processed, reported } = row;
  const isDelivered = statusCode === "4000";
  const queue = row.type.toLowerCase();
  return {
    messageId,
    _id: messageId,
    groupId: idOf("group", { seq: row.groupSeq, created: row.groupCreated }, idSeed),
    accountId: row.accountId,
    to: row.recipient,
    from: row.sender,
    text: row.text,
    country: row.country,
    // An unlisted type, and fields that are not texts, belong to a refused message.
    type: listedTypes.includes(row.type) ? row.type : null,
    ...optionMembers(row.options === null ? {} : JSON.parse(row.options)),
    status: statusNames[statusCode] ?? "FAILED",
    statusCode,
    reason: statusMeaning(statusCode),
    networkCode: isDelivered ? "10001" : null,
    networkName: isDelivered ? "SKT" : "ETC",
    replacement: row.replacement === 1,
    unavailableSenderNumber: false,
    resendCount: row.resendCount,
    faxPageCount: 0,
    voiceReplied: 0,
    voiceDuration: 0,
    queues: processed === null ? [] : [{ name: queue, statusCode }],
    currentQueue: statusCode === "3000" ? queue : null,
    dateProcessed: timeOrNull(processed),
    dateReported: timeOrNull(reported),
    dateReceived: isDelivered ? timeOrNull(reported) : null,
    ...datesOf(row),
    log: [{ createAt: timeOf(row.created), message: "message created" }],
  };
};

/** A page of the caller's messages, or those of one group, as the lists answer it, an object by id. */
export const messagePage = (
  query: PageInput,
  filters: readonly Filter<MessageColumn>[],
  service: Service,
  groupSeq?: number,
) => {
  const { store, assume, idSeed } = service;
  const { rows, keys } = numberedPage(query, service, filters, {
    kind: "message",
    list: store.messages.list,
    read: (seq) => {
      const row = store.messages.read(seq);
      return groupSeq === undefined || row?.groupSeq === groupSeq ? row : undefined;
    },
  });
  assume("next-key");
  assume("list-order");
  const records = rows.map((row) => messageRecord(row, idSeed));
  const messageList = Object.fromEntries(records.map((it) => [it.messageId, it]));
  return { ...keys, messageList };
};

/** The states of codes that are no failure. */
const statusNames: Readonly<Record<string, string>> = {
  "2000": "PENDING",
  "3000": "SENDING",
  "4000": "COMPLETE",
};

/** Every option object is present, whether the message had it or not. */
const optionMembers = (given: Partial<StoredMessage>) => ({
  subject: given.subject ?? null,
  imageId: given.imageId ?? null,
  kakaoOptions: { ...kakaoDefaults, ...given.kakaoOptions },
  naverOptions: { ...naverDefaults, ...given.naverOptions },
  rcsOptions: { ...rcsDefaults, ...given.rcsOptions },
  customFields: Object.fromEntries(
    Object.entries(given.customFields ?? {}).filter(([, value]) => typeof value === "string"),
  ),
  replacements: given.replacements ?? [],
  autoTypeDetect: given.autoTypeDetect ?? true,
});

const kakaoDefaults = {
  senderKey: null,
  templateCode: null,
  buttonName: null,
  buttonUrl: null,
  pfId: null,
  templateId: null,
  imageId: null,
  disableSms: false,
  title: null,
  adFlag: false,
  buttons: [],
};

const naverDefaults = { talkId: null, templateId: null, disableSms: false, buttons: [] };

const rcsDefaults = {
  brandId: null,
  templateId: null,
  copyAllowed: true,
  commercialType: false,
  mmsType: null,
  disableSms: false,
  additionalBody: [],
  buttons: [],
};

/** The results of the messages of a call, in their order. */
export const resultsOf = (
  { messages, firstSeq, created, group: { accountId } }: StoredMessages,
  idSeed: number,
): SendResult[] =>
  messages.map((message, index) => {
    const { type, country, statusCode } = message;
    const customFields = customFieldsOf(message);
    return {
      messageId: idOf("message", { seq: firstSeq + index, created }, idSeed),
      statusCode,
      statusMessage: statusMeaning(statusCode),
      ...(customFields && { customFields }),
      accountId,
      to: message.recipient,
      from: message.sender,
      type,
      country,
    };
  });

/** Status of one message, without its numbers. */
export const shortResult = (result: SendResult) => {
  const { messageId, statusCode, statusMessage, customFields } = result;
  return { messageId, statusCode, statusMessage, ...(customFields && { customFields }) };
};

const texts = v.record(v.string(), v.string());

/** As they were given; omitted if one of them is not a text (the message is refused: 1032). */
const customFieldsOf = ({ options }: NewMessage): SendResult["customFields"] => {
  const given = options?.customFields;
  return v.is(texts, given) ? given : undefined;
};
