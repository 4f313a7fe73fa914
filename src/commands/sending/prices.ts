/** What messages cost, asked before anything is sent. */
import type { Client } from "../../client/client.ts";
import { getPrice, type Price } from "../../contract/pricing.ts";

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
