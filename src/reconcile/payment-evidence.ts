/** What a call with a second factor leaves, and whether the account shows it when no answer came. */

import * as v from "valibot";
import { type Client, clientWith, detached } from "../client/client.ts";
import { type Endpoint, maxRows } from "../contract/endpoint.ts";
import { MsgError, runAgain } from "../errors.ts";
import { joinSentences, t } from "../locale/locale.ts";
import type { Ports } from "../ports.ts";
import { changes, type Movement, movement, movements, type Payment } from "./evidence-table.ts";

/** Stored before the request leaves, so that another start can look too. */
export const evidence = v.union([movement, ...changes.map(({ leaves }) => leaves)]);

export type Evidence = v.InferOutput<typeof evidence>;

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
const agreedOn = async <T>(read: () => Promise<T>): Promise<T> => {
  let last = await read();
  for (let reads = 1; reads < maxReads; reads += 1) {
    const next = await read();
    if (JSON.stringify(next) === JSON.stringify(last)) return next;
    last = next;
  }
  const what = t`each read of the account shows something different`;
  throw new MsgError("refused", what, { code: "UnreadableAnswer", todo: runAgain });
};

/** The payment that a call makes; undefined for one that moves no money. */
export const paymentOf = (endpoint: Endpoint, body: unknown): Payment | undefined =>
  Object.values(movements).find(isOf(endpoint))?.paymentOf(body);

const isOf =
  ({ method, path }: Endpoint) =>
  (row: { readonly endpoint: Endpoint }): boolean =>
    row.endpoint.method === method && row.endpoint.path === path;

/** Undefined if the call leaves nothing. Throws MsgError, also if no two reads of the account agree. */
export const captureEvidence = (
  client: Client,
  endpoint: Endpoint,
  body: unknown,
): Promise<Evidence | undefined> =>
  agreedOn(async () => {
    const payment = paymentOf(endpoint, body);
    if (!payment) return changes.find(isOf(endpoint))?.capture(client, body);
    for await (const { id } of movements[payment.in].list(client, payment, 1))
      return { ...payment, after: id };
    return { ...payment, after: null };
  });

/** Undefined if there is nothing. Returns the oldest of several rows: later ones may belong to another call. */
export const findEvidence = (client: Client, it: Evidence): Promise<FoundEvidence | undefined> =>
  agreedOn(async () => {
    if (movesMoney(it)) return findMovement(client, it);
    const reply = await changes.find(({ leaves }) => v.is(leaves, it))?.find(client, it);
    return reply === undefined ? undefined : { reply };
  });

export const movesMoney = (it: Evidence | null | undefined): it is Movement =>
  it != null && "amount" in it;

/** Whether looking for it proves anything. */
export const isFindable = (it: Evidence | undefined): it is Evidence =>
  it !== undefined && !(movesMoney(it) && it.after === undefined);

/** Whether both would leave evidence that looks the same. */
export const isSamePayment = (one: Movement, other: Evidence | null): other is Movement =>
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

/**
 * The oldest row that the call may have made among those newer than the previously newest row, whatever their dates
 * say. Throws MsgError (unknown) if that row is not known, and for a list without it: that is the answer to
 * another request.
 */
const findMovement = async (client: Client, it: Movement): Promise<FoundEvidence | undefined> => {
  if (it.after === undefined) throw unfoundError(t`the account could not be read before the call`);
  let found: FoundEvidence | undefined;
  for await (const { id, reply } of movements[it.in].list(client, it, maxRows)) {
    if (id === it.after) return found;
    if (reply !== undefined) found = { reply, row: id, count: (found?.count ?? 0) + 1 };
  }
  if (it.after === null) return found;
  throw unfoundError(
    t`the list does not show what it showed before: it is the answer to another request`,
  );
};

const unfoundError = (what: string): MsgError =>
  new MsgError("unknown", what, { code: "UnreadableAnswer" });
