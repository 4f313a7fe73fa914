/** Statistics by day and month of UTC+9. */
import { defaultRows, type QueryOf } from "../../contract/endpoint.ts";
import { typeKeys } from "../../contract/message-records.ts";
import type * as Declared from "../../contract/statistics.ts";
import { monthStart } from "../../contract/time.ts";
import { byKind, daysOf, periodOf } from "../rules/statistics.ts";
import type { Handler, Service } from "../service.ts";
import type { TimeSpan } from "../store/statistics.ts";
import { isOtherAccount, spreadsheet } from "./records.ts";

type Query = QueryOf<typeof Declared.getStatistics>;

export const getStatistics: Handler<"getStatistics"> = ({ query = {} }, service) => {
  service.assume("statistics-range");
  service.assume("statistics-averages");
  if (query.masterAccountId !== undefined) service.assume("statistics-accounts");
  return periodOf(daysIn(query, service, query.masterAccountId));
};

export const downloadStatistics: Handler<"downloadStatistics"> = ({ query = {} }, service) => {
  service.assume("sheet-columns");
  if (query.subAccountId !== undefined) service.assume("statistics-accounts");
  const days = daysIn(query, service, query.subAccountId);
  const headings = ["date", "balance", "point", "total", "successed", "failed", ...typeKeys];
  const rows = days.map(({ date, balance, point, total, successed, failed }) => [
    date,
    balance,
    point,
    total.total,
    successed.total,
    failed.total,
    ...typeKeys.map((key) => total[key]),
  ]);
  return spreadsheet(headings, rows);
};

export const listDailyStatistics: Handler<"listDailyStatistics"> = ({ query = {} }, service) => {
  const { taxIssued, profitSettlement, prepaid, offset = 0, limit = defaultRows } = query;
  service.assume("statistics-daily");
  // Neither invoices nor settlements of profit exist here: a query for them finds none.
  if (taxIssued === true || profitSettlement === true) return [];
  const span = spanOf(query, service, () => 0);
  const { statistics } = service.store;
  const rows = byKind(statistics.counts(span), statistics.money(span)).filter(
    (row) => prepaid === undefined || row.prepaid === prepaid,
  );
  return rows.slice(offset, offset + limit).map((row) => ({
    ...row,
    taxIssued: false,
    profitSettlement: false,
    profit: 0,
    masterAccountId: null,
    accountId: service.caller.accountId,
  }));
};

/** The caller's own, with or without its name; any other account finds nothing. */
const daysIn = (query: Query, service: Service, named: string | undefined) => {
  if (isOtherAccount(named, service.caller)) return [];
  const span = spanOf(query, service, monthStart);
  const { statistics } = service.store;
  return daysOf(statistics.counts(span), statistics.money(span));
};

/** Both bounds included; the defaults are `startOf` the end, and now. */
const spanOf = (
  { startDate, endDate }: Query,
  { caller, now }: Service,
  startOf: (until: number) => number,
): TimeSpan => {
  const until = endDate === undefined ? now : Date.parse(endDate);
  const from = startDate === undefined ? startOf(until) : Date.parse(startDate);
  return { accountId: caller.accountId, from, until };
};
