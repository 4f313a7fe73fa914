/** What is under way when the operator stops may still end: ten seconds, then it is broken off (sending.md 1). */

export const graceMs = 10_000;

export interface Grace {
  /** Fires when the time behind the stop is over. */
  readonly signal: AbortSignal;
  /** Nothing is under way any more: the time does not keep the process. */
  readonly end: () => void;
}

export const createGrace = (
  stopped: AbortSignal,
  wait: (ms: number, signal?: AbortSignal) => Promise<void>,
): Grace => {
  const hard = new AbortController();
  const over = new AbortController();
  const begin = (): void => {
    wait(graceMs, over.signal).then(
      () => hard.abort(),
      () => undefined,
    );
  };
  if (stopped.aborted) begin();
  else stopped.addEventListener("abort", begin, { once: true });
  return {
    signal: hard.signal,
    end: () => {
      stopped.removeEventListener("abort", begin);
      over.abort();
    },
  };
};
