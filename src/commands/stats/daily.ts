import { command } from "../../cli/command.ts";
import type { Row } from "../../contract/endpoint.ts";
import { listDailyStatistics } from "../../contract/statistics.ts";
import { isFailure } from "../../message/status.ts";

type Day = Row<typeof listDailyStatistics>;

/** Messages whose code fits; some answers hold types directly, without codes. */
const countOf = ({ count }: Day, fits: (code: string) => boolean): number =>
  Object.entries(count).reduce(
    (sum, [code, types]) =>
      fits(code) ? sum + Object.values(types).reduce((all, it) => all + it, 0) : sum,
    0,
  );

const describeCodes = ({ count }: Day): string =>
  Object.entries(count)
    .map(([code, types]) => {
      const each = Object.entries(types).map(([type, number]) => `${number} ${type}`);
      return `${code}: ${each.join(", ")}`;
    })
    .join("; ");

export default command({
  endpoint: listDailyStatistics,
  columns: [
    "date",
    "prepaid",
    "appId",
    "balance",
    "point",
    "profit",
    { name: "refundBalance", value: (row) => row.refund.balance },
    { name: "refundPoint", value: (row) => row.refund.point },
    { name: "total", value: (row) => countOf(row, () => true) },
    { name: "failed", value: (row) => countOf(row, isFailure) },
    { name: "codes", value: describeCodes },
  ],
  examples: [
    "msg stats daily --sandbox",
    "msg stats daily --since 2026-01-01 --until 2026-01-31 --all -o csv",
    "msg stats daily --json --fields date,balance,count",
  ],
});
