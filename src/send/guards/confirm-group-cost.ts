/** What sending a group costs: said, guarded and agreed to before it is sent. */
import type { Client } from "../../client/client.ts";
import { readGroup } from "../../contract/groups.ts";
import { type Group, type TypeKey, typeKeys } from "../../contract/message-records.ts";
import { formatWon, priceOf } from "../../message/price.ts";
import type { Ports } from "../../ports.ts";
import { confirm } from "../../prompt/confirm.ts";
import { readPrices } from "./account.ts";
import { assertCost, assertRecipients } from "./ceilings.ts";

/** Ceilings that a command line sets; the profile's hold where they are left out. */
export interface GroupLimits {
  readonly maxCost?: number | undefined;
  readonly maxRecipients?: number | undefined;
}

/**
 * Reads the group, stops at a ceiling (exit 7), and asks. Only a pending group shows what it holds and
 * costs: of any other one its total is taken, since one that failed counts none as accepted.
 */
export const confirmGroupCost = async (
  ctx: Ports,
  groupId: string,
  { ceilings, doing }: { readonly ceilings: GroupLimits; readonly doing: "Send" | "Send again" },
): Promise<void> => {
  const client = await ctx.session.client();
  const group = await client.call(readGroup, { params: { groupId } });
  const isKnown = group.status === "PENDING";
  const cost = isKnown ? await costOf(client, group) : undefined;
  const count = isKnown ? group.count.registeredSuccess : group.count.total;
  assertRecipients(count, ceilings.maxRecipients ?? ctx.settings.maxRecipients.value);
  // A group that cannot be sent is refused by the service in its own words.
  if (isKnown || group.status === "FAILED")
    assertCost(cost, ceilings.maxCost ?? ctx.settings.maxCost.value);
  const what = isKnown
    ? `${count} messages for ${cost === undefined ? "a price that is not known" : formatWon(cost)}`
    : `up to ${count} messages`;
  await confirm(ctx, { question: `${doing} group ${groupId}: ${what}?` });
};

/** In won; undefined where a price is not published. */
const costOf = async (client: Client, { countForCharge }: Group): Promise<number | undefined> => {
  const countries = new Set(typeKeys.flatMap((key) => Object.keys(countForCharge[key])));
  const counts = new Map<string, Map<TypeKey, number>>();
  for (const countryId of countries) {
    const row = typeKeys.map((key) => [key, countForCharge[key][countryId] ?? 0] as const);
    counts.set(countryId, new Map(row.filter(([, count]) => count > 0)));
  }
  return priceOf(counts, await readPrices(client, countries));
};
