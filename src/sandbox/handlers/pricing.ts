/** Prices. */
import { defaultRows } from "../../contract/endpoint.ts";
import { type Handler, Refusal, validationError } from "../service.ts";
import type { PriceRow } from "../store/senders-and-prices.ts";
import type { Store } from "../store/store.ts";
import { datesOf } from "./times.ts";

/** Korea. */
const defaultCountry = "82";

export const getPrice: Handler<"getPrice"> = ({ query }, { store }) =>
  priceOf(store, query?.countryId ?? defaultCountry);

export const getDefaultPrice: Handler<"getDefaultPrice"> = ({ query = {} }, { store }) => {
  const { appId, countryId = defaultCountry } = query;
  if (appId !== undefined && (appId.length < 5 || appId.length > 20)) {
    throw validationError(`'appId' has 5 to 20 characters, not ${appId.length}.`);
  }
  return priceOf(store, countryId);
};

export const listPrices: Handler<"listPrices"> = ({ query = {} }, { store, assume }) => {
  const { countryId, serviceMethod = "MT", offset = 0, limit = defaultRows } = query;
  assume("price-order");
  if (serviceMethod === "AUTH") {
    assume("price-auth");
    return [];
  }
  const prices = store.sendersAndPrices
    .prices()
    .filter((price) => countryId === undefined || price.countryId === countryId);
  return prices.slice(offset, offset + limit).map(priceRecord);
};

const priceOf = (store: Store, countryId: string) => {
  const price = store.sendersAndPrices.price(countryId);
  if (price === undefined) {
    throw new Refusal(400, "InvalidCountryId", `There are no prices for country '${countryId}'.`);
  }
  return priceRecord(price);
};

const priceRecord = ({ countryId, countryName, units, created }: PriceRow) => ({
  countryId,
  countryName,
  ...units,
  ...datesOf({ created, updated: created }),
});
