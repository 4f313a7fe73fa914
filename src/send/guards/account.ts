/** What is asked of the account before a run: what it can pay, what messages cost. */

import type { Client } from "../../client/client.ts";
import { getBalance } from "../../contract/cash.ts";
import type { Price } from "../../contract/pricing.ts";
import { getPrice } from "../../contract/pricing.ts";
import { MsgError } from "../../errors.ts";
import type { Ports } from "../../ports.ts";

/** Unit prices by country, each country asked for once. Throws what the client throws. */
export const readPrices = async (
  client: Client,
  countries: Iterable<string>,
): Promise<Readonly<Record<string, Price>>> => {
  const prices: Record<string, Price> = {};
  for (const countryId of new Set(countries))
    prices[countryId] = await client.call(getPrice, { query: { countryId } });
  return prices;
};

export interface Account {
  readonly account: string | undefined;
  /** Balance and points; undefined where they may not be read, or are filled up by themselves. */
  readonly money: number | undefined;
}

/** A caller that may send need not be allowed to see the balance. */
export const readAccount = async (ctx: Ports): Promise<Account> => {
  const client = await ctx.session.client();
  try {
    const { accountId, balance, point, autoRecharge } = await client.call(getBalance, {});
    // What is no figure stops nothing: the service checks the balance itself.
    const isKnown = autoRecharge === 0 && Number.isFinite(balance) && Number.isFinite(point);
    return { account: accountId, money: isKnown ? balance + point : undefined };
  } catch (error) {
    if (isRefused(error)) return { account: undefined, money: undefined };
    throw error;
  }
};

const isRefused = (error: unknown): boolean =>
  error instanceof MsgError && (error.kind === "forbidden" || error.kind === "refused");

/** Unit prices by country; undefined where this caller may not read them and they are not needed. */
export const readPricesIfAllowed = async (
  ctx: Ports,
  countries: Iterable<string>,
  needed: boolean,
): Promise<Readonly<Record<string, Price>> | undefined> => {
  try {
    return await readPrices(await ctx.session.client(), countries);
  } catch (error) {
    if (!needed && isRefused(error)) return undefined;
    throw error;
  }
};
