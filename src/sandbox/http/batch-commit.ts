/** Commits the requests of one turn of the event loop at once: a commit costs more than a request. */
import type { Exchange } from "../exchange.ts";
import type { HandleRequests, ServiceRequest } from "../router.ts";

interface Queued {
  readonly request: ServiceRequest;
  readonly resolve: (exchange: Exchange) => void;
  readonly reject: (error: unknown) => void;
}

/** Resolves after all requests that came in the same turn are committed. */
export type CommitRequest = (request: ServiceRequest) => Promise<Exchange>;

export const batchCommit = (handleRequests: HandleRequests): CommitRequest => {
  const queue: Queued[] = [];
  const commit = (): void => {
    const batch = queue.splice(0);
    try {
      const exchanges = handleRequests(batch.map(({ request }) => request));
      batch.forEach(({ resolve, reject }, index) => {
        const exchange = exchanges[index];
        if (exchange === undefined) reject(new Error("A request was lost."));
        else resolve(exchange);
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  };
  return (request) =>
    new Promise((resolve, reject) => {
      if (queue.push({ request, resolve, reject }) === 1) setImmediate(commit);
    });
};
