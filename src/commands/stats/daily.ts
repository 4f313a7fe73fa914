import { command } from "../../cli/command.ts";
import type { Row } from "../../contract/endpoint.ts";
import { listDailyStatistics } from "../../contract/statistics.ts";
import { dayInSeoul } from "../../contract/time.ts";
import { isFailedCode, typesAt } from "../../message/failures.ts";
import { minor } from "../../output/columns.ts";

type Day = Row<typeof listDailyStatistics>;

/** Messages whose code fits. */
const countOf = ({ count }: Day, fits: (code: string) => boolean): number =>
  Object.entries(count)
    .flatMap(([code, types]) => (fits(code) ? typesAt(code, types) : []))
    .reduce((sum, [, number]) => sum + number, 0);

const describeCodes = ({ count }: Day): string =>
  Object.entries(count)
    .map(([code, types]) => {
      const each = typesAt(code, types).map(([type, number]) => `${number} ${type}`);
      return typeof types === "number" ? each.join(", ") : `${code}: ${each.join(", ")}`;
    })
    .join("; ");

export default command({
  endpoint: listDailyStatistics,
  columns: [
    // The instant at which a day begins in Korea is on the day before elsewhere.
    { name: "date", value: ({ date }) => (Date.parse(date) ? dayInSeoul(new Date(date)) : date) },
    minor("prepaid"),
    minor("appId"),
    "balance",
    "point",
    minor("profit"),
    { name: "refundBalance", value: (row) => row.refund.balance, isMinor: true },
    { name: "refundPoint", value: (row) => row.refund.point, isMinor: true },
    { name: "total", value: (row) => countOf(row, () => true) },
    { name: "failed", value: (row) => countOf(row, isFailedCode) },
    { name: "codes", value: describeCodes },
  ],
  examples: [
    "msg stats daily --sandbox",
    "msg stats daily --since 2026-01-01 --until 2026-01-31 --all -o csv",
    "msg stats daily --json --fields date,balance,count",
  ],
});
