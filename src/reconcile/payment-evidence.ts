/** What a call with a second factor leaves, and where to find it when no answer came. */

import * as v from "valibot";
import { type Client, clientWith, detached } from "../client/client.ts";
import { getAlert, getBalance, type historyItem, listHistory } from "../contract/cash.ts";
import { type Endpoint, maxRows, type Row } from "../contract/endpoint.ts";
import { getBankAccount, listPayments, listWithdrawals } from "../contract/payment.ts";
import { MsgError, runAgain } from "../errors.ts";
import { joinSentences, t } from "../locale/locale.ts";
import type { Ports } from "../ports.ts";

export type Card = Row<typeof listPayments>;

/** Every registered card, in the order of the list. */
export const listCards = async (client: Client): Promise<Card[]> => {
  const cards: Card[] = [];
  for await (const page of client.pages(listPayments, {})) cards.push(...page.rows);
  return cards;
};

/**
 * The newest row of a list before the call: the rows above it are newer. Null for an empty list; absent if the
 * list could not be read: the payment is known, and cannot be found.
 */
const after = v.optional(v.nullable(v.string()));

/**
 * Stored before the request leaves, so that another start can look too: never a card number, a code,
 * or an account number as a whole.
 */
export const evidence = v.variant("in", [
  v.object({ in: v.literal("charges"), amount: v.number(), after }),
  v.object({ in: v.literal("transfers"), amount: v.number(), to: v.string(), after }),
  v.object({ in: v.literal("withdrawals"), amount: v.number(), after }),
  v.object({ in: v.literal("new card"), known: v.array(v.string()), expires: v.string() }),
  v.object({ in: v.literal("removed card"), paymentId: v.string() }),
  v.object({ in: v.literal("recharge"), on: v.boolean() }),
  v.object({
    in: v.literal("alert"),
    balances: v.array(v.number()),
    channels: v.array(v.string()),
  }),
  v.object({ in: v.literal("alert switch"), enabled: v.boolean() }),
  v.object({
    in: v.literal("bank account"),
    bankCode: v.string(),
    lastDigits: v.string(),
    holderName: v.string(),
    /** When the account before it was registered. */
    updated: v.nullable(v.string()),
  }),
  v.object({ in: v.literal("no bank account") }),
]);

export type Evidence = v.InferOutput<typeof evidence>;

/** What identifies a payment before the list that will hold it is read. */
export type Payment =
  | Pick<In<"charges">, "in" | "amount">
  | Pick<In<"transfers">, "in" | "amount" | "to">
  | Pick<In<"withdrawals">, "in" | "amount">;

/** What a call left behind. */
export interface FoundEvidence {
  /** The reply that the call would have returned. */
  readonly reply: unknown;
  /** The row, if its list only grows. */
  readonly row?: string;
  /** How many such rows there are. */
  readonly count?: number;
}

/** At most this many reads. */
const maxReads = 5;

/**
 * What two consecutive reads agree on: one alone may be the answer to another request, and an operator
 * who reads that a payment was not made pays again. Throws MsgError if no two of them agree.
 */
export const agreedOn = async <T>(read: () => Promise<T>): Promise<T> => {
  let last = await read();
  for (let reads = 1; reads < maxReads; reads += 1) {
    const next = await read();
    if (JSON.stringify(next) === JSON.stringify(last)) return next;
    last = next;
  }
  const what = t`each read of the account shows something different`;
  throw new MsgError("refused", what, { code: "UnreadableAnswer", todo: runAgain });
};

/** Undefined if there is nothing. Returns the oldest of several rows: later ones may belong to another call. */
export const findEvidence = (client: Client, it: Evidence): Promise<FoundEvidence | undefined> =>
  agreedOn(async () => {
    if (it.in === "charges" || it.in === "transfers") return findMovement(client, it);
    if (it.in === "withdrawals") return findWithdrawal(client, it);
    const reply = await findState(client, it);
    return reply === undefined ? undefined : { reply };
  });

/** A movement of money: each row is a separate one, however equal they look. */
type Moving = In<"charges" | "transfers" | "withdrawals">;

export const movesMoney = (it: Evidence | null | undefined): it is Moving =>
  it != null && "amount" in it;

/** Whether looking for it proves anything. */
export const isFindable = (it: Evidence | undefined): it is Evidence =>
  it !== undefined && !(movesMoney(it) && it.after === undefined);

/** Whether both would leave evidence that looks the same. */
export const isSamePayment = (one: Moving, other: Evidence | null): other is Moving =>
  movesMoney(other) &&
  JSON.stringify({ ...one, after: null }) === JSON.stringify({ ...other, after: null });

/**
 * A movement of money counts when the account shows it: its answer names nothing of the request, and may belong to
 * an earlier request. Throws MsgError (unknown) if it is not there, or cannot be read; `check` is the command that
 * shows it to a person.
 */
export const confirmByAccount = async (
  client: Client,
  { method, path }: Endpoint,
  evidence: Evidence | undefined,
  check: string,
): Promise<FoundEvidence | undefined> => {
  if (!movesMoney(evidence) || !isFindable(evidence)) return undefined;
  const reader = clientWith(client, detached);
  const found = await findEvidence(reader, evidence).catch((error: unknown) => {
    if (error instanceof MsgError) return undefined;
    throw error;
  });
  if (found) return found;
  throw new MsgError("unknown", t`the service accepted it, but the account did not confirm it`, {
    code: "NotConfirmed",
    where: `${method} ${path}`,
    todo: check,
  });
};

/** Without a signature the service performs each copy of a call. `--quiet` does not silence it. */
export const reportCopies = async (
  { io }: Ports,
  found: FoundEvidence | undefined,
  check: string,
): Promise<void> => {
  const { count = 1 } = found ?? {};
  if (count === 1) return;
  const what = t`the account shows ${count} such movements since: a gateway may have repeated the call, or someone else made the same one`;
  await io.err.write(`${joinSentences([what, check])}\n`);
};

const findState = async (client: Client, it: Exclude<Evidence, Moving>): Promise<unknown> => {
  switch (it.in) {
    case "new card": {
      const cards = await listCards(client);
      const card = cards.find(
        ({ _id, expDate }) => !it.known.includes(_id) && expDate === it.expires,
      );
      return card && { paymentId: card._id, description: card.description, expDate: card.expDate };
    }
    case "removed card": {
      const isThere = (await listCards(client)).some(({ _id }) => _id === it.paymentId);
      return isThere ? undefined : { paymentId: it.paymentId, message: "Successfully deleted." };
    }
    case "recharge": {
      const { autoRecharge } = await client.call(getBalance, {});
      return (autoRecharge === 1) === it.on ? { autoRecharge: it.on } : undefined;
    }
    case "alert":
    case "alert switch":
      return findAlert(client, it);
    case "bank account":
      return findBankAccount(client, it);
    case "no bank account": {
      const { accountNumber } = await client.call(getBankAccount, {});
      return accountNumber === undefined ? { n: 1 } : undefined;
    }
  }
};

type In<K extends Evidence["in"]> = Extract<Evidence, { in: K }>;

/**
 * The oldest row that `replyOf` accepts among those newer than the previously newest row, whatever their dates
 * say. Throws MsgError (unknown) if that row is not known, and for a list without it: that is the answer to
 * another request.
 */
const findRow = async <R>(
  pages: AsyncIterable<{ readonly rows: readonly R[] }>,
  last: string | null | undefined,
  idOf: (row: R) => string,
  replyOf: (row: R) => unknown,
): Promise<FoundEvidence | undefined> => {
  if (last === undefined) throw unfoundError(t`the account could not be read before the call`);
  let found: FoundEvidence | undefined;
  for await (const { rows } of pages)
    for (const row of rows) {
      if (idOf(row) === last) return found;
      const reply = replyOf(row);
      if (reply !== undefined) found = { reply, row: idOf(row), count: (found?.count ?? 0) + 1 };
    }
  if (last === null) return found;
  throw unfoundError(
    t`the list does not show what it showed before: it is the answer to another request`,
  );
};

const unfoundError = (what: string): MsgError =>
  new MsgError("unknown", what, { code: "UnreadableAnswer" });

/** The query that reads both the newest row before the call and the rows after it. */
export const movementQuery = (it: { readonly in: string; readonly amount: number }) => ({
  query: { balanceAmount: it.in === "transfers" ? 0 - it.amount : it.amount },
});

const findMovement = (client: Client, it: In<"charges" | "transfers">) =>
  findRow(
    client.pages(listHistory, movementQuery(it), { rows: maxRows }),
    it.after,
    ({ historyId }) => historyId,
    (row) => {
      if (it.in === "charges") return isCharge(row, it.amount) ? row : undefined;
      return isTransfer(row, it) ? "Success" : undefined;
    },
  );

type Movement = v.InferOutput<typeof historyItem>;

const isOwn = ({ groupId, serviceMethod }: Movement): boolean =>
  groupId === null && serviceMethod === null;

const isCharge = (row: Movement, amount: number): boolean =>
  isOwn(row) &&
  row.balanceAmount === amount &&
  row.rechargeMethod !== null &&
  row.rechargeMethod !== "ACCOUNT-TRANSFER";

/** A withdrawal of the same amount names no account. */
const isTransfer = (row: Movement, { amount, to }: In<"transfers">): boolean =>
  isOwn(row) && row.balanceAmount === 0 - amount && (row.memo === null || row.memo.includes(to));

const findWithdrawal = (client: Client, { amount, after: last }: In<"withdrawals">) =>
  findRow(
    client.pages(listWithdrawals, {}, { rows: maxRows }),
    last,
    ({ withdrawId }) => withdrawId,
    (row) => (row.totalAmount === amount ? row : undefined),
  );

const findAlert = async (client: Client, it: In<"alert" | "alert switch">): Promise<unknown> => {
  const { _id, lowBalanceAlert } = await client.call(getAlert, {});
  const { enabled, balances, channels } = lowBalanceAlert;
  if (it.in === "alert switch")
    return enabled === it.enabled ? { accountId: _id, enabled } : undefined;
  return sameMembers(balances, it.balances) && sameMembers(channels, it.channels)
    ? { message: "Successfully registered." }
    : undefined;
};

const sameMembers = <T>(left: readonly T[], right: readonly T[]): boolean =>
  new Set([...left, ...right]).size === new Set(left).size &&
  new Set(left).size === new Set(right).size;

const findBankAccount = async (client: Client, it: In<"bank account">): Promise<unknown> => {
  const found = await client.call(getBankAccount, {});
  const isIt =
    found.bankCode === it.bankCode &&
    found.holderName === it.holderName &&
    found.accountNumber?.endsWith(it.lastDigits) === true &&
    (found.dateUpdated ?? null) !== it.updated;
  if (!isIt) return undefined;
  const { accountNumber, bankCode, holderName } = found;
  return { accountNumber, bankCode, holderName, success: true };
};
