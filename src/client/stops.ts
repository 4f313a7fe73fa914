/** Requests that end when their signal fires: one listener per signal, however many are under way. */

export interface Stoppable {
  stop(): void;
}

export interface Stops {
  readonly add: (signal: AbortSignal, request: Stoppable) => void;
  readonly remove: (signal: AbortSignal, request: Stoppable) => void;
}

/** A listener per request would cost more than the rest of its bookkeeping, and be warned about. */
export const createStops = (): Stops => {
  const running = new WeakMap<AbortSignal, Set<Stoppable>>();
  const watched = (signal: AbortSignal): Set<Stoppable> => {
    const requests = new Set<Stoppable>();
    running.set(signal, requests);
    const stop = (): void => {
      for (const request of requests) request.stop();
    };
    signal.addEventListener("abort", stop, { once: true });
    return requests;
  };
  return {
    add: (signal, request) => {
      (running.get(signal) ?? watched(signal)).add(request);
    },
    remove: (signal, request) => {
      running.get(signal)?.delete(request);
    },
  };
};
