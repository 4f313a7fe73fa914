/** Names the sender numbers that are registered where one was refused because it is not. */
import { listSenders } from "../../contract/account-lists.ts";
import { MsgError } from "../../errors.ts";
import { asRecord } from "../../json/read-json.ts";
import type { Ports } from "../../ports.ts";

const unregistered = "1062";

/** A single send is refused as a whole: its text begins with the code of its message. */
const isUnregistered = (error: unknown): boolean => {
  if (!(error instanceof MsgError)) return false;
  const { errorMessage } = asRecord(error.api);
  const inText = typeof errorMessage === "string" && errorMessage.startsWith(`${unregistered},`);
  return inText || [error, ...error.details].some(({ code }) => code === unregistered);
};

/** The error goes up as it is, whatever the service says of the others. */
export const noteSenders = async (ctx: Ports, error: unknown): Promise<void> => {
  if (!isUnregistered(error)) return;
  const client = await ctx.session.client();
  const reply = await client.call(listSenders, {}).catch(() => undefined);
  const numbers = reply?.senderIds.map(({ phoneNumber }) => phoneNumber).join(", ");
  if (numbers) await ctx.note(`registered sender numbers: ${numbers} (msg sender list)`);
};
