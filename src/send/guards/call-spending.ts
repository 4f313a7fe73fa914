/** Guards calls that no command guards, and groups sent by hand: what they spend, and whether their rows went out. */
import * as v from "valibot";
import type { Client } from "../../client/client.ts";
import { encode } from "../../client/codec.ts";
import type { Endpoint, UntypedRequest } from "../../contract/endpoint.ts";
import { readGroup } from "../../contract/groups.ts";
import {
  type Group,
  type MessageInput,
  messageInput,
  type TypeKey,
  typeKeys,
} from "../../contract/message-records.ts";
import { asRecord } from "../../json/read-json.ts";
import { t } from "../../locale/locale.ts";
import {
  fallbacksOf,
  formatMessageCount,
  formatReplaceable,
  priceOf,
  totalPrice,
} from "../../message/price.ts";
import type { Ports } from "../../ports.ts";
import { confirm } from "../../prompt/prompt.ts";
import { customField, hasRowsOf, retriedError } from "../claims/group-fields.ts";
import { createGroupFields, listWithFields } from "../claims/message-fields.ts";
import { maxGroupAgeMs } from "../run/clocks.ts";
import { readPrices, readPricesIfAllowed } from "./account.ts";
import { assertSpendingAllowed, describeSpending, type Limits, type Spending } from "./spending.ts";

/** Throws MsgError (stopped) if the call may not be made. */
export const assertCallAllowed = async (
  ctx: Ports,
  endpoint: Endpoint,
  input: UntypedRequest,
): Promise<void> => assertSpendingAllowed(ctx, await spendingOf(ctx, endpoint, input));

const spendingOf = async (
  ctx: Ports,
  endpoint: Endpoint,
  input: UntypedRequest,
): Promise<Spending> => {
  const { amount, message, messages } = asRecord(input.body);
  if (endpoint.spends === "won")
    return { unit: "won", amount: Number(amount), cost: Number(amount) };
  const [, groupId] = /\/groups\/([^/?]+)\//.exec(encode(endpoint, input).target) ?? [];
  if (groupId !== undefined) {
    const client = await ctx.session.client();
    const group = await client.call(readGroup, { params: { groupId } });
    return (await spendingOfGroup(client, group)).spending;
  }
  const sent = v.safeParse(v.array(messageInput), [message ?? messages ?? []].flat());
  // The service refuses what is malformed: it counts as one message, and costs nothing.
  return (await spendingOfMessages(ctx, sent.success ? sent.output : [])).spending;
};

/**
 * Reads the price if a ceiling needs it, a person is watching, or a large send has no one to ask. `fallbackPrice`:
 * that of what may go out in place of these messages, which a ceiling covers, too.
 */
export const spendingOfMessages = async (
  ctx: Ports,
  messages: readonly MessageInput[],
  limits?: Limits,
) => {
  const amount = messages.reduce((sum, { to }) => sum + [to ?? ""].flat().length, 0);
  const isNeeded = (limits?.maxCost ?? ctx.settings.maxCost.value) !== undefined;
  const isShown =
    (ctx.io.err.isTTY && !ctx.view.quiet) || ctx.consent.dryRun || ctx.view.envelope || amount > 1;
  const fallbacks = messages.flatMap(fallbacksOf);
  const countries = [...messages, ...fallbacks].map(({ country }) => country || "82");
  const prices =
    isNeeded || isShown ? await readPricesIfAllowed(ctx, countries, isNeeded) : undefined;
  const price = prices && totalPrice(messages, prices);
  const fallbackPrice = prices && totalPrice(fallbacks, prices);
  const cost =
    price === undefined || fallbackPrice === undefined ? undefined : price + fallbackPrice;
  const spending: Spending = { unit: "messages", amount: Math.max(1, amount), cost, limits };
  return { spending, price, fallbackPrice };
};

/**
 * Reads the group, stops if its rows went out, at a ceiling or on a protected profile (exit 7), and asks. `again`:
 * sends it whatever others have done with its rows.
 */
export const confirmGroupCost = async (
  ctx: Ports,
  groupId: string,
  doing: "Send" | "Send again",
  { again, ...limits }: Limits & { readonly again?: boolean | undefined },
): Promise<void> => {
  const client = await ctx.session.client();
  const group = await client.call(readGroup, { params: { groupId } });
  if (!again) await assertNotSentSince(ctx, group);
  const { spending, isKnown } = await spendingOfGroup(client, group);
  assertSpendingAllowed(ctx, { ...spending, limits });
  const { amount, cost } = spending;
  const what = isKnown
    ? describeSpending(amount, cost) + formatReplaceable(replaceableIn(group))
    : t`up to ${formatMessageCount(amount)}`;
  const question =
    doing === "Send"
      ? t`Send group ${groupId}: ${what}?`
      : t`Send group ${groupId} again: ${what}?`;
  await confirm(ctx, { question });
};

/**
 * Throws MsgError (stopped) if another group that was not given up holds rows of this one, as far as groups say.
 * One that a person made says nothing of its rows.
 */
export const assertNotSentSince = async (ctx: Ports, record: Group): Promise<void> => {
  // The service refuses it in its own words: no flag sends it.
  if (record.status === "DELETED") return;
  const client = await ctx.session.client();
  const [group = record] = await createGroupFields(ctx, client, true).read([record]);
  if (customField(group, "msg.in") === undefined) return;
  // Others may have made theirs before it, and sent them since.
  const others = await listWithFields(ctx, Date.parse(record.dateCreated) - maxGroupAgeMs);
  const other = others.find((it) => hasRowsOf(it, group));
  if (other) throw retriedError(other, false);
};

/**
 * Only a group that was not sent yet holds what it costs: for any other the total counts, since one that
 * failed counts none as accepted. The service refuses a group that cannot be sent in its own words.
 */
const spendingOfGroup = async (client: Client, group: Group) => {
  const { groupId, status, count } = group;
  const isKnown = status === "PENDING" || status === "SCHEDULED";
  const amount = isKnown ? count.registeredSuccess : count.total;
  const cost = isKnown ? await costOf(client, group) : status === "FAILED" ? undefined : 0;
  const spending: Spending = { unit: "messages", amount, cost, where: t`group ${groupId}` };
  return { spending, isKnown };
};

/** Messages that are not plain text: another may be sent in place of each. */
const replaceableIn = ({ countForCharge }: Group): number =>
  typeKeys
    .filter((key) => !/^[slm]ms$/.test(key))
    .flatMap((key) => Object.values(countForCharge[key]))
    .reduce((sum, count) => sum + count, 0);

/** In won; undefined if a price is not published. */
const costOf = async (client: Client, { countForCharge }: Group): Promise<number | undefined> => {
  const countries = new Set(typeKeys.flatMap((key) => Object.keys(countForCharge[key])));
  const counts = new Map<string, Map<TypeKey, number>>();
  for (const countryId of countries) {
    const row = typeKeys.map((key) => [key, countForCharge[key][countryId] ?? 0] as const);
    counts.set(countryId, new Map(row.filter(([, count]) => count > 0)));
  }
  return priceOf(counts, await readPrices(client, countries));
};
