/** What a message costs. */
import type { TypeKey } from "../../contract/message-records.ts";
import type { Store } from "../store/store.ts";

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
  const known = new Map<string, Readonly<Partial<Record<TypeKey, number>>>>();
  return (type, countryId) => {
    const units = known.get(countryId) ?? unitsIn(store, countryId);
    known.set(countryId, units);
    return units[type];
  };
};

const unitsIn = (store: Store, countryId: string): Readonly<Partial<Record<TypeKey, number>>> => {
  const price = store.sendersAndPrices.price(countryId);
  return price === undefined ? {} : { ...unpublished, ...price.units };
};
