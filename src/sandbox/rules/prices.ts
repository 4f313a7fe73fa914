/** What a message costs. */
import type { TypeKey } from "../../contract/message-records.ts";
import type { Store } from "../store/store.ts";
import { once } from "./alimtalk.ts";

/** Charged without a published figure: in no answer about prices. */
const unpublished: Readonly<Partial<Record<TypeKey, number>>> = {
  nsa: 15,
  rcs_sms: 17,
  rcs_lms: 35,
  rcs_mms: 80,
  rcs_tpl: 17,
};

/** Won for one message, or undefined where the country has no prices: no route leads there. */
export type UnitPrice = (type: TypeKey, countryId: string) => number | undefined;

/** Looks each country up once. */
export const unitPrices = (store: Store): UnitPrice => {
  const units = once((countryId): Readonly<Partial<Record<TypeKey, number>>> => {
    const price = store.sendersAndPrices.price(countryId);
    return price === undefined ? {} : { ...unpublished, ...price.units };
  });
  return (type, countryId) => units(countryId)[type];
};
