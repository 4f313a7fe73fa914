/**
 * One request, start to end: route, authenticate, authorize, validate, second factor, handle, answer
 * (sandbox.md 2).
 */
import type { Endpoint, LooseInput } from "../contract/endpoint.ts";
import { contract } from "../contract/index.ts";
import { controls } from "../contract/sandbox.ts";
import type { Answer } from "../contract/wire.ts";
import { advance } from "./advance.ts";
import { checkAnswer, failure, success } from "./answer.ts";
import { authenticate } from "./checks/authenticate.ts";
import { authorize } from "./checks/authorize.ts";
import { limitRate } from "./checks/rate.ts";
import { type LooseHandler, type Match, matcher, type Route, route } from "./checks/route.ts";
import { demandSecondFactor } from "./checks/second-factor.ts";
import { limitSize } from "./checks/size.ts";
import type { Clock, Times } from "./clock.ts";
import type { Bench } from "./controls/bench.ts";
import { controlHandlers } from "./controls/index.ts";
import type { Exchange, Issued } from "./exchange.ts";
import { cutsConnection, nextFault, strike } from "./faults.ts";
import { formChecks, handlers } from "./handlers/index.ts";
import { type Caller, Refusal, type Shape } from "./service.ts";
import type { RequestEntry } from "./store/requests.ts";
import type { Store } from "./store/store.ts";

/** A request as it arrived, whichever door it came through. Header names are lower case. */
export interface Arrival {
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
export interface Fixed {
  readonly store: Store;
  readonly clock: Clock;
  /** The database file, or `:memory:`. */
  readonly file: string;
  /** Checks every answer against the contract and throws where it differs. */
  readonly checkAnswers: boolean;
  readonly strictOAuth: boolean;
  readonly load: Bench["load"];
}

/** Takes requests in their order. All of them are committed when it returns. */
export type Receive = (arrivals: readonly Arrival[]) => Exchange[];

/**
 * Performs requests one after the other. Whatever is due by now happens before each of them; after
 * one that only reads that is still so for the next of the same turn.
 */
export const createReceive = (fixed: Fixed): Receive => {
  const { store, clock } = fixed;
  const match = matcher([
    ...routesOf(contract, handlers, formChecks),
    ...routesOf(controls, controlHandlers),
  ]);
  const pass = (): Times => {
    const times = clock.read();
    advance(store, times.business);
    return times;
  };
  const receive = (arrivals: readonly Arrival[]): Exchange[] => {
    let times: Times | undefined;
    const log: RequestEntry[] = [];
    const exchanges = arrivals.map((arrival) => {
      times ??= pass();
      const visit = createVisit(times);
      // Control requests and those behind them may look at the log, or empty it.
      if (isControl(arrival)) store.requests.append(log.splice(0));
      const fault = nextFault(store, arrival.method, arrival.target);
      const perform = (): Exchange => respond(fixed, match, arrival, visit);
      const exchange = fault ? strike(fault, times.signing, perform) : perform();
      visit.struck = fault?.kind;
      if (!isControl(arrival)) log.push(entryOf(arrival, visit, exchange.answer));
      if (!visit.reads) times = undefined;
      return exchange;
    });
    store.requests.append(log);
    return exchanges;
  };
  return (arrivals) => store.transaction(() => receive(arrivals));
};

const isControl = ({ target }: Arrival): boolean => target.startsWith("/_sandbox/");

/** The one place where a name of the contract becomes a function of its input: hence the cast. */
const routesOf = (
  declared: Readonly<Record<string, Endpoint>>,
  total: Readonly<Record<string, unknown>>,
  checks: Readonly<Record<string, unknown>> = {},
): Route<Bench>[] =>
  Object.entries(declared).map(([name, endpoint]) => {
    type Functions = [handle: LooseHandler<Bench>, check?: LooseHandler<Bench>];
    const [handle, check] = [total[name], checks[name]] as Functions;
    return route(endpoint, handle, check);
  });

/** What becomes known of a request on its way. */
interface Visit {
  readonly times: Times;
  readonly assumptions: Set<string>;
  caller: Caller | undefined;
  /** True once an endpoint was found that changes nothing. */
  reads: boolean;
  refusal: Refusal | undefined;
  /** The text of a fault of the sandbox itself. */
  fault: string | undefined;
  shape: Shape | undefined;
  issued: Issued | undefined;
  /** The fault that was switched on and struck. */
  struck: string | undefined;
}

const createVisit = (times: Times): Visit => ({
  times,
  assumptions: new Set(),
  caller: undefined,
  reads: false,
  refusal: undefined,
  fault: undefined,
  shape: undefined,
  issued: undefined,
  struck: undefined,
});

const respond = (
  fixed: Fixed,
  match: (method: string, target: string) => Match<Bench>,
  arrival: Arrival,
  visit: Visit,
): Exchange => {
  const marks = { date: visit.times.signing, assumptions: visit.assumptions };
  try {
    limitSize(arrival.body);
    const matched = match(arrival.method, arrival.target);
    visit.reads = matched.endpoint.effect === "safe";
    admit(fixed.store, matched.endpoint, arrival, visit);
    const checked = (content: unknown): Answer => {
      const answer = success(content, { ...marks, shape: visit.shape }, matched.endpoint.path);
      if (fixed.checkAnswers) checkAnswer(matched.endpoint, answer);
      return answer;
    };
    const bench = benchOf(fixed, arrival, visit);
    const input = matched.validate(
      matched.params,
      matched.query,
      arrival.body,
      arrival.headers["content-type"],
    );
    matched.check?.(input, bench);
    const use = matched.endpoint.secondFactor && prove(fixed, visit, matched, arrival, input);
    const reply = perform(bench, matched, () => matched.handle(input, bench));
    use?.();
    const cut = cutsConnection(input) ? "whole" : undefined;
    if (reply instanceof Promise) return { answer: reply.then(checked), cut };
    return { answer: checked(reply), cut, issued: visit.issued };
  } catch (error) {
    if (fixed.checkAnswers && !(error instanceof Refusal)) throw error;
    visit.refusal = asRefusal(error, visit);
    return { answer: failure(visit.refusal, marks) };
  }
};

/** Finds the caller, who is known from then on, and asks whether permissions and rate allow it. */
const admit = (store: Store, endpoint: Endpoint, arrival: Arrival, visit: Visit): void => {
  const { credentials } = endpoint.needs;
  if (credentials === "none") return;
  // Nobody need say who they are; whoever does is checked all the same (facts/messages 7.2).
  if (credentials === "optional" && arrival.headers.authorization === undefined) return;
  const caller = authenticate(arrival, store, visit.times);
  visit.caller = caller;
  authorize(endpoint, caller);
  limitRate(store, caller, visit.times.signing);
};

/** Asks for the second factor; what comes back uses it up. */
const prove = (
  { store }: Fixed,
  { caller = nobody, times }: Visit,
  { endpoint, params }: Match<Bench>,
  { headers }: Arrival,
  { body }: LooseInput,
): (() => void) => {
  const path = endpoint.path.replaceAll(/:([A-Za-z]+)/g, (_, name) => params[name] ?? "");
  const operation = `${endpoint.method} ${path}`;
  const header = headers["x-mfa-data"];
  return demandSecondFactor({ store, caller, now: times.business, operation, header, body });
};

/** Who calls an endpoint that asks for no credentials: no account, and no right to anything. */
const nobody = {
  accountId: "",
  memberId: "",
  role: "MEMBER",
  apiKey: undefined,
  scopes: [],
  address: "",
} as const satisfies Caller;

/** What a handler is handed for one request. Spelled out: to copy `fixed` costs Node 20 as much as a query. */
const benchOf = (fixed: Fixed, arrival: Arrival, visit: Visit): Bench => ({
  store: fixed.store,
  clock: fixed.clock,
  file: fixed.file,
  strictOAuth: fixed.strictOAuth,
  load: fixed.load,
  headers: arrival.headers,
  caller: visit.caller ?? nobody,
  now: visit.times.business,
  assume: (id) => visit.assumptions.add(id),
  shape: (shape) => {
    visit.shape = shape;
  },
  issue: (claims) => {
    visit.issued = { claims, mark: `unsigned-${crypto.randomUUID()}` };
    return visit.issued.mark;
  },
});

/** Runs a handler so that a refusal undoes what it did, unless the refusal says to keep it. */
const perform = ({ store }: Bench, { endpoint }: Match<Bench>, handle: () => unknown): unknown => {
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

const asRefusal = (error: unknown, visit: Visit): Refusal => {
  if (error instanceof Refusal) return error;
  visit.fault = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return new Refusal(500, "InternalError", "The sandbox failed; msg sandbox requests shows how.");
};

const entryOf = (arrival: Arrival, visit: Visit, answer: Exchange["answer"]): RequestEntry => ({
  time: visit.times.business.toISOString(),
  apiKey: visit.caller?.apiKey ?? null,
  accountId: visit.caller?.accountId ?? null,
  method: arrival.method,
  path: arrival.target.slice(0, 2000),
  status: answer instanceof Promise ? 200 : answer.status,
  verdict: visit.struck ? `fault ${visit.struck}` : (visit.refusal?.errorCode ?? "ok"),
  why: visit.fault ?? visit.refusal?.message ?? null,
});
