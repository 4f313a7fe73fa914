/** What sending a group costs: said, guarded and agreed to before it is sent. */
import type { Client } from "../../client/client.ts";
import type { Context } from "../../context.ts";
import { readGroup } from "../../contract/groups.ts";
import { type Group, typeKeys } from "../../contract/message-records.ts";
import { getPrice } from "../../contract/pricing.ts";
import { MsgError } from "../../errors.ts";
import { confirm } from "../line/confirm.ts";

/** Ceilings that a command line sets; the profile's hold where they are left out. */
export interface Ceilings {
  readonly maxCost?: number | undefined;
  readonly maxRecipients?: number | undefined;
}

/**
 * Reads the group, stops at a ceiling (exit 7), and asks. `count` are the messages that would go out
 * where the group itself does not tell: one that failed counts none as accepted.
 */
export const agreeToSend = async (
  ctx: Context,
  groupId: string,
  { ceilings, doing }: { readonly ceilings: Ceilings; readonly doing: "Send" | "Send again" },
): Promise<void> => {
  const client = await ctx.client();
  const group = await client.call(readGroup, { params: { groupId } });
  const isKnown = group.status === "PENDING";
  const cost = isKnown ? await priceOf(client, group) : undefined;
  guard(ctx, { group, cost, isKnown }, ceilings);
  const what = isKnown
    ? `${group.count.registeredSuccess} messages for ${cost ?? "an unknown number of"} won`
    : `up to ${group.count.total} messages`;
  await confirm(ctx, { question: `${doing} group ${groupId}: ${what}?` });
};

/** Undefined where a price is not published. */
const priceOf = async (client: Client, group: Group): Promise<number | undefined> => {
  let total: number | undefined = 0;
  const countries = new Set(typeKeys.flatMap((key) => Object.keys(group.countForCharge[key])));
  for (const countryId of countries) {
    const price = await client.call(getPrice, { query: { countryId } });
    for (const key of typeKeys) {
      const count = group.countForCharge[key][countryId] ?? 0;
      const unit = price[key];
      if (count === 0) continue;
      total = unit === undefined || total === undefined ? undefined : total + count * unit;
    }
  }
  return total;
};

interface Asked {
  readonly group: Group;
  readonly cost: number | undefined;
  readonly isKnown: boolean;
}

const guard = (ctx: Context, { group, cost, isKnown }: Asked, ceilings: Ceilings): void => {
  const most = ceilings.maxRecipients ?? ctx.settings.maxRecipients.value;
  const count = isKnown ? group.count.registeredSuccess : group.count.total;
  if (most !== undefined && count > most)
    throw new MsgError("stopped", `${count} recipients are more than the ${most} allowed`, {
      code: "TooManyRecipients",
      todo: "nothing was sent; raise --max-recipients or send less",
    });
  const ceiling = ceilings.maxCost ?? ctx.settings.maxCost.value;
  // A group that cannot be sent is refused by the service in its own words.
  if (ceiling === undefined || (!isKnown && group.status !== "FAILED")) return;
  if (cost !== undefined && cost <= ceiling) return;
  throw new MsgError(
    "stopped",
    cost === undefined
      ? "the price of the group is not known, and there is a ceiling"
      : `this would cost ${cost} won, above the ceiling of ${ceiling} won`,
    { code: "CostAboveCeiling", todo: "nothing was sent; raise --max-cost or send less" },
  );
};
