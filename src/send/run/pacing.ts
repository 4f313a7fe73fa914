/** What a run says and does when the service is not as it should be: too busy, or forgetful of signatures. */

import { limitDelay, randomFraction } from "../../client/layers/retry.ts";
import { t, translated } from "../../locale/locale.ts";
import type { Ports } from "../../ports.ts";
import type { EngineOptions } from "./engine.ts";

export const pacingCallbacks = (
  ctx: Ports,
): Pick<EngineOptions, "limitDelay" | "onLimit" | "onReplayUnsafe"> => ({
  limitDelay: (attempt, askedMs) =>
    limitDelay(attempt, askedMs, randomFraction(ctx.environment.random)),
  // While nothing happens it looks as if the run hung.
  onLimit: (ms) =>
    void ctx.note(t`the service asks to slow down: continuing in ${Math.ceil(ms / 1_000)} s`),
  onReplayUnsafe: () => void ctx.note(translated(noFence)),
});

const noFence =
  "it is not certain that the service refuses a repeated request: unanswered requests are looked up, never sent again";
