/** What is asked of the account before a run: who it is, what it can pay, what messages cost. */
import type { Context } from "../../context.ts";
import { getBalance } from "../../contract/cash.ts";
import { getPrice, type Price } from "../../contract/pricing.ts";
import { MsgError } from "../../errors.ts";

export interface Account {
  readonly account: string | undefined;
  /** Balance and points; undefined where they may not be read, or are filled up by themselves. */
  readonly money: number | undefined;
}

/** The last four characters of the key that proves who calls; none with an access token. */
export const keyOf = ({ settings }: Context): string | undefined => {
  const credentials = settings.credentials.value;
  return credentials?.kind === "key" ? credentials.apiKey.slice(-4) : undefined;
};

/** A caller that may send need not be allowed to see the balance. */
export const accountOf = async (ctx: Context): Promise<Account> => {
  const client = await ctx.client();
  try {
    const { accountId, balance, point, autoRecharge } = await client.call(getBalance, {});
    return { account: accountId, money: autoRecharge === 0 ? balance + point : undefined };
  } catch (error) {
    if (isRefused(error)) return { account: undefined, money: undefined };
    throw error;
  }
};

const isRefused = (error: unknown): boolean =>
  error instanceof MsgError && (error.kind === "forbidden" || error.kind === "refused");

/** Unit prices, read once per country; undefined where the service does not tell them. */
export const pricesOf = async (
  ctx: Context,
  countries: readonly string[],
  needed: boolean,
): Promise<Readonly<Record<string, Price>> | undefined> => {
  const client = await ctx.client();
  const prices: Record<string, Price> = {};
  try {
    for (const countryId of countries)
      prices[countryId] = await client.call(getPrice, { query: { countryId } });
    return prices;
  } catch (error) {
    if (!needed && isRefused(error)) return undefined;
    throw error;
  }
};
