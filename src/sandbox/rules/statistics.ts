/** How statistics follow from counts and money by day. */

import { type TypeKey, typeKeys } from "../../contract/message-records.ts";
import { seoulOffsetMs } from "../../contract/seoul.ts";
import type { DayStatistics, MonthStatistics } from "../../contract/statistics.ts";
import { isFailure } from "../../message/status.ts";
import type { CountRow, MoneyRow } from "../store/statistics.ts";

type Counter = DayStatistics["total"];
type Codes = Record<string, Record<string, number>>;

const dayMs = 86_400_000;

/** `2026/01/15` of a number of days since 1970. */
const dateOf = (day: number): string =>
  new Date(day * dayMs).toISOString().slice(0, 10).replaceAll("-", "/");

const isDelivered = (code: string): boolean => code === "4000";

/** The messages that `counts` holds, of those codes. */
const counterOf = (
  rows: readonly CountRow[],
  holds: (code: string) => boolean = () => true,
): Counter => {
  const counted = rows.filter((row) => holds(row.statusCode));
  const of = (key: TypeKey): number =>
    counted.reduce((sum, row) => sum + (row.type.toLowerCase() === key ? row.count : 0), 0);
  const byType = Object.fromEntries(typeKeys.map((key) => [key, of(key)]));
  const total = counted.reduce((sum, row) => sum + row.count, 0);
  return { ...nothing, ...byType, total };
};

const nothing: Counter = {
  total: 0,
  sms: 0,
  lms: 0,
  mms: 0,
  ata: 0,
  cta: 0,
  cti: 0,
  nsa: 0,
  rcs_sms: 0,
  rcs_lms: 0,
  rcs_mms: 0,
  rcs_tpl: 0,
};

/** Types that were refused are as they were written: one may be named like a member of every object. */
const codesOf = (rows: readonly CountRow[]): Codes => {
  const codes = new Map<string, Map<string, number>>();
  for (const { statusCode, type, count } of rows) {
    const of = codes.get(statusCode) ?? new Map<string, number>();
    of.set(type.toLowerCase(), (of.get(type.toLowerCase()) ?? 0) + count);
    codes.set(statusCode, of);
  }
  return Object.fromEntries([...codes].map(([code, of]) => [code, Object.fromEntries(of)]));
};

const sumOf = <T>(rows: readonly T[], value: (row: T) => number): number =>
  rows.reduce((sum, row) => sum + value(row), 0);

/** Days on which something happened, the earliest first. */
export const daysOf = (
  counts: readonly CountRow[],
  money: readonly MoneyRow[],
): DayStatistics[] => {
  const days = [...new Set([...counts, ...money].map((row) => row.day))].sort((a, b) => a - b);
  return days.map((day) => {
    const ofDay = counts.filter((row) => row.day === day);
    const spent = money.filter((row) => row.day === day);
    const first = Math.min(...[...ofDay, ...spent].map((row) => row.first));
    return {
      _id: new Date(first).toISOString(),
      month: dateOf(day).slice(0, 7),
      date: dateOf(day),
      balance: sumOf(spent, (row) => row.balance),
      point: sumOf(spent, (row) => row.point),
      statusCode: codesOf(ofDay),
      refund: {
        balance: sumOf(spent, (row) => row.refundBalance),
        point: sumOf(spent, (row) => row.refundPoint),
      },
      total: counterOf(ofDay),
      successed: counterOf(ofDay, isDelivered),
      failed: counterOf(ofDay, isFailure),
    };
  });
};

const added = (counters: readonly Counter[]): Counter => {
  const of = (key: TypeKey | "total"): number => sumOf(counters, (it) => it[key]);
  return {
    ...nothing,
    ...Object.fromEntries([...typeKeys, "total" as const].map((k) => [k, of(k)])),
  };
};

const average = (sum: number, count: number): number => (count === 0 ? 0 : sum / count);

/** What a month and the whole range have in common. */
const summed = (days: readonly DayStatistics[]) => {
  const balance = sumOf(days, (it) => it.balance);
  const point = sumOf(days, (it) => it.point);
  const refunded = {
    balance: sumOf(days, (it) => it.refund.balance),
    point: sumOf(days, (it) => it.refund.point),
  };
  return {
    balance,
    point,
    refund: {
      balance: refunded.balance,
      balanceAvg: average(refunded.balance, days.length),
      point: refunded.point,
      pointAvg: average(refunded.point, days.length),
    },
    total: added(days.map((it) => it.total)),
    successed: added(days.map((it) => it.successed)),
    failed: added(days.map((it) => it.failed)),
  };
};

/** Days made into months and into the whole; averages are by days or months with data. */
export const periodOf = (days: readonly DayStatistics[]) => {
  const months = [...new Set(days.map((it) => it.month))];
  const whole = summed(days);
  return {
    ...whole,
    monthlyBalanceAvg: average(whole.balance, months.length),
    monthlyPointAvg: average(whole.point, months.length),
    monthPeriod: months.map((date): MonthStatistics => {
      const dayPeriod = days.filter((it) => it.month === date);
      const sums = summed(dayPeriod);
      return {
        date,
        dayPeriod,
        ...sums,
        balanceAvg: average(sums.balance, dayPeriod.length),
        pointAvg: average(sums.point, dayPeriod.length),
      };
    }),
    dayPeriod: [...days],
    dailyBalanceAvg: average(whole.balance, days.length),
    dailyPointAvg: average(whole.point, days.length),
    dailyTotalCountAvg: average(whole.total.total, days.length),
    dailyFailedCountAvg: average(whole.failed.total, days.length),
    dailySuccessedCountAvg: average(whole.successed.total, days.length),
  };
};

/** One row a day, app and way of paying, the newest day first. */
export const byKind = (counts: readonly CountRow[], money: readonly MoneyRow[]) => {
  const kindOf = (row: CountRow | MoneyRow): string =>
    JSON.stringify([row.day, row.appId, row.prepaid]);
  const kinds = new Map([...counts, ...money].map((row) => [kindOf(row), row]));
  const countsOf = grouped(counts, kindOf);
  const moneyOf = grouped(money, kindOf);
  return [...kinds]
    .sort(([, a], [, b]) => b.day - a.day || b.prepaid - a.prepaid)
    .map(([kind, { day, appId, prepaid, first }]) => {
      const spent = moneyOf.get(kind) ?? [];
      return {
        day,
        first,
        appId,
        prepaid: prepaid === 1,
        balance: sumOf(spent, (row) => row.balance),
        point: sumOf(spent, (row) => row.point),
        refund: {
          balance: sumOf(spent, (row) => row.refundBalance),
          point: sumOf(spent, (row) => row.refundPoint),
        },
        date: new Date(day * dayMs - seoulOffsetMs).toISOString(),
        count: codesOf(countsOf.get(kind) ?? []),
      };
    });
};

const grouped = <T>(rows: readonly T[], keyOf: (row: T) => string): Map<string, T[]> => {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const key = keyOf(row);
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return groups;
};
