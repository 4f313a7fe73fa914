/** The only door of the sandbox: the service, emulated, in this process or over HTTP. */
import { Broken, type Send } from "../contract/wire.ts";
import { advance } from "./advance.ts";
import { createClock } from "./clock.ts";
import { createEvents } from "./events.ts";
import { reset } from "./fixtures/index.ts";
import { createReceive } from "./router.ts";
import type { Listening, ListenOptions } from "./server.ts";
import { openStore, type Store } from "./store/store.ts";
import { opened, sealed } from "./tokens.ts";

export type { Listening, ListenOptions } from "./server.ts";

export interface SandboxOptions {
  /** The database, made when it does not exist; `:memory:` lives as long as the sandbox. */
  readonly file: string;
  /** Real time; the sandbox keeps its own two clocks as offsets from it. */
  readonly now: () => Date;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Checks every answer against the contract and throws where it differs: for tests. */
  readonly checkAnswers?: boolean | undefined;
}

export interface Sandbox {
  /** Bytes in, bytes out, as over HTTP. Throws Broken where a recipient breaks the line. */
  readonly send: Send;
  /** Serves the same over HTTP on loopback. Throws MsgError (usage) when the port is taken. */
  listen(options: ListenOptions): Promise<Listening>;
  /** Closes the database. Servers are closed by themselves, beforehand. */
  close(): void;
}

/** Opens a sandbox. A store that is new gets its fixtures. */
export const openSandbox = (options: SandboxOptions): Sandbox => {
  const { file, now, wait, checkAnswers = false } = options;
  const store = openStore(file);
  const clock = createClock(store.settings, now);
  fill(store, clock.read().business);
  const receive = createReceive({ store, clock, file, checkAnswers });
  return {
    send: async (wire, signal) => {
      if (signal.aborted) throw new Broken("unconnected", "ABORT_ERR", "The request was aborted.");
      const [exchange] = receive([await opened({ ...wire, address: "127.0.0.1" })]);
      if (exchange === undefined || exchange.cut)
        throw new Broken("sent", "ECONNRESET", "The connection broke before the answer.");
      return sealed(exchange);
    },
    listen: async (listenOptions) => {
      const { listen } = await import("./server.ts");
      return listen(
        {
          receive,
          wait,
          events: createEvents(store.requests.since, store.requests.latest),
          now: () => clock.read().signing,
          advance: () => advance(store, clock.read().business),
        },
        listenOptions,
      );
    },
    close: () => store.close(),
  };
};

const fill = (store: Store, now: Date): void => {
  if (store.settings.get("filled")) return;
  store.transaction(() => {
    // Another process may have been faster.
    if (!store.settings.get("filled")) reset(store, { now });
  });
};
