/** What an engine takes from its command: clocks, random numbers, client, signatures, and its notes on a slowdown. */

import type { Client } from "../../client/client.ts";
import { newSalt } from "../../client/layers/authorization.ts";
import { limitDelay, randomFraction } from "../../client/layers/retry.ts";
import { t, translated } from "../../locale/locale.ts";
import type { Ports } from "../../ports.ts";
import type { Signature } from "../protocol/entries.ts";

export type EngineEnvironment = Readonly<ReturnType<typeof engineEnvironment>>;

/** `key`: the last four characters of the key that signs; an access token signs nothing, so no repeat is safe. */
export const engineEnvironment = (ctx: Ports, client: Client, key: string | undefined) => {
  const { random } = ctx.environment;
  return {
    ...ctx.clock,
    random,
    /** The operator asks to stop: what is under way is finished. */
    signal: ctx.signal,
    client,
    key,
    fresh: (): Signature => ({ date: client.clock.signingDate(), salt: newSalt(random), key }),
    /** How long a request waits then: `attempt` counts from 1. Undefined if it is not made again. */
    limitDelay: (attempt: number, askedMs: number | undefined) =>
      limitDelay(attempt, askedMs, randomFraction(random)),
    // Without a note the run would seem to hang.
    onLimit: (ms: number) =>
      void ctx.note(t`the service asks to slow down: continuing in ${Math.ceil(ms / 1_000)} s`),
    /** The service accepts a signature that it has seen: what is in doubt is read, never repeated. */
    onReplayUnsafe: () => void ctx.note(translated(replayUnsafe)),
    onCopies: (id: string) =>
      void ctx.note(
        t`the service counts more messages in group ${id} than msg put into it: rows may go out twice; see msg group messages ${id} --all`,
      ),
  };
};

const replayUnsafe =
  "it is not certain that the service refuses a repeated request: unanswered requests are looked up, never sent again";
