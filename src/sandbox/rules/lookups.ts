/** What registration looks up about an account, each record once for all messages of a call. */
import type { TypeKey } from "../../contract/message-records.ts";
import type { TemplateParts } from "../../message/kakao-template.ts";
import type { BlockRow } from "../store/phone-numbers.ts";
import type { PriceRow } from "../store/prices.ts";
import type { Store } from "../store/store.ts";
import { hasState } from "./templates.ts";

/** What only the service knows about an account, and about a group that has accepted some recipients. */
export type AccountLookups = ReturnType<typeof accountLookups>;

/** `accepted` are recipients of the group (`recipientKey`); it grows. Undefined allows duplicates. */
export const accountLookups = (
  store: Store,
  accountId: string,
  accepted: Set<string> | undefined,
) => {
  const template = memoize((templateId) => {
    const row = store.templates.read(templateId);
    return row?.accountId === accountId && hasState(row, "APPROVED") ? row : undefined;
  });
  return {
    isSender: memoize((phoneNumber) => store.senders.has(accountId, phoneNumber)),
    isChannel: memoize((pfId) => store.channels.read(pfId)?.accountId === accountId),
    /** The approved template of a channel; undefined for any other. */
    approvedTemplate: (pfId: string, templateId: string): TemplateParts | undefined => {
      const row = template(templateId);
      return row?.pfId === pfId ? row : undefined;
    },
    /** A stored picture for MMS. */
    isImage: (id: string): boolean => store.files.has(accountId, id, "MMS"),
    /** A picture registered for friend-talk. */
    isKakaoImage: (id: string): boolean => store.files.has(accountId, id, "KAKAO"),
    unitPrice: unitPrices(store),
    /** The code that refuses a blocked recipient of a sender. */
    blockCode: blockCodes(store.blocks.list(accountId)),
    accepted,
  };
};

/** 1060 for a recipient that the account blocked, 1061 for one that opted out. */
const blockCodes = (blocks: readonly BlockRow[]) => {
  const codes = new Map(
    blocks.map((it) => [`${it.recipient} ${it.sender}`, it.optedOut === 1 ? "1061" : "1060"]),
  );
  return (recipient: string, sender: string): string | undefined =>
    codes.get(`${recipient} `) ?? codes.get(`${recipient} ${sender}`);
};

/** Charged without a published price: in no answer about prices. */
const unpublished: Readonly<Record<Exclude<TypeKey, keyof PriceRow["units"]>, number>> = {
  nsa: 15,
  rcs_sms: 17,
  rcs_lms: 35,
  rcs_mms: 80,
  rcs_tpl: 17,
};

/** Won for one message, or undefined if the country has no prices: there is no route. */
type UnitPrice = (type: TypeKey, countryId: string) => number | undefined;

export const unitPrices = (store: Store): UnitPrice => {
  const units = memoize((countryId): Readonly<Partial<Record<TypeKey, number>>> => {
    const price = store.prices.read(countryId);
    return price === undefined ? {} : { ...unpublished, ...price.units };
  });
  return (type, countryId) => units(countryId)[type];
};

/** `read`, asked once for each key: the messages of a call name the same few records. */
export const memoize = <T>(read: (key: string) => T): ((key: string) => T) => {
  const known = new Map<string, { readonly value: T }>();
  return (key) => {
    const found = known.get(key) ?? { value: read(key) };
    known.set(key, found);
    return found.value;
  };
};
