/**
 * One request, start to end: route, authenticate, authorize, validate, second factor, handle, answer.
 */
import { type Endpoint, isSandboxRoute, type UntypedRequest } from "../contract/endpoint.ts";
import { contract } from "../contract/index.ts";
import { controls } from "../contract/sandbox.ts";
import type { FaultKind } from "../contract/sandbox-state.ts";
import type { Answer } from "../contract/wire.ts";
import { inEnglish } from "../locale/locale.ts";
import { checkAnswer, type Exchange, refusalAnswer, successAnswer } from "./answer.ts";
import { authenticate } from "./checks/authenticate.ts";
import { authorize, checkRateLimit } from "./checks/authorize.ts";
import { type Match, matcher, type Route, type UntypedHandler } from "./checks/route.ts";
import { requireSecondFactor } from "./checks/second-factor.ts";
import { checkBodySize, validate } from "./checks/validate.ts";
import { type ClockReading, timeOf } from "./clock.ts";
import type { AdminContext } from "./controls/admin-context.ts";
import { controlHandlers } from "./controls/index.ts";
import { breaksConnection, injectFault, nextFault } from "./faults.ts";
import { formChecks, handlers } from "./handlers/index.ts";
import { type Caller, Refusal, type ResponseHead, type ServiceRequest } from "./service.ts";
import type { Store } from "./store/store.ts";

/** What stays the same from request to request. */
interface RouterOptions
  extends Pick<
    AdminContext,
    "store" | "clock" | "file" | "strictOAuth" | "load" | "finishDueJobs"
  > {
  /** Checks every answer against the contract and throws if it differs. */
  readonly checkAnswers: boolean;
  /** Does what is due by now, or as much of it as this door does before a request. */
  readonly runDueJobs: (now: number) => void;
}

/** Performs one request. It is committed when this returns. */
export type HandleRequest = (request: ServiceRequest) => Exchange;

/** Due work happens before the request; an active fault may prevent the request. */
export const createRouter = (options: RouterOptions): HandleRequest => {
  const { store, clock } = options;
  const match = matcher([
    ...routesOf(contract, handlers, formChecks),
    ...routesOf(controls, controlHandlers),
  ]);
  const receive = (request: ServiceRequest): Exchange => {
    const times = clock.read();
    options.runDueJobs(times.business);
    const state: RequestState = { request, times, assumptions: new Set() };
    const fault = nextFault(store, request.method, request.target);
    // The service speaks English, whatever the operator of this process reads.
    const perform = (): Exchange => inEnglish(() => performRequest(options, match, state));
    const exchange = fault ? injectFault(fault, times.signing, perform) : perform();
    if (!isSandboxRoute({ path: request.target })) logRequest(store, state, exchange, fault?.kind);
    return exchange;
  };
  return (request) => store.transaction(() => receive(request));
};

/** The one place where a name of the contract becomes a function of its input: hence the cast. */
const routesOf = (
  declared: Readonly<Record<string, Endpoint>>,
  total: Readonly<Record<string, unknown>>,
  checks: Readonly<Record<string, unknown>> = {},
): Route[] =>
  Object.entries(declared).map(([name, endpoint]) => {
    type Functions = [handle: UntypedHandler, check?: UntypedHandler];
    const [handle, check] = [total[name], checks[name]] as Functions;
    return { endpoint, handle, check };
  });

/** What becomes known about a request on its way. */
interface RequestState {
  readonly request: ServiceRequest;
  readonly times: ClockReading;
  readonly assumptions: Set<string>;
  caller?: Caller;
  refusal?: Refusal;
  /** The text of a fault of the sandbox itself. */
  fault?: string;
  head?: ResponseHead;
}

/** The checks in their order, then the handler; the first that refuses answers. */
const performRequest = (
  options: RouterOptions,
  match: (method: string, target: string) => Match,
  state: RequestState,
): Exchange => {
  const { request, times, assumptions } = state;
  const meta = { date: times.signing, assumptions };
  try {
    checkBodySize(request.body);
    const matched = match(request.method, request.target);
    const { endpoint } = matched;
    admitCaller(options.store, endpoint, state);
    const context = contextOf(options, state);
    const input = validate(matched, request.body, request.headers["content-type"]);
    matched.check?.(input, context);
    const useFactor =
      endpoint.secondFactor &&
      requireSecondFactor({ ...context, body: input.body, operation: operationOf(matched) });
    const reply = handle(context, matched, input);
    useFactor?.();
    const answered = (content: unknown): Answer => {
      const answer = successAnswer(content, { ...meta, head: state.head }, endpoint.path);
      if (options.checkAnswers) checkAnswer(endpoint, answer);
      return answer;
    };
    const cut = breaksConnection(input) ? "whole" : undefined;
    return { answer: reply instanceof Promise ? reply.then(answered) : answered(reply), cut };
  } catch (error) {
    if (options.checkAnswers && !(error instanceof Refusal)) throw error;
    state.refusal = refusalOf(error, state);
    return { answer: refusalAnswer(state.refusal, meta) };
  }
};

/** Finds the caller, who is known from then on, and checks permissions and rate. */
const admitCaller = (store: Store, endpoint: Endpoint, state: RequestState): void => {
  const { request, times } = state;
  const { credentials } = endpoint.needs;
  if (credentials === "none") return;
  // Credentials are optional here, and checked if given.
  if (credentials === "optional" && request.headers.authorization === undefined) return;
  const caller = authenticate(request, store, times);
  state.caller = caller;
  authorize(endpoint, caller);
  checkRateLimit(store, caller, times.signing);
};

const operationOf = ({ endpoint: { method, path }, params }: Match): string =>
  `${method} ${path.replaceAll(/:([A-Za-z]+)/g, (_, name) => params[name] ?? "")}`;

/** The caller of an endpoint without credentials: no account, and no rights. */
const anonymous = {
  accountId: "",
  memberId: "",
  role: "MEMBER",
  apiKey: undefined,
  scopes: [],
  address: "",
} as const satisfies Caller;

const contextOf = (options: RouterOptions, state: RequestState): AdminContext => ({
  ...options,
  headers: state.request.headers,
  caller: state.caller ?? anonymous,
  idSeed: options.store.settings.get("idSeed"),
  now: state.times.business,
  assume: (id) => state.assumptions.add(id),
  respondWith: (head) => {
    state.head = head;
  },
});

/** Runs the handler so that a refusal undoes what it did, unless the refusal says to keep it. */
const handle = (context: AdminContext, matched: Match, input: UntypedRequest): unknown => {
  const outcome = context.store.transaction(() => {
    try {
      return { reply: matched.handle(input, context) };
    } catch (error) {
      if (error instanceof Refusal && error.extra.keep) return { refusal: error };
      throw error;
    }
  });
  if ("refusal" in outcome) throw outcome.refusal;
  return outcome.reply;
};

const refusalOf = (error: unknown, state: RequestState): Refusal => {
  if (error instanceof Refusal) return error;
  state.fault = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return new Refusal(500, "InternalError", "The sandbox failed; msg sandbox requests shows how.");
};

const logRequest = (
  store: Store,
  { request, times, caller, refusal, fault }: RequestState,
  { answer }: Exchange,
  injected: FaultKind | undefined,
): void =>
  store.requests.append({
    time: timeOf(times.business),
    apiKey: caller?.apiKey ?? null,
    accountId: caller?.accountId ?? null,
    method: request.method,
    path: request.target.slice(0, 2000),
    status: answer instanceof Promise ? 200 : answer.status,
    verdict: injected ? `fault ${injected}` : (refusal?.errorCode ?? "ok"),
    why: fault ?? refusal?.message ?? null,
  });
