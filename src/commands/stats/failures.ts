import * as v from "valibot";
import { tool } from "../../cli/command.ts";
import type { Context } from "../../cli/context.ts";
import { shapedReply } from "../../client/codec.ts";
import { getPrice } from "../../contract/account.ts";
import type { QueryOf } from "../../contract/endpoint.ts";
import { text } from "../../contract/fields.ts";
import { listMessages } from "../../contract/messages.ts";
import { type DayStatistics, getStatistics } from "../../contract/statistics.ts";
import { dayInSeoul, monthStart } from "../../contract/time.ts";
import { invalidValue } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import {
  createFailureTally,
  type Failure,
  type FailureKey,
  type FailureRow,
  failedOnly,
  failureKeys,
  isFailedCode,
  typesAt,
} from "../../message/failures.ts";
import { formatFigure, formatMessageCount, formatWon } from "../../message/price.ts";
import { readPricesIfAllowed } from "../../send/guards/account.ts";
import { serviceTime } from "../../send/run/hours.ts";

type Period = Pick<QueryOf<typeof getStatistics>, "startDate" | "endDate">;

const columns = [
  "day",
  "code",
  "meaning",
  "carrier",
  "count",
  "share",
  "refunded",
  "todo",
] as const;

export default tool({
  additionalEndpoints: [getStatistics, listMessages, getPrice],
  flags: {
    startDate: getStatistics.query.startDate,
    endDate: getStatistics.query.endDate,
    by: v.optional(
      text("what each row counts: code, carrier, day, separated by commas; default: code"),
    ),
  },
  columns,
  fields: columns,
  examples: [
    "msg stats failures --sandbox",
    "msg stats failures --since 30d --by day,code",
    "msg stats failures --since 7d --by carrier,code -o csv",
    "msg stats failures --json --fields code,count,todo",
  ],
  run: async (ctx, { flags: { by: typed, ...query } }) => {
    const by = keysOf(typed ?? "code");
    const client = await ctx.session.client();
    const reply = shapedReply(getStatistics, await client.call(getStatistics, { query }));
    const tally = createFailureTally(by);
    // Statistics have no carriers, and take one request however much was sent.
    if (by.includes("carrier")) for await (const it of failedMessages(ctx, query)) tally.add(it);
    else for (const it of failuresIn(reply.dayPeriod)) tally.add(it);
    const prices = await readPricesIfAllowed(ctx, tally.countries(), false);
    const { total, failed, refund } = reply;
    if (total.total > 0 && Number.isFinite(failed.total + refund.balance + refund.point))
      await ctx.note(
        t`${formatFigure(failed.total)} of ${formatMessageCount(total.total)} failed (${percent(failed.total, total.total)} %), ${formatWon(refund.balance + refund.point)} refunded`,
      );
    return { rows: tally.rows(prices), columns: columnsOf(ctx, by) };
  },
});

const percent = (part: number, whole: number): number => Math.round((part / whole) * 1000) / 10;

/** The keys that were typed, in the order of the columns. */
const keysOf = (typed: string): readonly FailureKey[] => {
  const words = typed.split(",").map((it) => it.trim());
  const wrong = words.find((word) => !failureKeys.some((it) => it === word));
  if (wrong !== undefined)
    throw invalidValue(t`--by takes code, carrier, day, separated by commas, got '${wrong}'`);
  return failureKeys.filter((it) => words.includes(it));
};

const columnsOf = ({ view }: Context, by: readonly FailureKey[]) => [
  ...by.flatMap((it) => (it === "code" ? ["code", "meaning"] : [it])),
  "count",
  {
    name: "share",
    value: ({ share }: FailureRow) => (view.format === "table" ? t`${share} %` : share),
  },
  "refunded",
  ...(by.includes("code") ? ["todo"] : []),
];

/** Most messages go to Korea, and statistics do not name the country. */
const home = "82";

const failuresIn = (days: readonly DayStatistics[]): readonly Failure[] =>
  days.flatMap(({ date, statusCode }) =>
    Object.entries(statusCode)
      .filter(([code]) => isFailedCode(code))
      .flatMap(([code, types]) =>
        typesAt(code, types).map(([type, count]) => ({
          day: date,
          code,
          carrier: "",
          type,
          country: home,
          count,
        })),
      ),
  );

/** Every failed message of the period, page by page; without a start, the default start of statistics. */
async function* failedMessages(ctx: Context, period: Period): AsyncGenerator<Failure> {
  const client = await ctx.session.client();
  const until = new Date(period.endDate ?? (await serviceTime(ctx)));
  const startDate = period.startDate ?? new Date(monthStart(until.getTime())).toISOString();
  const query = { ...period, startDate, ...failedOnly };
  for await (const { rows } of client.pages(listMessages, { query }))
    for (const { statusCode, networkName, type, country, dateCreated } of rows)
      yield {
        day: dayInSeoul(new Date(dateCreated)),
        code: statusCode,
        carrier: networkName,
        type: type ?? "",
        country: country ?? home,
        count: 1,
      };
}
