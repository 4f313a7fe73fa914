/** What is under way when the operator stops gets ten seconds to complete, so that fewer outcomes are unknown. */
import { translated } from "../../locale/locale.ts";

const shutdownMs = 10_000;

export interface Shutdown {
  /** Fires when the time behind the stop is over. */
  readonly signal: AbortSignal;
  /** Counts a call that gets this time to complete. */
  readonly during: <T>(call: Promise<T>) => Promise<T>;
  /** Nothing is under way any more: the time does not keep the process. */
  readonly end: () => void;
}

export interface ShutdownOptions {
  readonly stopped: AbortSignal;
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Told when something has to be waited for. */
  readonly onWaiting: (line: string) => void;
}

const waiting =
  "stopping: waiting for the answer to a request under way; press Ctrl-C again to leave at once";

export const createShutdown = ({ stopped, wait, onWaiting }: ShutdownOptions): Shutdown => {
  const hard = new AbortController();
  const over = new AbortController();
  const running = { count: 0 };
  const begin = (): void => {
    if (running.count > 0) onWaiting(translated(waiting));
    wait(shutdownMs, over.signal).then(
      () => hard.abort(),
      () => undefined,
    );
  };
  if (stopped.aborted) begin();
  else stopped.addEventListener("abort", begin, { once: true });
  return {
    signal: hard.signal,
    during: async (call) => {
      running.count += 1;
      try {
        return await call;
      } finally {
        running.count -= 1;
      }
    },
    end: () => {
      stopped.removeEventListener("abort", begin);
      over.abort();
    },
  };
};
