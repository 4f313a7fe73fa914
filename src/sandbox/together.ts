/** Commits the requests of one turn of the event loop at once: a commit costs more than a request. */
import type { Exchange } from "./exchange.ts";
import type { Arrival, Receive } from "./router.ts";

interface Waiting {
  readonly arrival: Arrival;
  readonly resolve: (exchange: Exchange) => void;
  readonly reject: (error: unknown) => void;
}

/** Each request is answered after all that came in the same turn are committed. */
export type Together = (arrival: Arrival) => Promise<Exchange>;

export const together = (receive: Receive): Together => {
  const waiting: Waiting[] = [];
  const perform = (): void => {
    const turn = waiting.splice(0);
    try {
      const exchanges = receive(turn.map(({ arrival }) => arrival));
      turn.forEach(({ resolve, reject }, at) => {
        const exchange = exchanges[at];
        if (exchange === undefined) reject(new Error("A request was lost."));
        else resolve(exchange);
      });
    } catch (error) {
      for (const { reject } of turn) reject(error);
    }
  };
  return (arrival) =>
    new Promise((resolve, reject) => {
      if (waiting.push({ arrival, resolve, reject }) === 1) setImmediate(perform);
    });
};
