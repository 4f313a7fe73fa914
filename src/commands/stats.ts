import { tool } from "../cli/command.ts";
import type { Context } from "../cli/context.ts";
import { shapedReply } from "../client/codec.ts";
import { choice, itemOf, membersOf } from "../contract/fields.ts";
import { type DayStatistics, getStatistics, type MonthStatistics } from "../contract/statistics.ts";
import { t } from "../locale/locale.ts";
import { isJson } from "../output/fields.ts";

type Period = DayStatistics | MonthStatistics;

/** As long as its total relative to `max`; any non-zero count shows at least one block. */
const barOf = ({ successed, failed, total }: Period, max: number, width: number): string => {
  const [good, bad] = [successed.total, failed.total];
  const length = (count: number): number =>
    count === 0 || max === 0 ? 0 : Math.max(1, Math.round((count / max) * width));
  const rest = total.total - good - bad;
  return "█".repeat(length(good)) + "▒".repeat(length(bad)) + "·".repeat(length(rest));
};

const columns = [
  "date",
  { name: "total", value: (row: Period) => row.total.total },
  { name: "success", value: (row: Period) => row.successed.total },
  { name: "failed", value: (row: Period) => row.failed.total },
  "balance",
  "point",
] as const;

const { dayPeriod } = getStatistics.reply.entries;
const periodMembers = membersOf(itemOf(dayPeriod) ?? dayPeriod);

/** JSON is the service's whole record; tables show its days or months. */
export default tool({
  additionalEndpoints: [getStatistics],
  flags: {
    ...getStatistics.query,
    by: choice(["day", "month"], "what each row counts; default: day"),
  },
  columns,
  // JSON has the members of the record, tables those of its days or months.
  fields: Object.keys({ ...membersOf(getStatistics.reply), ...periodMembers }),
  examples: [
    "msg stats --sandbox",
    "msg stats --since 2026-01-01 --until 2026-03-31 --by month",
    "msg stats --since 30d -o csv",
    "msg stats --json",
  ],
  run: async (ctx, { flags }) => {
    const { by, ...query } = flags;
    const client = await ctx.session.client();
    const record = await client.call(getStatistics, { query });
    if (isJson(ctx.view)) {
      if (by !== undefined) await ctx.note(t`--by is for tables; JSON has the days and the months`);
      return { record };
    }
    const { monthPeriod, dayPeriod: days } = shapedReply(getStatistics, record);
    const rows: readonly Period[] = by === "month" ? monthPeriod : days;
    return { rows, ...(hasBars(ctx) && { columns: [...columns, barColumn(ctx, rows)] }) };
  },
});

/** Decoration, for a person who looks at a table. */
const hasBars = ({ view, io: { out } }: Context): boolean =>
  view.format === "table" && out.isTTY && view.fields === undefined;

const barColumn = ({ io: { out } }: Context, rows: readonly Period[]) => {
  const max = Math.max(...rows.map((row) => row.total.total));
  const width = Math.min(40, Math.max(10, (out.columns || 80) - 60));
  return { name: "share", value: (row: Period) => barOf(row, max, width) };
};
