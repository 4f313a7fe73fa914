/** Prices (facts/messages 7). */
import type { getPrice as GetPrice } from "../../contract/pricing.ts";
import { type Handler, Refusal } from "../service.ts";
import type { PriceRow } from "../store/books.ts";
import { timeOf } from "./times.ts";

/** Korea (facts/messages 7.1). */
const usualCountry = "82";

export const getPrice: Handler<typeof GetPrice> = ({ query }, { store }) => {
  const countryId = query?.countryId ?? usualCountry;
  const price = store.books.price(countryId);
  if (price === undefined) {
    throw new Refusal(400, "InvalidCountryId", `There are no prices for country '${countryId}'.`);
  }
  return priceRecord(price);
};

const priceRecord = ({ countryId, countryName, units, created }: PriceRow) => ({
  countryId,
  countryName,
  ...units,
  dateCreated: timeOf(created),
  dateUpdated: timeOf(created),
});
