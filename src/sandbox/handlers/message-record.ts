/** A stored message as lists show it (facts/messages 2.9). */
import type { StoredMessage } from "../../contract/message-records.ts";
import { isFailure, statusMeaning } from "../../message/status.ts";
import { idOf } from "../store/ids.ts";
import type { MessageRow } from "../store/messages.ts";
import { timeOf, timeOrNull } from "./times.ts";

export const messageRecord = (row: MessageRow, idSeed: number): StoredMessage => {
  const messageId = idOf("M4V", row.seq, row.created, idSeed);
  const { statusCode, processed, reported } = row;
  const isDelivered = statusCode === "4000";
  const queue = row.type.toLowerCase();
  return {
    messageId,
    _id: messageId,
    groupId: idOf("G4V", row.groupSeq, row.groupCreated, idSeed),
    accountId: row.accountId,
    to: row.recipient,
    from: row.sender,
    text: row.text,
    country: row.country,
    type: row.type,
    ...optionMembers(row),
    status: statusOf(statusCode),
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
    dateCreated: timeOf(row.created),
    dateUpdated: timeOf(row.updated),
    log: [{ createAt: timeOf(row.created), message: "message created" }],
  };
};

const words: Readonly<Record<string, string>> = {
  "2000": "PENDING",
  "3000": "SENDING",
  "4000": "COMPLETE",
};

/** The word of a status code (facts/messages 2.10). */
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
const optionMembers = ({ options }: MessageRow): OptionMembers => {
  if (options === null) return noOptions;
  const given: Partial<OptionMembers> = JSON.parse(options);
  return {
    subject: given.subject ?? null,
    imageId: given.imageId ?? null,
    kakaoOptions: { ...kakaoDefaults, ...given.kakaoOptions },
    naverOptions: { ...naverDefaults, ...given.naverOptions },
    rcsOptions: { ...rcsDefaults, ...given.rcsOptions },
    customFields: given.customFields ?? {},
    replacements: given.replacements ?? [],
    autoTypeDetect: given.autoTypeDetect ?? true,
  };
};

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

const noOptions: OptionMembers = {
  subject: null,
  imageId: null,
  kakaoOptions: kakaoDefaults,
  naverOptions: naverDefaults,
  rcsOptions: rcsDefaults,
  customFields: {},
  replacements: [],
  autoTypeDetect: true,
};
