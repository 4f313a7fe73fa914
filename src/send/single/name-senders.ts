/** Names the sender numbers that are registered where one was refused because it is not. */

import { listSenders } from "../../contract/account.ts";
import { MsgError } from "../../errors.ts";
import { asRecord } from "../../json/read-json.ts";
import { t } from "../../locale/locale.ts";
import type { Ports } from "../../ports.ts";

const unregistered = "1062";

/** A single send is refused as a whole: its text begins with the code of its message. */
const isUnregistered = (error: unknown): error is MsgError => {
  if (!(error instanceof MsgError)) return false;
  const { errorMessage } = asRecord(error.api);
  const inText = typeof errorMessage === "string" && errorMessage.startsWith(`${unregistered},`);
  return inText || [error, ...error.details].some(({ code }) => code === unregistered);
};

/** The error with the numbers that may send, where the service names them; else as it is. */
export const nameSenders = async (ctx: Ports, error: unknown): Promise<unknown> => {
  if (!isUnregistered(error)) return error;
  const client = await ctx.session.client();
  const reply = await client.call(listSenders, {}).catch(() => undefined);
  const numbers = reply?.senderIds.map(({ phoneNumber }) => phoneNumber).join(", ");
  if (!numbers) return error;
  const todo = t`register the sender number, or use a registered one: ${numbers} (msg sender list)`;
  return new MsgError(error.kind, error.message, { ...error, todo });
};
