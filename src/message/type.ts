/** Which type a message is sent as, and what each type may hold. */
import { type MessageInput, type MessageType, messageTypes } from "../contract/message-records.ts";
import { asRecord, asText, memberOf } from "../json/read-json.ts";

/** What a body of a type may measure. `unit` says what `max` counts. */
interface TypeLimit {
  readonly max: number;
  readonly unit: "bytes" | "characters";
}

/** Bytes of an SMS; longer texts become LMS. */
export const maxSmsBytes = 90;
/** Bytes of the subject of an LMS or MMS. */
export const maxSubjectBytes = 40;

const long: TypeLimit = { max: 2000, unit: "bytes" };

/**
 * The largest body of each type. Naver and RCS have no published figure of their own: the limit of
 * every text applies. Characters are UTF-16 units.
 */
export const typeLimits: Readonly<Record<MessageType, TypeLimit>> = {
  SMS: { max: maxSmsBytes, unit: "bytes" },
  LMS: long,
  MMS: long,
  ATA: { max: 1000, unit: "characters" },
  CTA: { max: 1000, unit: "characters" },
  CTI: { max: 400, unit: "characters" },
  NSA: long,
  RCS_SMS: long,
  RCS_LMS: long,
  RCS_MMS: long,
  RCS_TPL: long,
};

const known: ReadonlySet<string> = new Set(messageTypes);

/** True for the types that are charged; anything else fails with 1025. Upper case only. */
export const isMessageType = (type: string): type is MessageType => known.has(type);

export const isKakaoType = (type: string): boolean => /^(ATA|CTA|CTI)$/.test(type);

/**
 * Whether the service may replace this message, planned or stored, if it fails: it has replacements, or it is not
 * plain text, and does not rule it out.
 */
export const mayBeReplaced = (message: object): boolean => {
  if (replacementsOf(message).length > 0) return true;
  const type = asText(memberOf(message, "type"));
  const isText = type
    ? /^[SLM]MS$/i.test(type)
    : optionMembers.every((it) => memberOf(message, it) === undefined);
  return (
    !isText && optionMembers.every((it) => asRecord(memberOf(message, it)).disableSms !== true)
  );
};

const optionMembers = ["kakaoOptions", "naverOptions", "rcsOptions"] as const;

export const replacementsOf = (message: object): readonly unknown[] => {
  const replacements = memberOf(message, "replacements");
  return Array.isArray(replacements) ? replacements : [];
};

/** The size of a body in the unit of its type's limit. */
export const bodySize = (text: string, limit: TypeLimit): number =>
  limit.unit === "bytes" ? sizeInBytes(text) : text.length;

/**
 * The type of a message in upper case: the one it names, else the one that its content asks for. May
 * name a type that is not charged (`BMS_FREE`, `VOICE`): see `isMessageType`.
 */
export const detectType = (message: MessageInput): string =>
  message.type
    ? message.type.toUpperCase()
    : (typeOfKakao(message.kakaoOptions) ?? typeOfOther(message) ?? typeOfText(message));

const typeOfKakao = (options: MessageInput["kakaoOptions"]): string | undefined => {
  if (options === undefined) return undefined;
  if (options.bms) return "BMS_FREE";
  if (options.templateId || options.templateCode) return "ATA";
  if (!options.pfId && !options.pfGroupId) return undefined;
  return options.imageId ? "CTI" : "CTA";
};

const typeOfOther = (message: MessageInput): string | undefined => {
  if (message.naverOptions) return "NSA";
  if (message.rcsOptions) return typeOfRcs(message, message.rcsOptions);
  if (message.voiceOptions) return "VOICE";
  if (message.faxOptions) return "FAX";
  return undefined;
};

const typeOfRcs = (message: MessageInput, options: Readonly<Record<string, unknown>>): string => {
  if (options.templateId) return "RCS_TPL";
  if (options.mmsType || options.imageId || message.imageId) return "RCS_MMS";
  return sizeInBytes(message.text ?? "") > maxSmsBytes ? "RCS_LMS" : "RCS_SMS";
};

const typeOfText = (message: MessageInput): string => {
  if (message.imageId) return "MMS";
  if (message.subject) return "LMS";
  return sizeInBytes(message.text ?? "") > maxSmsBytes ? "LMS" : "SMS";
};

/**
 * Bytes of `text` in EUC-KR as the size rules count them: 1 for ASCII, 2 for every other UTF-16 unit.
 * Equal to CP949's length for each character that CP949 has.
 */
export const sizeInBytes = (text: string): number => {
  let size = text.length;
  for (let at = 0; at < text.length; at += 1) {
    if (text.charCodeAt(at) > lastAscii) size += 1;
  }
  return size;
};

const lastAscii = 0x7f;
