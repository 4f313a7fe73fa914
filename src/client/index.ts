/** The client: the layers that a request passes, in order, and the errors that come out of them. */

import { setMaxListeners } from "node:events";
import type { Endpoint, UntypedRequest } from "../contract/endpoint.ts";
import {
  type Answer,
  type Credentials,
  type Layer,
  type Send,
  stack,
  TransportError,
  type Wire,
} from "../contract/wire.ts";
import { t, translated } from "../locale/locale.ts";
import type { Attempt, CallOptions, Client } from "./client.ts";
import { asReply, decode, encode, untyped } from "./codec.ts";
import { bearer, type Renew, type SignOptions, sign } from "./layers/authorization.ts";
import { retry } from "./layers/retry.ts";
import { secondFactor } from "./layers/second-factor.ts";
import { trace } from "./layers/trace.ts";
import { type CallEndpoint, type ReadOptions, readPages } from "./pages.ts";
import {
  createServiceClock,
  describeOffset,
  noticeableMs,
  type ServiceClock,
} from "./service-clock.ts";

export interface ClientOptions {
  /** Who answers: the service's two hosts, or the sandbox in this process. */
  readonly transports: { readonly base: Send; readonly auth: Send };
  readonly credentials: Credentials | undefined;
  /** Gets a token for one that has ended; without it a token is used as it is. */
  readonly renew?: Renew | undefined;
  /** The command that logs this caller in, for errors; `msg auth login` when left out. */
  readonly login?: string | undefined;
  readonly now: () => Date;
  /** Milliseconds of a monotonic clock. */
  readonly ticks: () => number;
  readonly random: (bytes: number) => Uint8Array;
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>;
  /**
   * The operator stops: reads end at once, a write that is under way has its time to end, and nothing
   * more begins. A call may bring another signal of its own.
   */
  readonly signal?: AbortSignal | undefined;
  /** Where `--debug` writes, line by line. */
  readonly log?: ((line: string) => void) | undefined;
  /** Says something to the operator, line by line. */
  readonly report?: ((line: string) => void) | undefined;
  readonly close?: (() => Promise<void>) | undefined;
}

/** A client that opens nothing until it is called. */
export const createClient = (options: ClientOptions): Client => {
  const stopped = options.signal ?? new AbortController().signal;
  const { wait, report: onWaiting = () => undefined } = options;
  const shutdown = createShutdown({ stopped, wait, onWaiting });
  // Waiting before another attempt listens to them, once for each call under way.
  setMaxListeners(0, stopped, shutdown.signal);
  const { credentials } = options;
  const tokenHolder =
    credentials?.kind === "token" ? { token: credentials.accessToken } : undefined;
  const clock = reportingOffset(createServiceClock(options), options.report);
  const all = { ...options, tokenHolder, stopped, clock };
  const call: CallEndpoint = (endpoint, input, callOptions = {}) => {
    const isFinished = callOptions.detached === true || endpoint.effect !== "safe";
    const signal = within(isFinished ? shutdown.signal : stopped, callOptions);
    const called = callOnce(all, endpoint, input, callOptions, signal);
    return isFinished ? shutdown.during(called) : called;
  };
  return {
    clock,
    call: async (endpoint, input, callOptions) =>
      asReply(await call(endpoint, untyped(input), callOptions)),
    pages: (endpoint, input, pagesOptions) =>
      readPages(call, endpoint, untyped(input), pagesOptions),
    close: async () => {
      shutdown.end();
      await options.close?.();
    },
  };
};

/** Reports once that the clock of this machine is wrong. */
const reportingOffset = (clock: ServiceClock, report: ClientOptions["report"]): ServiceClock => {
  const state = { isReported: false };
  const reportOnce = (): void => {
    const { offsetMs } = clock.now();
    if (Math.abs(offsetMs) < noticeableMs || state.isReported) return;
    state.isReported = true;
    report?.(t`${describeOffset(offsetMs)}; set the clock`);
  };
  return {
    ...clock,
    note: (answer, signed) => {
      clock.note(answer, signed);
      reportOnce();
    },
    adopt: (answer) => {
      clock.adopt(answer);
      reportOnce();
    },
  };
};

/** A client's options with the token and the clock that its calls share, and the operator's stop. */
type CallContext = ClientOptions & {
  readonly clock: ServiceClock;
  readonly tokenHolder: { token: string } | undefined;
  readonly stopped: AbortSignal;
};

/** The credentials that the last attempt was made with. */
const presented = ({ credentials, tokenHolder }: CallContext): Credentials | undefined =>
  tokenHolder ? { kind: "token", accessToken: tokenHolder.token } : credentials;

const within = (limit: AbortSignal, { signal }: CallOptions): AbortSignal =>
  signal ? AbortSignal.any([limit, signal]) : limit;

/** The layers that a request passes on its way to the bytes, the first one first. */
const layers = (
  options: CallContext,
  endpoint: Endpoint,
  call: CallOptions & Pick<SignOptions, "onDateRefused">,
): Layer[] => {
  const { credentials, tokenHolder, renew, clock, now, random, wait, log, stopped } = options;
  const { conversation, repeat, onAttempt, onDateRefused } = call;
  const signature = repeat?.signature ?? call.signature;
  const isOpen = endpoint.needs.credentials === "none";
  return [
    ...(log ? [trace({ endpoint, now, log })] : []),
    retry({ endpoint, now, random, wait, log, stopped, once: signature !== undefined }),
    ...(endpoint.secondFactor && conversation && !repeat
      ? [secondFactor({ endpoint, conversation, now })]
      : []),
    tokenHolder && !isOpen
      ? bearer({ endpoint, tokenHolder, renew, clock, now, log, onAttempt })
      : sign({ endpoint, credentials, clock, random, log, signature, onAttempt, onDateRefused }),
  ];
};

const callOnce = async (
  options: CallContext,
  endpoint: Endpoint,
  input: UntypedRequest,
  call: ReadOptions,
  signal: AbortSignal,
): Promise<unknown> => {
  const started = options.now();
  const { stopped } = options;
  const { conversation } = call;
  const { login = "msg auth login" } = options;
  const wire = call.repeat?.wire ?? encode(endpoint, input, call.bytes);
  const last: { signed: string | undefined; isDateRefused: boolean } = {
    signed: undefined,
    isDateRefused: false,
  };
  const onAttempt = (attempt: Attempt): void => {
    last.signed = attempt.signature?.date;
    last.isDateRefused = false;
    call.onAttempt?.(attempt);
  };
  const onDateRefused = (): void => {
    last.isDateRefused = true;
  };
  const passed = layers(options, endpoint, { ...call, onAttempt, onDateRefused });
  const send = stack(options.transports[endpoint.host ?? "base"], ...passed);
  if (stopped.aborted && !call.detached) throw (await import("./outcome.ts")).notStartedError(wire);
  const attempted = { endpoint, wire, started, stops: [stopped, signal] };
  const answer = await answered(send(wire, signal), attempted);
  call.onAnswer?.(answer);
  const reply = decode(endpoint, answer, call.read);
  if ("value" in reply) return reply.value;
  const { refusalError: refusal } = await import("./refusal.ts");
  const credentials = presented(options);
  const exchange = { endpoint, wire, answer, credentials, conversation, login, started };
  throw refusal({ ...exchange, ...last, now: options.now() }, reply.fault);
};

interface Attempted {
  readonly endpoint: Endpoint;
  readonly wire: Wire;
  readonly started: Date;
  readonly stops: readonly AbortSignal[];
}

const answered = async (exchange: Promise<Answer>, attempted: Attempted): Promise<Answer> => {
  try {
    return await exchange;
  } catch (error) {
    const interrupted = attempted.stops.some((it) => it.aborted);
    const { stoppedWaitingError: stoppedWaiting, unansweredError: unanswered } = await import(
      "./outcome.ts"
    );
    if (error instanceof TransportError)
      throw unanswered({ ...attempted, broken: error, interrupted });
    throw interrupted && isAbort(error) ? stoppedWaiting(attempted.wire) : error;
  }
};

const isAbort = (error: unknown): boolean => error instanceof Error && error.name === "AbortError";

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

const createShutdown = ({ stopped, wait, onWaiting }: ShutdownOptions): Shutdown => {
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
