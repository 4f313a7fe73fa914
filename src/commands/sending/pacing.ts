/** What a run does when the service asks it to slow down: as long as any request waits, and it is said. */
import type { PaceOptions } from "../../bulk/pace.ts";
import { fraction, limitDelay } from "../../client/retry.ts";
import type { Context } from "../../context.ts";

export const pacing = (ctx: Context): Pick<PaceOptions, "limitDelay" | "onLimit"> => ({
  limitDelay: (attempt, askedMs) => limitDelay(attempt, askedMs, fraction(ctx.random)),
  // While nothing happens it looks as if the run hung.
  onLimit: (ms) =>
    void ctx.note(`the service asks to slow down: going on in ${Math.ceil(ms / 1_000)} s`),
});
