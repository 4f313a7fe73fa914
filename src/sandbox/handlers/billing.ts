/** Reading the ledger, its documents, and prices. */
import * as Declared from "../../contract/cash.ts";
import { declared, defaultRows, type Reply } from "../../contract/endpoint.ts";
import { typeKeys } from "../../contract/message-records.ts";
import { timeOf } from "../clock.ts";
import { unitPrices } from "../rules/lookups.ts";
import { type Handler, notFound, Refusal, validationError } from "../service.ts";
import type { LedgerRow } from "../store/accounts.ts";
import { idOf, seqOf } from "../store/ids.ts";
import type { PriceRow } from "../store/prices.ts";
import type { Store } from "../store/store.ts";
import { rejectUnknown, timeFilters, valueFilters } from "./filters.ts";
import { datesOf } from "./records.ts";

/** Korea: quotes use its prices, and price lists without a country show them. */
const korea = "82";

export const listHistory: Handler<"listHistory"> = ({ query = {} }, service) => {
  const { store, caller, idSeed } = service;
  const { startDate, endDate, groupId, type, offset = 0, limit = defaultRows } = query;
  // The service has movements of type SET, too; no request makes one.
  if (type !== undefined) rejectUnknown("type", type, [...Declared.historyTypes, "SET"]);
  const rows = store.ledger.list({
    accountId: caller.accountId,
    filters: [
      ...timeFilters("created", { gte: startDate, lte: endDate }),
      ...valueFilters("groupSeq", groupId && seqOf("group", groupId, idSeed)),
      ...valueFilters("type", type?.toUpperCase()),
      ...valueFilters("rechargeMethod", query.rechargeMethod),
      ...valueFilters("serviceMethod", query.serviceMethod),
      ...valueFilters("balanceAmount", query.balanceAmount),
    ],
    anyOf: query,
    offset,
    limit,
  });
  service.assume("history-directions");
  return rows.map((row) => historyRecord(row, idSeed));
};

export const historyRecord = (
  { seq, groupSeq, groupCreated, created, ...moved }: LedgerRow,
  idSeed: number,
): Reply<typeof Declared.listHistory>[number] => ({
  ...moved,
  groupId:
    groupSeq === null || groupCreated === null
      ? null
      : idOf("group", { seq: groupSeq, created: groupCreated }, idSeed),
  chargedMethod: null,
  paymentMethod: null,
  oldBalance: moved.newBalance - moved.balanceAmount,
  oldPoint: moved.newPoint - moved.pointAmount,
  dateCreated: timeOf(created),
  historyId: idOf("history", { seq, created }, idSeed),
});

export const getStatement: Handler<"getStatement"> = ({ query: { historyId } }, service) => {
  const { store, caller, now, assume, idSeed } = service;
  const row = store.ledger.read(caller.accountId, seqOf("history", historyId, idSeed));
  assume("papers");
  if (row === undefined) throw notFound(`There is no movement '${historyId}'.`);
  const record = { ...historyRecord(row, idSeed), historyId, dateIssued: timeOf(now) };
  return declared(Declared.getStatement.reply, record);
};

/** Types with their quantities, or a total; 10 % of tax on top. */
export const getQuote: Handler<"getQuote"> = ({ query = {} }, { store, now, assume }) => {
  const { company = null, type: types = [], qty: quantities = [], amount } = query;
  assume("papers");
  if (types.length !== quantities.length) {
    throw validationError(
      `'type' (${types.length}) and 'qty' (${quantities.length}) must be of one length.`,
    );
  }
  if (amount !== undefined && types.length > 0)
    throw validationError("'amount' takes the place of 'type' with 'qty'.");
  // The documented sample names a company and nothing else: its quote is empty.
  if (company === null && amount === undefined && types.length === 0)
    throw validationError("'company', 'type' with 'qty', or 'amount' is needed.");
  const unitPriceOf = unitPrices(store);
  const items = types.map((type, index) => {
    const key = typeKeys.find((it) => it === type.toLowerCase());
    const unitPrice = key && unitPriceOf(key, korea);
    if (unitPrice === undefined) throw validationError(`'type' knows no '${type}'.`);
    const qty = whole("qty", quantities[index] ?? 0);
    return { type: type.toUpperCase(), unitPrice, qty, supplyCost: unitPrice * qty };
  });
  const supplyCostTotal =
    amount === undefined
      ? items.reduce((sum, it) => sum + it.supplyCost, 0)
      : Math.round(whole("amount", amount) / 1.1);
  const totalAmount = amount ?? supplyCostTotal + Math.round(supplyCostTotal / 10);
  return {
    company,
    items,
    supplyCostTotal,
    taxTotal: totalAmount - supplyCostTotal,
    totalAmount,
    dateIssued: timeOf(now),
  };
};

const whole = (name: string, value: number): number => {
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw validationError(`'${name}' must be a whole number above 0.`);
};

export const getPrice: Handler<"getPrice"> = ({ query }, { store }) =>
  priceOf(store, query?.countryId ?? korea);

export const getDefaultPrice: Handler<"getDefaultPrice"> = ({ query = {} }, { store }) => {
  const { appId, countryId = korea } = query;
  if (appId !== undefined && (appId.length < 5 || appId.length > 20))
    throw validationError(`'appId' has 5 to 20 characters, not ${appId.length}.`);
  return priceOf(store, countryId);
};

export const listPrices: Handler<"listPrices"> = ({ query = {} }, { store, assume }) => {
  const { countryId, serviceMethod = "MT", offset = 0, limit = defaultRows } = query;
  assume("price-order");
  if (serviceMethod === "AUTH") {
    assume("price-auth");
    return [];
  }
  const prices = store.prices
    .all()
    .filter((price) => countryId === undefined || price.countryId === countryId);
  return prices.slice(offset, offset + limit).map(priceRecord);
};

const priceOf = (store: Store, countryId: string) => {
  const price = store.prices.read(countryId);
  if (price === undefined)
    throw new Refusal(400, "InvalidCountryId", `There are no prices for country '${countryId}'.`);
  return priceRecord(price);
};

const priceRecord = ({ countryId, countryName, units, created }: PriceRow) => ({
  countryId,
  countryName,
  ...units,
  ...datesOf({ created, updated: created }),
});
