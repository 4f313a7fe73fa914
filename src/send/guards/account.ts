/** What is read of the account before a run: what it can pay, what messages cost, what may still be sent. */
import * as v from "valibot";
import type { Client } from "../../client/client.ts";
import { tokenAccount } from "../../client/token.ts";
import { getPrice, getQuota, type Price } from "../../contract/account.ts";
import { getBalance } from "../../contract/cash.ts";
import { maxRows } from "../../contract/endpoint.ts";
import { listGroups } from "../../contract/groups.ts";
import { getStatistics } from "../../contract/statistics.ts";
import { dayMs, seoulOffsetMs } from "../../contract/time.ts";
import { MsgError, unless } from "../../errors.ts";
import type { Prices } from "../../message/price.ts";
import type { Ports } from "../../ports.ts";
import { serviceTime } from "../run/hours.ts";

/** Unit prices by country, each country asked for once. Throws what the client throws. */
export const readPrices = async (client: Client, countries: Iterable<string>): Promise<Prices> => {
  const prices: Record<string, Price> = {};
  for (const countryId of new Set(countries))
    prices[countryId] = await client.call(getPrice, { query: { countryId } });
  return prices;
};

/**
 * The account's id, and balance and points: each undefined if it may not be read, the latter also if they are
 * recharged automatically; a caller that may send is not always allowed to read them.
 */
export const readAccount = async (ctx: Ports) => {
  const client = await ctx.session.client();
  const read = await unless(isRefused, () => client.call(getBalance, {}));
  if (!read) return { account: tokenAccount(ctx.settings.credentials.value), money: undefined };
  const { accountId, balance, point, autoRecharge } = read;
  // A balance that is not a number does not block a send: the service checks it itself.
  const isKnown = autoRecharge === 0 && Number.isFinite(balance) && Number.isFinite(point);
  return { account: accountId, money: isKnown ? balance + point : undefined };
};

const isRefused = (error: unknown): boolean =>
  error instanceof MsgError && (error.kind === "forbidden" || error.kind === "refused");

/** Unit prices by country; undefined if this caller may not read them and they are not needed. */
export const readPricesIfAllowed = async (
  ctx: Ports,
  countries: Iterable<string>,
  needed: boolean,
): Promise<Prices | undefined> =>
  unless(
    (error) => !needed && isRefused(error),
    async () => readPrices(await ctx.session.client(), countries),
  );

export interface Quota {
  readonly daily: number;
  /** At most this many may still be sent on the day that a run goes out. */
  readonly left: number;
}

/** The day of a quota is that of Korea. */
const dayOf = (instant: Date): number => Math.floor((instant.getTime() + seoulOffsetMs) / dayMs);

/**
 * The quota of the day on which messages go out: today, or that of `at`. Undefined if it cannot be read.
 * The service has no figure for what was sent today. This counts only what was certainly sent, so that
 * nothing is stopped which the service would take.
 */
export const readQuota = async (ctx: Ports, at: string | undefined): Promise<Quota | undefined> => {
  const client = await ctx.session.client();
  return unless(isUnavailable, async () => {
    const { quota: daily } = await client.call(getQuota, {});
    if (!Number.isFinite(daily)) return undefined;
    const today = await serviceTime(ctx);
    if (at !== undefined && dayOf(new Date(at)) > dayOf(today)) return { daily, left: daily };
    const used = await readSentOn(client, today);
    return used === undefined ? undefined : { daily, left: Math.max(0, daily - used) };
  });
};

/** What was sent today, counted in the same way; undefined if it cannot be read. */
export const readUsedToday = (ctx: Ports): Promise<number | undefined> =>
  unless(isUnavailable, async () => readSentOn(await ctx.session.client(), await serviceTime(ctx)));

/** The service enforces its quota itself: a run does not fail because the figure is unavailable. */
const isUnavailable = (error: unknown): boolean =>
  error instanceof MsgError && error.kind !== "interrupted" && error.kind !== "fault";

/** What is read of both lists: an invalid figure would stop a run, or end it as a fault. */
const byCode = v.record(v.string(), v.record(v.string(), v.number()));
const days = v.array(v.object({ statusCode: byCode }));
const counts = v.object({ registeredSuccess: v.number(), sentTotal: v.number() });
const sending = v.record(v.string(), v.object({ count: counts }));

/**
 * What left the service since a day began, and what groups that are being sent still hold. Undefined if the
 * service does not say.
 */
const readSentOn = async (client: Client, today: Date): Promise<number | undefined> => {
  const startDate = new Date(dayOf(today) * dayMs - seoulOffsetMs).toISOString();
  const { dayPeriod } = await client.call(getStatistics, { query: { startDate } });
  const read = v.safeParse(days, dayPeriod);
  if (!read.success) return undefined;
  const left = read.output.flatMap(({ statusCode }) =>
    Object.entries(statusCode)
      .filter(([code]) => hasLeft(code))
      .flatMap(([, types]) => Object.values(types)),
  );
  const query = { criteria: "status", cond: "eq", value: "SENDING", startDate, limit: maxRows };
  const { groupList } = await client.call(listGroups, { query });
  const groups = v.safeParse(sending, groupList);
  if (!groups.success) return undefined;
  const held = Object.values(groups.output).map(({ count }) =>
    Math.max(0, count.registeredSuccess - count.sentTotal),
  );
  return [...left, ...held].reduce((sum, it) => sum + it, 0);
};

/** Refused rows, and rows that wait in a group, are not sent. */
const hasLeft = (code: string): boolean => code !== "2000" && !code.startsWith("1");
