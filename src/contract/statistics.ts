/** Statistics of messages. */
import * as v from "valibot";
import { byOffset } from "./bounded.ts";
import { endpointWith } from "./endpoint.ts";
import { date, flag, id, spreadsheet, timestamp } from "./fields.ts";
import { perType } from "./message-records.ts";
import { messageRead } from "./needs.ts";

const read = endpointWith({ method: "GET", effect: "safe", needs: messageRead });

const startDate = date("from this day on; default: first of the month", "from");
const endDate = date("up to this day, included; default: now", "until");

const counter = v.object({ total: v.number(), ...perType(v.number()).entries });
const wallet = v.object({ balance: v.number(), point: v.number() });
const walletAvg = v.object(
  v.entriesFromList(["balance", "balanceAvg", "point", "pointAvg"], v.number()),
);
/** Messages by status code and by type; only types that occur. */
const codes = v.record(v.string(), v.record(v.string(), v.number()));

const totals = { total: counter, successed: counter, failed: counter };

const dayStatistics = v.object({
  _id: timestamp(),
  /** `YYYY/MM`, in UTC+9. */
  month: v.string(),
  /** `YYYY/MM/DD`, in UTC+9. */
  date: v.string(),
  ...wallet.entries,
  statusCode: codes,
  refund: wallet,
  ...totals,
});
export type DayStatistics = v.InferOutput<typeof dayStatistics>;

const monthStatistics = v.object({
  date: v.string(),
  ...walletAvg.entries,
  dayPeriod: v.array(dayStatistics),
  refund: walletAvg,
  ...totals,
});
export type MonthStatistics = v.InferOutput<typeof monthStatistics>;

export const getStatistics = read({
  does: "Show what was sent, how it ended and what it cost",
  path: "/messages/v4/statistics",
  query: { startDate, endDate, masterAccountId: id("with the sub-accounts of this account") },
  proof: ["dayPeriod"],
  reply: v.object({
    ...wallet.entries,
    monthlyBalanceAvg: v.number(),
    monthlyPointAvg: v.number(),
    monthPeriod: v.array(monthStatistics),
    refund: walletAvg,
    dayPeriod: v.array(dayStatistics),
    ...totals,
    dailyBalanceAvg: v.number(),
    dailyPointAvg: v.number(),
    dailyTotalCountAvg: v.number(),
    dailyFailedCountAvg: v.number(),
    dailySuccessedCountAvg: v.number(),
  }),
});

export const downloadStatistics = read({
  does: "Download statistics as a spreadsheet",
  path: "/messages/v4/statistics/excel",
  query: { startDate, endDate, subAccountId: id("only this sub-account") },
  reply: spreadsheet("a spreadsheet (xlsx)"),
});

const dailyStatistics = v.object({
  refund: wallet,
  appId: v.nullable(v.string()),
  prepaid: v.boolean(),
  ...wallet.entries,
  taxIssued: v.boolean(),
  profitSettlement: v.boolean(),
  profit: v.number(),
  masterAccountId: v.nullable(v.string()),
  accountId: v.string(),
  /** Start of the day of UTC+9. */
  date: timestamp(),
  count: codes,
});

export const listDailyStatistics = read({
  does: "List statistics by day, app and way of paying, newest first",
  path: "/messages/v4/statistics/daily",
  page: { by: "offset" },
  query: {
    ...byOffset,
    taxIssued: flag("only days with (or without) a tax invoice"),
    profitSettlement: flag("only days whose profit is (or is not) settled"),
    prepaid: flag("only prepaid days (or only postpaid ones)"),
    startDate: date("from this day on", "from"),
    endDate,
    workspaceId: id("only this workspace"),
  },
  reply: v.array(dailyStatistics),
});
