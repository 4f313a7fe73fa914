/** Fills the lists of blocked recipients. */
import type { Input, Reply } from "../../contract/endpoint.ts";
import type { Controls } from "../../contract/sandbox.ts";
import { accountA } from "../fixtures/accounts.ts";
import { validationError } from "../service.ts";
import type { AdminContext } from "./admin-context.ts";

const digitsOf = (typed: string): string => {
  const digits = typed.replaceAll("-", "");
  if (/^\d{5,15}$/.test(digits)) return digits;
  throw validationError(`'${typed}' is not a phone number.`);
};

/** A second time it does nothing. */
export const addBlock = (
  { body: { to, from, optOut = false, memo = "" } }: Input<Controls["addBlock"]>,
  { store, now }: AdminContext,
): Reply<Controls["addBlock"]> => {
  if (optOut && from === undefined)
    throw validationError("'from' is needed: a recipient opts out of one sender.");
  const [recipient, sender] = [digitsOf(to), from === undefined ? "" : digitsOf(from)];
  const created = now.getTime();
  const block = { accountId: accountA, recipient, sender, optedOut: Number(optOut), memo, created };
  store.blocks.add(block);
  return { to: recipient, from: sender || null, statusCode: optOut ? "1061" : "1060", memo };
};

export const removeBlock = (
  { body }: Input<Controls["removeBlock"]>,
  { store }: AdminContext,
): Reply<Controls["removeBlock"]> => {
  const to = digitsOf(body.to);
  return { to, removed: store.blocks.remove(accountA, to) };
};
