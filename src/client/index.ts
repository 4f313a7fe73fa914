/** The client: the layers that a request passes, in order, and the errors that come out of them. */

import { setMaxListeners } from "node:events";
import type { Endpoint, UntypedRequest } from "../contract/endpoint.ts";
import {
  type Credentials,
  type Layer,
  type Send,
  stack,
  TransportError,
} from "../contract/wire.ts";
import { t, translated } from "../locale/locale.ts";
import type { Attempt, CallOptions, Client, LayerContext } from "./client.ts";
import { asReply, decode, encode, untyped } from "./codec.ts";
import { bearer, sign } from "./layers/authorization.ts";
import { retry } from "./layers/retry.ts";
import { secondFactor } from "./layers/second-factor.ts";
import { trace } from "./layers/trace.ts";
import { type CallEndpoint, readPages } from "./pages.ts";
import { type Clocks, createServiceClock, describeOffset, earlierTime } from "./service-clock.ts";
import { stoppedError, type UnansweredRequest, unansweredError } from "./unanswered.ts";

export interface ClientOptions
  extends Clocks,
    Pick<LayerContext, "credentials" | "renew" | "random" | "wait" | "log"> {
  /** What answers: the service's two hosts, or the sandbox in this process. */
  readonly transports: { readonly base: Send; readonly auth: Send };
  /** The command that logs this caller in, for errors; `msg auth login` when left out. */
  readonly login?: string | undefined;
  /**
   * Fires when the operator stops: reads end at once, a write under way gets time to complete, and
   * nothing new begins. A call may bring another signal of its own.
   */
  readonly signal?: AbortSignal | undefined;
  /** Says something to the operator, line by line. */
  readonly report?: ((line: string) => void) | undefined;
  readonly close?: (() => Promise<void>) | undefined;
}

/** A client that opens nothing until it is called. */
export const createClient = (options: ClientOptions): Client => {
  const stopped = options.signal ?? new AbortController().signal;
  const shutdown = createShutdown(stopped, options);
  // Each call under way listens to them while it waits before another attempt.
  setMaxListeners(0, stopped, shutdown.signal);
  const { credentials, report } = options;
  const tokenHolder =
    credentials?.kind === "token" ? { token: credentials.accessToken } : undefined;
  const onOffset = (offsetMs: number) => report?.(t`${describeOffset(offsetMs)}; set the clock`);
  const clock = createServiceClock({ ...options, onOffset });
  const { login = "msg auth login" } = options;
  const context = { ...options, login, tokenHolder, stopped, clock };
  const { base, auth } = options.transports;
  const counted = { base: shutdown.during(base), auth: shutdown.during(auth) };
  const call: CallEndpoint = (endpoint, input, callOptions = {}) => {
    const mayFinish = callOptions.detached === true || endpoint.effect !== "safe";
    const limit = mayFinish ? shutdown.signal : stopped;
    const signal = callOptions.signal ? AbortSignal.any([limit, callOptions.signal]) : limit;
    const transports = mayFinish ? counted : options.transports;
    return callOnce({ ...context, transports }, endpoint, input, callOptions, signal);
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

const shutdownMs = 10_000;

const waiting =
  "stopping: waiting for the answer to a request under way; press Ctrl-C again to leave at once";

/** Requests under way when the operator stops get ten seconds to complete: fewer outcomes are unknown. */
const createShutdown = (stopped: AbortSignal, { wait, report }: ClientOptions) => {
  const hard = new AbortController();
  const over = new AbortController();
  let underWay = 0;
  const begin = (): void => {
    if (underWay > 0) report?.(translated(waiting));
    wait(shutdownMs, over.signal).then(
      () => hard.abort(),
      () => undefined,
    );
  };
  if (stopped.aborted) begin();
  else stopped.addEventListener("abort", begin, { once: true });
  return {
    /** Fires when the time after the stop is over. */
    signal: hard.signal,
    /** Counts requests that get this time to complete; none is under way while a person is asked. */
    during:
      (next: Send): Send =>
      async (wire, signal) => {
        underWay += 1;
        try {
          return await next(wire, signal);
        } finally {
          underWay -= 1;
        }
      },
    /** Nothing is under way any longer: the timer does not keep the process alive. */
    end: (): void => {
      stopped.removeEventListener("abort", begin);
      over.abort();
    },
  };
};

/** A client's options with the token and the clock that its calls share, and the operator's stop. */
type CallContext = ClientOptions &
  Pick<LayerContext, "login" | "clock" | "tokenHolder" | "stopped">;

/** The layers that a request passes on its way to the bytes, the first one first. */
const layers = (context: LayerContext, { conversation, repeat }: CallOptions): Layer[] => {
  const { endpoint, tokenHolder, now, log } = context;
  const isOpen = endpoint.needs.credentials === "none";
  return [
    ...(log ? [trace({ endpoint, now, log })] : []),
    retry(context),
    ...(endpoint.secondFactor && conversation && !repeat
      ? [secondFactor({ endpoint, conversation, now })]
      : []),
    tokenHolder && !isOpen ? bearer({ ...context, tokenHolder }) : sign(context),
  ];
};

const callOnce = async (
  context: CallContext,
  endpoint: Endpoint,
  input: UntypedRequest,
  call: CallOptions,
  signal: AbortSignal,
): Promise<unknown> => {
  const { stopped, now, clock, tokenHolder, login } = context;
  const started = earlierTime(clock);
  const wire = call.repeat?.wire ?? encode(endpoint, input, call.bytes);
  let signed: string | undefined;
  let isDateRefused = false;
  const onAttempt = (attempt: Attempt): void => {
    signed = attempt.signature?.date;
    isDateRefused = false;
    call.onAttempt?.(attempt);
  };
  const onDateRefused = (): void => {
    isDateRefused = true;
  };
  const signature = call.repeat?.signature ?? call.signature;
  const passed = layers({ ...context, endpoint, signature, onAttempt, onDateRefused }, call);
  const send = stack(context.transports[endpoint.host ?? "base"], ...passed);
  if (stopped.aborted && !call.detached) throw stoppedError(wire, t`interrupted`);
  const answer = await send(wire, signal).catch((error: unknown) => {
    const interrupted = stopped.aborted || signal.aborted;
    throw unanswered({ endpoint, wire, started, interrupted }, error);
  });
  call.onAnswer?.(answer);
  const reply = decode(endpoint, answer, input);
  if ("value" in reply) return reply.value;
  const { refusalError } = await import("./refusal.ts");
  // What the last attempt used: its token may have been renewed.
  const credentials: Credentials | undefined = tokenHolder
    ? { kind: "token", accessToken: tokenHolder.token }
    : context.credentials;
  const exchange = { endpoint, wire, answer, credentials, login, started, now: now() };
  const { conversation } = call;
  throw refusalError({ ...exchange, conversation, signed, isDateRefused }, reply.fault);
};

const unanswered = (request: Omit<UnansweredRequest, "broken">, error: unknown): unknown => {
  if (error instanceof TransportError) return unansweredError({ ...request, broken: error });
  const isAbort = error instanceof Error && error.name === "AbortError";
  if (!request.interrupted || !isAbort) return error;
  return stoppedError(request.wire, t`interrupted between two attempts`);
};
