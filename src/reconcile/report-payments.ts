/** At the start of a command that has to do with money: what became of calls that were left in doubt. */

import { MsgError } from "../errors.ts";
import { sanitize } from "../output/text/safe.ts";
import type { Ports } from "../ports.ts";
import { decidableFrom, isExpired } from "../send/run/clocks.ts";
import { findEvidence, isSamePayment, movesMoney } from "./evidence/payment-evidence.ts";
import {
  forgetPayment,
  isSameCaller,
  listOpenPayments,
  type PaymentRecord,
  rewritePayment,
  type StoredPayment,
} from "./payment-records.ts";

/**
 * Looks for each call and tells of it; one that is decided is forgotten. Nothing is repeated, and
 * `--quiet` does not silence it.
 */
export const reportPayments = async (ctx: Ports): Promise<void> => {
  for (const { file } of listOpenPayments(ctx)) {
    // Read again: what was found for one of them is no evidence for the next.
    const kept = listOpenPayments(ctx).find((it) => it.file === file);
    if (!kept) continue;
    const { doubt } = kept;
    const { verdict, row } = await judge(ctx, kept);
    await ctx.io.err.write(`${sanitize(`${nameOf(doubt)}: ${wordsOf(doubt, verdict)}`)}\n`);
    if (verdict === "open") continue;
    forgetPayment(ctx, kept);
    if (row !== undefined && movesMoney(doubt.sought)) claim(ctx, doubt.sought, row);
  }
};

/** A row explains one call: for the others only what is newer counts. */
const claim = (ctx: Ports, sought: Parameters<typeof isSamePayment>[0], row: string): void => {
  for (const other of listOpenPayments(ctx))
    if (isSamePayment(sought, other.doubt.sought))
      rewritePayment(ctx, other, { ...other.doubt, sought: { ...other.doubt.sought, after: row } });
};

interface Judged {
  readonly verdict: "done" | "not done" | "open";
  readonly row?: string | undefined;
}

const judge = async (ctx: Ports, { doubt }: StoredPayment): Promise<Judged> => {
  const { sought, signed } = doubt;
  if (sought === null || !isSameCaller(ctx, doubt)) return { verdict: "open" };
  const { clock } = await ctx.session.client();
  try {
    const found = await findEvidence(await ctx.session.client(), sought, {});
    if (found) return { verdict: "done", row: found.row };
  } catch (error) {
    if (error instanceof MsgError && error.kind !== "interrupted") return { verdict: "open" };
    throw error;
  }
  if (signed === null) return { verdict: "open" };
  const signature = { date: signed, salt: "", key: doubt.key ?? undefined };
  const passedMs = ctx.clock.now().getTime() - Date.parse(doubt.signedAt ?? doubt.started);
  return { verdict: isExpired(signature, clock, passedMs) ? "not done" : "open" };
};

const nameOf = ({ command, amount, started }: PaymentRecord): string =>
  `msg ${command}${amount === null ? "" : ` (${amount})`} of ${started} got no answer`;

const wordsOf = ({ signed, todo }: PaymentRecord, verdict: Judged["verdict"]): string => {
  if (verdict === "done") return "it was done, as the account shows";
  if (verdict === "not done") return "it was not done, and cannot be any more";
  const when =
    signed === null
      ? "nothing proves that it was not done"
      : `if it is not there after ${decidableFrom(signed)}, it was not done`;
  return `nobody knows yet whether it was done; ${todo}; ${when}`;
};
