/**
 * One request, start to end: route, authenticate, authorize, validate, second factor, handle, answer.
 */
import type { Endpoint, UntypedRequest } from "../contract/endpoint.ts";
import { contract } from "../contract/index.ts";
import { controls } from "../contract/sandbox.ts";
import type { Answer } from "../contract/wire.ts";
import { checkAnswer, refusalAnswer, successAnswer } from "./answer.ts";
import { authenticate } from "./checks/authenticate.ts";
import { authorize } from "./checks/authorize.ts";
import { checkRateLimit } from "./checks/rate.ts";
import { type LooseHandler, type Match, matcher, type Route, route } from "./checks/route.ts";
import { requireSecondFactor } from "./checks/second-factor.ts";
import { checkBodySize } from "./checks/size.ts";
import type { Clock, Times } from "./clock.ts";
import type { AdminContext } from "./controls/admin-context.ts";
import { controlHandlers } from "./controls/index.ts";
import type { Exchange, IssuedToken } from "./exchange.ts";
import { breaksConnection, injectFault, nextFault } from "./faults/inject-fault.ts";
import { formChecks, handlers } from "./handlers/index.ts";
import { runDueJobs } from "./run-due-jobs.ts";
import { type Caller, Refusal, type ResponseHead } from "./service.ts";
import type { RequestLogEntry } from "./store/requests.ts";
import type { Store } from "./store/store.ts";

/** A request as it arrived, whichever door it came through. Header names are lower case. */
export interface ServiceRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body?: Uint8Array | undefined;
  /** What a bearer token says, where its signature is right. */
  readonly claims?: unknown;
  /** Network address of the caller. */
  readonly address: string;
}

/** What stays the same from request to request. */
export interface RouterOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** The database file, or `:memory:`. */
  readonly file: string;
  /** Checks every answer against the contract and throws where it differs. */
  readonly checkAnswers: boolean;
  readonly strictOAuth: boolean;
  readonly load: AdminContext["load"];
}

/** Takes requests in their order. All of them are committed when it returns. */
export type HandleRequests = (requests: readonly ServiceRequest[]) => Exchange[];

/**
 * Performs requests one after the other. Whatever is due by now happens before each of them; after
 * one that only reads that is still so for the next of the same turn.
 */
export const createRouter = (options: RouterOptions): HandleRequests => {
  const { store, clock } = options;
  const match = matcher([
    ...routesOf(contract, handlers, formChecks),
    ...routesOf(controls, controlHandlers),
  ]);
  const readClock = (): Times => {
    const times = clock.read();
    runDueJobs(store, times.business);
    return times;
  };
  const receive = (requests: readonly ServiceRequest[]): Exchange[] => {
    let times: Times | undefined;
    const log: RequestLogEntry[] = [];
    const exchanges = requests.map((request) => {
      times ??= readClock();
      const state = createState(times);
      // Control requests and those behind them may look at the log, or empty it.
      if (isControl(request)) store.requests.append(log.splice(0));
      const fault = nextFault(store, request.method, request.target);
      const perform = (): Exchange => handleRequest(options, match, request, state);
      const exchange = fault ? injectFault(fault, times.signing, perform) : perform();
      state.injected = fault?.kind;
      if (!isControl(request)) log.push(logEntryOf(request, state, exchange.answer));
      if (!state.reads) times = undefined;
      return exchange;
    });
    store.requests.append(log);
    return exchanges;
  };
  return (requests) => store.transaction(() => receive(requests));
};

const isControl = ({ target }: ServiceRequest): boolean => target.startsWith("/_sandbox/");

/** The one place where a name of the contract becomes a function of its input: hence the cast. */
const routesOf = (
  declared: Readonly<Record<string, Endpoint>>,
  total: Readonly<Record<string, unknown>>,
  checks: Readonly<Record<string, unknown>> = {},
): Route<AdminContext>[] =>
  Object.entries(declared).map(([name, endpoint]) => {
    type Functions = [handle: LooseHandler<AdminContext>, check?: LooseHandler<AdminContext>];
    const [handle, check] = [total[name], checks[name]] as Functions;
    return route(endpoint, handle, check);
  });

/** What becomes known of a request on its way. */
interface RequestState {
  readonly times: Times;
  readonly assumptions: Set<string>;
  caller: Caller | undefined;
  /** True once an endpoint was found that changes nothing. */
  reads: boolean;
  refusal: Refusal | undefined;
  /** The text of a fault of the sandbox itself. */
  fault: string | undefined;
  shape: ResponseHead | undefined;
  issued: IssuedToken | undefined;
  /** The fault that was switched on and injected. */
  injected: string | undefined;
}

const createState = (times: Times): RequestState => ({
  times,
  assumptions: new Set(),
  caller: undefined,
  reads: false,
  refusal: undefined,
  fault: undefined,
  shape: undefined,
  issued: undefined,
  injected: undefined,
});

const handleRequest = (
  options: RouterOptions,
  match: (method: string, target: string) => Match<AdminContext>,
  request: ServiceRequest,
  state: RequestState,
): Exchange => {
  const meta = { date: state.times.signing, assumptions: state.assumptions };
  try {
    checkBodySize(request.body);
    const matched = match(request.method, request.target);
    state.reads = matched.endpoint.effect === "safe";
    admitCaller(options.store, matched.endpoint, request, state);
    const checked = (content: unknown): Answer => {
      const answer = successAnswer(content, { ...meta, shape: state.shape }, matched.endpoint.path);
      if (options.checkAnswers) checkAnswer(matched.endpoint, answer);
      return answer;
    };
    const context = contextOf(options, request, state);
    const input = matched.validate(
      matched.params,
      matched.query,
      request.body,
      request.headers["content-type"],
    );
    matched.check?.(input, context);
    const use =
      matched.endpoint.secondFactor && proveSecondFactor(options, state, matched, request, input);
    const reply = perform(context, matched, () => matched.handle(input, context));
    use?.();
    const cut = breaksConnection(input) ? "whole" : undefined;
    if (reply instanceof Promise) return { answer: reply.then(checked), cut };
    return { answer: checked(reply), cut, issued: state.issued };
  } catch (error) {
    if (options.checkAnswers && !(error instanceof Refusal)) throw error;
    state.refusal = refusalOf(error, state);
    return { answer: refusalAnswer(state.refusal, meta) };
  }
};

/** Finds the caller, who is known from then on, and asks whether permissions and rate allow it. */
const admitCaller = (
  store: Store,
  endpoint: Endpoint,
  request: ServiceRequest,
  state: RequestState,
): void => {
  const { credentials } = endpoint.needs;
  if (credentials === "none") return;
  // Credentials are optional here, and checked where they are given.
  if (credentials === "optional" && request.headers.authorization === undefined) return;
  const caller = authenticate(request, store, state.times);
  state.caller = caller;
  authorize(endpoint, caller);
  checkRateLimit(store, caller, state.times.signing);
};

/** Asks for the second factor; what comes back uses it up. */
const proveSecondFactor = (
  { store }: RouterOptions,
  { caller = anonymous, times }: RequestState,
  { endpoint, params }: Match<AdminContext>,
  { headers }: ServiceRequest,
  { body }: UntypedRequest,
): (() => void) => {
  const path = endpoint.path.replaceAll(/:([A-Za-z]+)/g, (_, name) => params[name] ?? "");
  const operation = `${endpoint.method} ${path}`;
  const header = headers["x-mfa-data"];
  return requireSecondFactor({ store, caller, now: times.business, operation, header, body });
};

/** Who calls an endpoint that asks for no credentials: no account, and no right to anything. */
const anonymous = {
  accountId: "",
  memberId: "",
  role: "MEMBER",
  apiKey: undefined,
  scopes: [],
  address: "",
} as const satisfies Caller;

/** What a handler is handed for one request. Spelled out: to copy `options` costs Node 20 as much as a query. */
const contextOf = (
  options: RouterOptions,
  request: ServiceRequest,
  state: RequestState,
): AdminContext => ({
  store: options.store,
  clock: options.clock,
  file: options.file,
  strictOAuth: options.strictOAuth,
  load: options.load,
  headers: request.headers,
  caller: state.caller ?? anonymous,
  now: state.times.business,
  assume: (id) => state.assumptions.add(id),
  respondWith: (shape) => {
    state.shape = shape;
  },
  issueToken: (claims) => {
    state.issued = { claims, placeholder: `unsigned-${crypto.randomUUID()}` };
    return state.issued.placeholder;
  },
});

/** Runs a handler so that a refusal undoes what it did, unless the refusal says to keep it. */
const perform = (
  { store }: AdminContext,
  { endpoint }: Match<AdminContext>,
  handle: () => unknown,
): unknown => {
  // What only reads leaves nothing to undo.
  if (endpoint.effect === "safe") return handle();
  const kept = store.transaction(() => {
    try {
      return { reply: handle() };
    } catch (error) {
      if (error instanceof Refusal && error.keep) return { refusal: error };
      throw error;
    }
  });
  if ("refusal" in kept) throw kept.refusal;
  return kept.reply;
};

const refusalOf = (error: unknown, state: RequestState): Refusal => {
  if (error instanceof Refusal) return error;
  state.fault = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return new Refusal(500, "InternalError", "The sandbox failed; msg sandbox requests shows how.");
};

const logEntryOf = (
  request: ServiceRequest,
  state: RequestState,
  answer: Exchange["answer"],
): RequestLogEntry => ({
  time: state.times.business.toISOString(),
  apiKey: state.caller?.apiKey ?? null,
  accountId: state.caller?.accountId ?? null,
  method: request.method,
  path: request.target.slice(0, 2000),
  status: answer instanceof Promise ? 200 : answer.status,
  verdict: state.injected ? `fault ${state.injected}` : (state.refusal?.errorCode ?? "ok"),
  why: state.fault ?? state.refusal?.message ?? null,
});
