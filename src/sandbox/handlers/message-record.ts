/** A stored message as lists show it. */
import type { StoredMessage } from "../../contract/message-records.ts";
import { isFailure, statusMeaning } from "../../message/status.ts";
import { idOf } from "../store/ids.ts";
import type { MessageRow } from "../store/messages.ts";
import { timeOf } from "./times.ts";

/**
 * The record as JSON. It is put together from texts: what differs from message to message is a fifth of
 * it, and a page would spend most of its time on writing out the rest.
 */
export const messageText = (row: MessageRow, messageId: string, idSeed: number): string => {
  const groupId = idOf("G4V", row.groupSeq, row.groupCreated, idSeed);
  const { statusCode, processed, reported } = row;
  const queue = JSON.stringify(row.type.toLowerCase());
  const created = timeText(row.created);
  return (
    `{"messageId":"${messageId}","_id":"${messageId}","groupId":"${groupId}"` +
    `,"accountId":"${row.accountId}","to":${JSON.stringify(row.recipient)}` +
    `,"from":${JSON.stringify(row.sender)},"text":${JSON.stringify(row.text)}` +
    `,"country":${JSON.stringify(row.country)},"type":${JSON.stringify(row.type)}` +
    optionsText(row.options) +
    statusText(statusCode) +
    `,"replacement":${row.replacement === 1},"unavailableSenderNumber":false` +
    `,"resendCount":${row.resendCount},"faxPageCount":0,"voiceReplied":0,"voiceDuration":0` +
    `,"queues":${processed === null ? "[]" : `[{"name":${queue},"statusCode":"${statusCode}"}]`}` +
    `,"currentQueue":${statusCode === "3000" ? queue : null}` +
    `,"dateProcessed":${timeText(processed)},"dateReported":${timeText(reported)}` +
    `,"dateReceived":${statusCode === "4000" ? timeText(reported) : null}` +
    `,"dateCreated":${created},"dateUpdated":${timeText(row.updated)}` +
    `,"log":[{"createAt":${created},"message":"message created"}]}`
  );
};

/** The same as an object, for those who show some of it. */
export const messageRecord = (row: MessageRow, idSeed: number): StoredMessage =>
  JSON.parse(messageText(row, messageIdOf(row, idSeed), idSeed));

export const messageIdOf = ({ seq, created }: MessageRow, idSeed: number): string =>
  idOf("M4V", seq, created, idSeed);

const timeText = (ms: number | null): string => (ms === null ? "null" : `"${timeOf(ms)}"`);

/** What of a record follows from its status code, once made for each. */
const statusTexts = new Map<string, string>();

const statusText = (statusCode: string): string => {
  const known = statusTexts.get(statusCode);
  if (known !== undefined) return known;
  const isDelivered = statusCode === "4000";
  const text = membersText({
    status: statusOf(statusCode),
    statusCode,
    reason: statusMeaning(statusCode),
    networkCode: isDelivered ? "10001" : null,
    networkName: isDelivered ? "SKT" : "ETC",
  });
  statusTexts.set(statusCode, text);
  return text;
};

/** Members that follow others. */
const membersText = (members: Partial<StoredMessage>): string =>
  `,${JSON.stringify(members).slice(1, -1)}`;

const words: Readonly<Record<string, string>> = {
  "2000": "PENDING",
  "3000": "SENDING",
  "4000": "COMPLETE",
};

/** The word of a status code. */
const statusOf = (code: string): string => (isFailure(code) ? "FAILED" : (words[code] ?? "FAILED"));

type OptionMembers = Pick<
  StoredMessage,
  | "subject"
  | "imageId"
  | "kakaoOptions"
  | "naverOptions"
  | "rcsOptions"
  | "customFields"
  | "replacements"
  | "autoTypeDetect"
>;

/** Every option object is there, whether the message had it or not. */
const optionsText = (options: string | null): string => {
  if (options === null) return noOptions;
  const given: Partial<OptionMembers> = JSON.parse(options);
  return membersText(optionMembers(given));
};

const optionMembers = (given: Partial<OptionMembers>): OptionMembers => ({
  subject: given.subject ?? null,
  imageId: given.imageId ?? null,
  kakaoOptions: { ...kakaoDefaults, ...given.kakaoOptions },
  naverOptions: { ...naverDefaults, ...given.naverOptions },
  rcsOptions: { ...rcsDefaults, ...given.rcsOptions },
  customFields: given.customFields ?? {},
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

const noOptions = membersText(optionMembers({}));
