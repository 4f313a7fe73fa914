/** What a run says and does when the service is not as it should be: too busy, or without a fence. */
import type { EngineOptions } from "../../bulk/engine.ts";
import { fraction, limitDelay } from "../../client/retry.ts";
import type { Context } from "../../context.ts";

export const pacing = (
  ctx: Context,
): Pick<EngineOptions, "limitDelay" | "onLimit" | "onNoFence"> => ({
  limitDelay: (attempt, askedMs) => limitDelay(attempt, askedMs, fraction(ctx.random)),
  // While nothing happens it looks as if the run hung.
  onLimit: (ms) =>
    void ctx.note(`the service asks to slow down: going on in ${Math.ceil(ms / 1_000)} s`),
  onNoFence: () => void ctx.note(noFence),
});

const noFence =
  "it is not certain that the service refuses a request that it has seen: what was not answered is looked for and never sent again";
