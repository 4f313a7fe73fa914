/** At the start of a command that has to do with money: what became of calls that were left in doubt. */

import { MsgError } from "../errors.ts";
import { safe } from "../output/text/safe.ts";
import type { Ports } from "../ports.ts";
import { certainFrom, isExpired } from "../send/run/clocks.ts";
import { isMoving, look, looksLike } from "./evidence/payment-evidence.ts";
import {
  type Doubt,
  forget,
  isOfThisAccount,
  type Kept,
  openDoubts,
  rewrite,
} from "./payment-records.ts";

/**
 * Looks for each call and tells of it; one that is decided is forgotten. Nothing is repeated, and
 * `--quiet` does not silence it.
 */
export const tellDoubts = async (ctx: Ports): Promise<void> => {
  for (const { file } of openDoubts(ctx)) {
    // Read again: what was found for one of them is no evidence for the next.
    const kept = openDoubts(ctx).find((it) => it.file === file);
    if (!kept) continue;
    const { doubt } = kept;
    const { verdict, row } = await judge(ctx, kept);
    await ctx.err.write(`${safe(`${nameOf(doubt)}: ${wordsOf(doubt, verdict)}`)}\n`);
    if (verdict === "open") continue;
    forget(ctx, kept);
    if (row !== undefined && isMoving(doubt.sought)) claim(ctx, doubt.sought, row);
  }
};

/** A row explains one call: for the others only what is newer counts. */
const claim = (ctx: Ports, sought: Parameters<typeof looksLike>[0], row: string): void => {
  for (const other of openDoubts(ctx))
    if (looksLike(sought, other.doubt.sought))
      rewrite(ctx, other, { ...other.doubt, sought: { ...other.doubt.sought, after: row } });
};

interface Judged {
  readonly verdict: "done" | "not done" | "open";
  readonly row?: string | undefined;
}

const judge = async (ctx: Ports, { doubt }: Kept): Promise<Judged> => {
  const { sought, signed } = doubt;
  if (sought === null || !isOfThisAccount(ctx, doubt)) return { verdict: "open" };
  const { clock } = await ctx.client();
  try {
    const found = await look(await ctx.client(), sought, {});
    if (found) return { verdict: "done", row: found.row };
  } catch (error) {
    if (error instanceof MsgError && error.kind !== "interrupted") return { verdict: "open" };
    throw error;
  }
  if (signed === null) return { verdict: "open" };
  const signature = { date: signed, salt: "", key: doubt.key ?? undefined };
  const passedMs = ctx.now().getTime() - Date.parse(doubt.signedAt ?? doubt.started);
  return { verdict: isExpired(signature, clock, passedMs) ? "not done" : "open" };
};

const nameOf = ({ command, amount, started }: Doubt): string =>
  `msg ${command}${amount === null ? "" : ` (${amount})`} of ${started} got no answer`;

const wordsOf = ({ signed, todo }: Doubt, verdict: Judged["verdict"]): string => {
  if (verdict === "done") return "it was done, as the account shows";
  if (verdict === "not done") return "it was not done, and cannot be any more";
  const when =
    signed === null
      ? "nothing proves that it was not done"
      : `if it is not there after ${certainFrom(signed)}, it was not done`;
  return `nobody knows yet whether it was done; ${todo}; ${when}`;
};
