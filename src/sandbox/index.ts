/** The only door of the sandbox: the service, emulated, in this process or over HTTP. */
import { type Answer, type Send, TransportError } from "../contract/wire.ts";
import type { Exchange } from "./answer.ts";
import { createClock } from "./clock.ts";
import { reset } from "./fixtures/index.ts";
import { createEvents } from "./http/events.ts";
import { createLoadMeter } from "./http/load-meter.ts";
import type { Listening, ListenOptions } from "./http/server.ts";
import { createRouter } from "./router.ts";
import { createDueJobs } from "./run-due-jobs.ts";
import { openStore, type Store } from "./store/store.ts";

export type { Listening, ListenOptions } from "./http/server.ts";

export interface SandboxOptions {
  /** The database, created if it does not exist; `:memory:` lives as long as the sandbox. */
  readonly file: string;
  /** Real time; the sandbox keeps its own two clocks as offsets from it. */
  readonly now: () => Date;
  /** Milliseconds of a monotonic clock, for the figures of a server; `now` when left out. */
  readonly ticks?: (() => number) | undefined;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** How long `send` waits for an answer that a fault holds back; forever when left out. */
  readonly timeoutMs?: number | undefined;
  /** Checks every answer against the contract and throws if it differs: for tests. */
  readonly checkAnswers?: boolean | undefined;
  /** Messages that due work processes at once; for tests. */
  readonly slice?: number | undefined;
  /** Refuses apps that ask for consent without a code challenge (PKCE). */
  readonly strictOAuth?: boolean | undefined;
}

export interface Sandbox {
  /** Bytes in, bytes out, as over HTTP. Throws TransportError if a recipient breaks the connection. */
  readonly send: Send;
  /** Serves the same over HTTP on loopback. Throws MsgError (usage) when the port is taken. */
  listen(options: ListenOptions): Promise<Listening>;
  /** Closes the database. Servers must be closed before, separately. */
  close(): void;
}

/** Opens a sandbox. A store that is new gets its fixtures. */
export const openSandbox = (options: SandboxOptions): Sandbox => {
  const { file, now, wait, checkAnswers = false, strictOAuth = false } = options;
  const store = openStore(file);
  const clock = createClock(store.settings, now);
  fill(store, clock.read().business);
  const dueJobs = createDueJobs(store, options.slice);
  const common = { store, clock, file, checkAnswers, strictOAuth, finishDueJobs: dueJobs.all };
  const handleRequest = createRouter({ ...common, load: () => null, runDueJobs: dueJobs.all });
  return {
    send: async (wire, signal) => {
      if (signal.aborted)
        throw new TransportError("unconnected", "ABORT_ERR", "the request was aborted");
      const exchange = handleRequest({ ...wire, address: "127.0.0.1" });
      if (exchange.cut)
        throw new TransportError("sent", "ECONNRESET", brokenSentences[exchange.cut]);
      return inTime(exchange, options, signal);
    },
    listen: async (listenOptions) => {
      const { listen } = await import("./http/server.ts");
      const load = createLoadMeter(options.ticks ?? (() => now().getTime()));
      const routerOptions = { ...common, load: load.figures, runDueJobs: dueJobs.beforeRequest };
      return listen(
        {
          handleRequest: createRouter(routerOptions),
          store,
          clock,
          wait,
          load,
          events: createEvents(store),
          runDueJobs: () => dueJobs.onTimer(clock.read().business),
        },
        listenOptions,
      );
    },
    close: () => store.close(),
  };
};

const brokenSentences = {
  whole: "the connection broke before the answer",
  middle: "the connection broke in the middle of the answer",
};

/** The answer, unless it is held back for longer than the caller waits. */
const inTime = async (
  exchange: Exchange,
  { wait, timeoutMs }: SandboxOptions,
  signal: AbortSignal,
): Promise<Answer> => {
  const { delayMs = 0 } = exchange;
  const isLate = timeoutMs !== undefined && delayMs > timeoutMs;
  try {
    if (delayMs > 0) await wait(isLate ? timeoutMs : delayMs, signal);
    if (!isLate) return await exchange.answer;
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new TransportError("sent", "Interrupted", "stopped before an answer came", error);
  }
  throw new TransportError("sent", "ETIMEDOUT", "the time of --timeout is over");
};

const fill = (store: Store, now: number): void => {
  if (store.settings.get("filled")) return;
  store.transaction(() => {
    // Another process may have been faster.
    if (!store.settings.get("filled")) reset(store, now);
  });
};
