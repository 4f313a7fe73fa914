/** The records of the message area: sent messages, stored messages, and groups. */
import * as v from "valibot";
import {
  choice,
  date,
  dated,
  flag,
  id,
  json,
  list,
  noList,
  pairs,
  phone,
  text,
  timestamp,
} from "./fields.ts";

/** Message types that are charged. */
export const messageTypes = [
  "SMS",
  "LMS",
  "MMS",
  "ATA",
  "CTA",
  "CTI",
  "NSA",
  "RCS_SMS",
  "RCS_LMS",
  "RCS_MMS",
  "RCS_TPL",
] as const;
export type MessageType = (typeof messageTypes)[number];

/** Types in lists: those, and the ones that are charged under no key. */
export const listedTypes: readonly string[] = [
  ...messageTypes,
  "RCS_ITPL",
  "RCS_LTPL",
  "FAX",
  "VOICE",
  "BMS_TEXT",
  "BMS_IMAGE",
  "BMS_WIDE",
  "BMS_WIDE_ITEM_LIST",
  "BMS_CAROUSEL_FEED",
  "BMS_PREMIUM_VIDEO",
  "BMS_COMMERCE",
  "BMS_CAROUSEL_COMMERCE",
  "BMS_FREE",
];

/** The same types as the keys of counts and prices. */
export type TypeKey = Lowercase<MessageType>;
export const typeKey = (type: MessageType): TypeKey => type.toLowerCase() as TypeKey;
export const typeKeys = messageTypes.map(typeKey);

export const buttonLinks = {
  linkMo: v.nullish(text("mobile address, for WL")),
  linkPc: v.nullish(text("PC address, for WL")),
  linkAnd: v.nullish(text("Android address, for AL")),
  linkIos: v.nullish(text("iOS address, for AL")),
};

const messageButton = v.object({
  buttonName: text("label of the button, up to 14 characters"),
  buttonType: text("AL app link, WL web link, DS delivery tracking, BK keyword, MD forward"),
  ...buttonLinks,
});

export const kakaoOptions = noList(
  v.looseObject({
    pfId: v.nullish(id("linked channel")),
    templateId: v.nullish(id("approved template, for Alimtalk")),
    variables: v.nullish(pairs('values of the template\'s variables: {"#{name}":"value"}')),
    disableSms: v.nullish(flag("send no SMS or LMS when Kakao delivery fails")),
    imageId: v.nullish(id("picture of type KAKAO, for Friendtalk")),
    title: v.nullish(text("highlighted title of an Alimtalk")),
    adFlag: v.nullish(flag("marks a Friendtalk as advertising")),
    buttons: v.nullish(list(messageButton, "at most five buttons")),
  }),
);

/**
 * A message to send. The service accepts a call with a message without `to`, `from` or `text`, and
 * refuses only that message, with code 1010, so they are optional here.
 */
export const messageInput = noList(
  v.object({
    to: v.optional(
      v.union([phone("recipient number"), list(phone("recipient number"), "several recipients")]),
    ),
    from: v.optional(phone("sender number, registered beforehand")),
    text: v.optional(text("text: up to 1,000 Korean or 2,000 Latin characters")),
    type: v.optional(text("message type; default: detected")),
    country: v.optional(text("country code; default: 82")),
    subject: v.optional(text("title of an LMS or MMS: up to 20 Korean or 40 Latin characters")),
    imageId: v.optional(id("picture of an MMS, uploaded beforehand")),
    kakaoOptions: v.optional(kakaoOptions),
    naverOptions: v.optional(json("options of a Naver message")),
    rcsOptions: v.optional(json("options of an RCS message")),
    voiceOptions: v.optional(
      json("options of a spoken call, a type that is not charged: code 1025"),
    ),
    faxOptions: v.optional(json("options of a fax, a type that is not charged: code 1025")),
    customFields: v.optional(json("your own data: keys up to 30, values up to 100 characters")),
    autoTypeDetect: v.optional(flag("detect the type from the content; default: true")),
    replacements: v.optional(v.array(noList(v.record(v.string(), v.unknown())))),
    replacementText: v.optional(text("text of the SMS or LMS sent when Kakao delivery fails")),
  }),
);

export const agent = noList(
  v.object({
    appId: v.nullish(id("app of the app store; its id: msg app profits, or the service's console")),
    osPlatform: v.nullish(text("system that the call comes from")),
    sdkVersion: v.nullish(text("program that the call comes from")),
  }),
);

/** One recipient's answer: POST send, refused and added messages. */
export const sendResult = v.object({
  groupId: v.optional(v.string()),
  messageId: v.string(),
  accountId: v.string(),
  statusMessage: v.string(),
  statusCode: v.string(),
  to: v.string(),
  from: v.string(),
  type: v.string(),
  country: v.string(),
  customFields: v.optional(v.record(v.string(), v.string())),
});

/** One member for each type that is charged. */
export const perType = <S extends v.GenericSchema>(schema: S) =>
  v.object(v.entriesFromList(typeKeys, schema));

const wallet = v.object(
  v.entriesFromList(["requested", "replacement", "refund", "sum"], v.number()),
);

const groupCount = v.object({
  total: v.number(),
  sentTotal: v.number(),
  sentFailed: v.number(),
  sentSuccess: v.number(),
  sentPending: v.number(),
  sentReplacement: v.number(),
  refund: v.number(),
  registeredFailed: v.number(),
  registeredSuccess: v.number(),
});

export const groupStatuses = [
  "PENDING",
  "SCHEDULED",
  "SENDING",
  "COMPLETE",
  "FAILED",
  "DELETED",
] as const;

export const group = v.object({
  groupId: v.string(),
  _id: v.string(),
  accountId: v.string(),
  apiVersion: v.string(),
  status: v.picklist(groupStatuses),
  ...dated,
  dateSent: v.nullable(timestamp()),
  dateCompleted: v.nullable(timestamp()),
  /** Only if one is set; list rows always have it. */
  scheduledDate: v.nullish(timestamp()),
  isRefunded: v.boolean(),
  flagUpdated: v.boolean(),
  prepaid: v.boolean(),
  strict: v.boolean(),
  allowDuplicates: v.boolean(),
  masterAccountId: v.nullable(v.string()),
  sdkVersion: v.nullable(v.string()),
  osPlatform: v.nullable(v.string()),
  hint: v.nullable(v.string()),
  serviceMethod: v.string(),
  customFields: v.record(v.string(), v.unknown()),
  count: groupCount,
  countForCharge: perType(v.record(v.string(), v.number())),
  balance: wallet,
  point: wallet,
  app: v.object({
    profit: perType(v.number()),
    appId: v.nullable(v.string()),
    version: v.nullable(v.string()),
  }),
  log: v.array(v.looseObject({ createAt: timestamp(), message: v.string() })),
  /** Unit prices by country; send-many answers an array for each. */
  price: v.record(v.string(), v.union([v.array(v.unknown()), v.record(v.string(), v.number())])),
});

/** A stored message, as the lists answer it. */
export const storedMessage = v.object({
  messageId: v.string(),
  _id: v.string(),
  groupId: v.string(),
  accountId: v.string(),
  to: v.string(),
  from: v.string(),
  text: v.string(),
  country: v.string(),
  type: v.nullable(v.string()),
  subject: v.nullable(v.string()),
  imageId: v.nullable(v.string()),
  kakaoOptions: v.record(v.string(), v.unknown()),
  naverOptions: v.record(v.string(), v.unknown()),
  rcsOptions: v.record(v.string(), v.unknown()),
  customFields: v.record(v.string(), v.unknown()),
  replacements: v.array(v.unknown()),
  autoTypeDetect: v.boolean(),
  status: v.string(),
  statusCode: v.string(),
  reason: v.nullable(v.string()),
  networkCode: v.nullable(v.string()),
  networkName: v.string(),
  replacement: v.boolean(),
  unavailableSenderNumber: v.boolean(),
  resendCount: v.number(),
  faxPageCount: v.number(),
  voiceReplied: v.number(),
  voiceDuration: v.number(),
  queues: v.array(v.object({ name: v.string(), statusCode: v.string() })),
  currentQueue: v.nullable(v.string()),
  dateProcessed: v.nullable(timestamp()),
  dateReported: v.nullable(timestamp()),
  dateReceived: v.nullable(timestamp()),
  ...dated,
  log: v.array(v.object({ createAt: timestamp(), message: v.string() })),
});

export type MessageInput = v.InferInput<typeof messageInput>;
export type SendResult = v.InferOutput<typeof sendResult>;
export type Group = v.InferOutput<typeof group>;
export type StoredMessage = v.InferOutput<typeof storedMessage>;

/** How far ahead a sending can be scheduled. */
export const maxMonthsAhead = 6;

/** How messages and groups are filtered by members of their records. */
export const comparisons = {
  cond: text("one comparison for each member: eq, ne, gt, gte, lt, lte"),
  value: text("one value for each member"),
};

/** How messages and groups are filtered by time. */
export const period = {
  dateType: choice(["CREATED", "UPDATED"], "which date the range applies to"),
  startDate: date("created (or updated) on or after", "from"),
  endDate: date("created (or updated) on or before", "until"),
};
