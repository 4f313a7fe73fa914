/** Derives statistics from counts and money by day. */
import type { TypeKey } from "../../contract/message-records.ts";
import type { DayStatistics, MonthStatistics } from "../../contract/statistics.ts";
import { dayInSeoul, dayMs, seoulOffsetMs } from "../../contract/time.ts";
import { isFailure } from "../../message/status.ts";
import { timeOf } from "../clock.ts";
import type { CountRow, MoneyRow } from "../store/statistics.ts";
import { perType } from "./groups.ts";

type Counter = DayStatistics["total"];

/** When a day begins, counted from 1970 in UTC+9. */
const startOf = (day: number): Date => new Date(day * dayMs - seoulOffsetMs);

/** The messages of these rows whose code is one of `holds`. */
const counterOf = (
  rows: readonly CountRow[],
  holds: (code: string) => boolean = () => true,
): Counter => {
  const counted = rows.filter((row) => holds(row.statusCode));
  const byType = (key: TypeKey): readonly CountRow[] =>
    counted.filter((row) => row.type.toLowerCase() === key);
  return {
    total: sumOf(counted, (row) => row.count),
    ...perType((key) => sumOf(byType(key), (row) => row.count)),
  };
};

/** Refused types are as they were written: one may be named like a member of every object. */
const codesOf = (rows: readonly CountRow[]): Record<string, Record<string, number>> => {
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

const spentIn = (rows: readonly MoneyRow[]) => ({
  balance: sumOf(rows, (row) => row.balance),
  point: sumOf(rows, (row) => row.point),
  refund: {
    balance: sumOf(rows, (row) => row.refundBalance),
    point: sumOf(rows, (row) => row.refundPoint),
  },
});

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
    const date = dayInSeoul(startOf(day));
    return {
      _id: timeOf(first),
      month: date.slice(0, 7),
      date,
      ...spentIn(spent),
      statusCode: codesOf(ofDay),
      total: counterOf(ofDay),
      successed: counterOf(ofDay, (code) => code === "4000"),
      failed: counterOf(ofDay, isFailure),
    };
  });
};

const added = (counters: readonly Counter[]): Counter => ({
  total: sumOf(counters, (it) => it.total),
  ...perType((key) => sumOf(counters, (it) => it[key])),
});

const average = (sum: number, count: number): number => (count === 0 ? 0 : sum / count);

/** The sums that a month and the whole range share. */
const summed = (days: readonly DayStatistics[]) => {
  const balance = sumOf(days, (it) => it.refund.balance);
  const point = sumOf(days, (it) => it.refund.point);
  const [balanceAvg, pointAvg] = [average(balance, days.length), average(point, days.length)];
  return {
    balance: sumOf(days, (it) => it.balance),
    point: sumOf(days, (it) => it.point),
    refund: { balance, balanceAvg, point, pointAvg },
    total: added(days.map((it) => it.total)),
    successed: added(days.map((it) => it.successed)),
    failed: added(days.map((it) => it.failed)),
  };
};

/** Sums days to months and to the whole range; averages are by days or months with data. */
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

/** One row for each day, app and way of paying, the newest day first. */
export const byKind = (counts: readonly CountRow[], money: readonly MoneyRow[]) => {
  const kindOf = ({ day, appId, prepaid }: CountRow | MoneyRow): string =>
    JSON.stringify([day, appId, prepaid]);
  const kinds = new Map([...counts, ...money].map((row) => [kindOf(row), row]));
  return [...kinds]
    .sort(([, a], [, b]) => b.day - a.day || b.prepaid - a.prepaid)
    .map(([kind, { day, appId, prepaid }]) => ({
      appId,
      prepaid: prepaid === 1,
      ...spentIn(money.filter((row) => kindOf(row) === kind)),
      date: startOf(day).toISOString(),
      count: codesOf(counts.filter((row) => kindOf(row) === kind)),
    }));
};
