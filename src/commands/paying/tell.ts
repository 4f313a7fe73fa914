/** At the start of a command that has to do with money: what became of calls that were left in doubt. */
import { certainFrom, expiryMs } from "../../bulk/clocks.ts";
import type { Context } from "../../context.ts";
import { MsgError } from "../../errors.ts";
import { safe } from "../../output/safe.ts";
import { type Doubt, forget, isOfThisAccount, type Kept, openDoubts } from "./doubts.ts";
import { look } from "./sought.ts";

/**
 * Looks for each call and tells of it; one that is decided is forgotten. Nothing is repeated, and
 * `--quiet` does not silence it.
 */
export const tellDoubts = async (ctx: Context): Promise<void> => {
  for (const kept of openDoubts(ctx)) {
    const verdict = await judge(ctx, kept);
    await ctx.err.write(`${safe(`${nameOf(kept.doubt)}: ${wordsOf(kept.doubt, verdict)}`)}\n`);
    if (verdict !== "open") forget(ctx, kept);
  }
};

type Verdict = "done" | "not done" | "open";

const judge = async (ctx: Context, { doubt }: Kept): Promise<Verdict> => {
  const { sought, signed } = doubt;
  if (sought === null || !isOfThisAccount(ctx, doubt)) return "open";
  const clock: { servedMs?: number } = {};
  try {
    const found = await look(await ctx.client(), sought, {
      // The first answer's: what is looked at is no older.
      onAnswer: ({ headers }) => {
        clock.servedMs ??= Date.parse(headers.date ?? "");
      },
    });
    if (found !== undefined) return "done";
  } catch (error) {
    if (error instanceof MsgError && error.kind !== "interrupted") return "open";
    throw error;
  }
  const ageMs = signed === null ? Number.NaN : (clock.servedMs ?? Number.NaN) - Date.parse(signed);
  return ageMs > expiryMs ? "not done" : "open";
};

const nameOf = ({ command, amount, started }: Doubt): string =>
  `msg ${command}${amount === null ? "" : ` (${amount})`} of ${started} got no answer`;

const wordsOf = ({ signed, todo }: Doubt, verdict: Verdict): string => {
  if (verdict === "done") return "it was done, as the account shows";
  if (verdict === "not done") return "it was not done, and cannot be any more";
  const when =
    signed === null
      ? "nothing proves that it was not done"
      : `if it is not there after ${certainFrom(signed)}, it was not done`;
  return `nobody knows yet whether it was done; ${todo}; ${when}`;
};
