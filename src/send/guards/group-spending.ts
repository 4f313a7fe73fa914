/** What sending a group costs: read, guarded and agreed to before it is sent. */

import type { Client } from "../../client/client.ts";
import { readGroup } from "../../contract/groups.ts";
import { type Group, type TypeKey, typeKeys } from "../../contract/message-records.ts";
import { t } from "../../locale/locale.ts";
import { formatMessageCount, priceOf } from "../../message/price.ts";
import type { Ports } from "../../ports.ts";
import { confirm } from "../../prompt/prompt.ts";
import { readPrices } from "./account.ts";
import { assertSpendingAllowed, describeSpending, type Limits, type Spending } from "./spending.ts";

/** Reads the group, stops at a ceiling or on a protected profile (exit 7), and asks. */
export const confirmGroupCost = async (
  ctx: Ports,
  groupId: string,
  { limits, doing }: { readonly limits: Limits; readonly doing: "Send" | "Send again" },
): Promise<void> => {
  const { spending, isKnown } = await readGroupSpending(await ctx.session.client(), groupId);
  assertSpendingAllowed(ctx, { ...spending, limits });
  const { amount, cost } = spending;
  const what = isKnown ? describeSpending(amount, cost) : t`up to ${formatMessageCount(amount)}`;
  const question =
    doing === "Send"
      ? t`Send group ${groupId}: ${what}?`
      : t`Send group ${groupId} again: ${what}?`;
  await confirm(ctx, { question });
};

/**
 * Only a group that was not sent yet holds what it costs: of any other one its total is taken, since one
 * that failed counts none as accepted. One that cannot be sent is refused by the service in its own words.
 */
export const readGroupSpending = async (
  client: Client,
  groupId: string,
): Promise<{ readonly spending: Spending; readonly isKnown: boolean }> => {
  const group = await client.call(readGroup, { params: { groupId } });
  const { status, count } = group;
  const isKnown = status === "PENDING" || status === "SCHEDULED";
  const amount = isKnown ? count.registeredSuccess : count.total;
  const cost = isKnown ? await costOf(client, group) : status === "FAILED" ? undefined : 0;
  return { spending: { unit: "messages", amount, cost, where: t`group ${groupId}` }, isKnown };
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
