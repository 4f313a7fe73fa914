/** What a single call spends, by its endpoint and its input: the guard of calls that no command guards itself. */
import * as v from "valibot";
import { encode } from "../../client/codec.ts";
import type { Endpoint, UntypedRequest } from "../../contract/endpoint.ts";
import { type MessageInput, messageInput } from "../../contract/message-records.ts";
import { asRecord } from "../../json/read-json.ts";
import { totalPrice } from "../../message/price.ts";
import type { Ports } from "../../ports.ts";
import { readPricesIfAllowed } from "./account.ts";
import { readGroupSpending } from "./group-spending.ts";
import { assertSpendingAllowed, type Limits, type Spending } from "./spending.ts";

/** Throws MsgError (stopped) where the call may not be made. */
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
  if (groupId !== undefined)
    return (await readGroupSpending(await ctx.session.client(), groupId)).spending;
  const sent = v.safeParse(v.array(messageInput), [message ?? messages ?? []].flat());
  // The service refuses what is malformed: it counts as one message, and costs nothing.
  return spendingOfMessages(ctx, sent.success ? sent.output : []);
};

/** The price is read where a ceiling asks for it, a person looks on, or a large send has no one to ask. */
export const spendingOfMessages = async (
  ctx: Ports,
  messages: readonly MessageInput[],
  limits?: Limits,
): Promise<Spending> => {
  const amount = messages.reduce((sum, { to }) => sum + [to ?? ""].flat().length, 0);
  const isNeeded = (limits?.maxCost ?? ctx.settings.maxCost.value) !== undefined;
  const isShown =
    (ctx.io.err.isTTY && !ctx.view.quiet) || ctx.consent.dryRun || ctx.view.envelope || amount > 1;
  const countries = messages.map(({ country }) => country ?? "82");
  const prices =
    isNeeded || isShown ? await readPricesIfAllowed(ctx, countries, isNeeded) : undefined;
  const cost = prices && totalPrice(messages, prices);
  return { unit: "messages", amount: Math.max(1, amount), cost, limits };
};
