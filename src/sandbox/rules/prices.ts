/** What a message costs. */
import type { TypeKey } from "../../contract/message-records.ts";
import type { SendersAndPrices } from "../store/senders-and-prices.ts";

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
export const unitPrices = (books: SendersAndPrices): UnitPrice => {
  const known = new Map<string, Readonly<Partial<Record<TypeKey, number>>>>();
  return (type, countryId) => {
    const units = known.get(countryId) ?? { ...unpublishedIn(books, countryId) };
    known.set(countryId, units);
    return units[type];
  };
};

const unpublishedIn = (
  books: SendersAndPrices,
  countryId: string,
): Readonly<Partial<Record<TypeKey, number>>> => {
  const price = books.price(countryId);
  return price === undefined ? {} : { ...unpublished, ...price.units };
};
