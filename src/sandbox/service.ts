/** The input of the sandbox's handlers, and their type: a function for every endpoint. */
import type { Input, Reply } from "../contract/endpoint.ts";
import type { Contract } from "../contract/index.ts";
import type { Answer, Wire } from "../contract/wire.ts";
import type { Member } from "./store/callers.ts";
import type { Store } from "./store/store.ts";

/** A request as it arrived, whichever door it came through. Header names are lower case. */
export interface ServiceRequest extends Pick<Wire, "target" | "body"> {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly address: string;
}

/** The caller, as the checks identified it. */
export interface Caller extends Pick<Member, "accountId" | "memberId" | "role"> {
  /** The API key, or undefined for a token. */
  readonly apiKey: string | undefined;
  /** Scopes of the token; undefined for an API key, which needs none. */
  readonly scopes: readonly string[] | undefined;
  /** Network address, for the group's log; `127.0.0.1` in process. */
  readonly address: string;
}

/** The parts of an answer besides its body. */
export type ResponseHead = Pick<Answer, "status" | "headers">;

/** One request's view of the service. A handler runs inside one transaction: throwing undoes all. */
export interface Service extends Pick<ServiceRequest, "headers"> {
  readonly store: Store;
  readonly caller: Caller;
  readonly idSeed: number;
  /** Business time, milliseconds: the instant at which this request is handled. */
  readonly now: number;
  /** Notes that the answer rests on a choice that no source shows: an id of assumptions.json. */
  readonly assume: (id: string) => void;
  /** Answers with another status or further headers than those of JSON: pages and redirects. */
  readonly respondWith: (head: ResponseHead) => void;
  /** An app must prove that it asked for the code that it exchanges (PKCE). */
  readonly strictOAuth: boolean;
}

export type Handler<N extends keyof Contract> = (
  input: Input<Contract[N]>,
  service: Service,
) => Reply<Contract[N]> | Document<Reply<Contract[N]>>;

/** A document is written after the transaction that read its rows. */
type Document<R> = R extends Uint8Array ? Promise<Uint8Array> : never;

/** Throws Refusal 400 for a request that is malformed in a way that no schema describes. */
export type FormCheck<N extends keyof Contract> = (...called: Parameters<Handler<N>>) => void;

/** The members of a refusal besides its code and its sentence. */
interface RefusalExtra {
  readonly members?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** The handler's changes stay although the answer is a refusal. */
  readonly keep?: boolean;
}

/** The service's refusal: status, errorCode and errorMessage. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;
  readonly errorCode: string;
  readonly extra: RefusalExtra;

  constructor(status: number, errorCode: string, errorMessage: string, extra: RefusalExtra = {}) {
    super(errorMessage);
    this.status = status;
    this.errorCode = errorCode;
    this.extra = extra;
  }
}

/** The same refusal, but what the handler changed before it stays. */
export const keeping = ({ status, errorCode, message, extra }: Refusal): Refusal =>
  new Refusal(status, errorCode, message, { ...extra, keep: true });

/** 400 ValidationError: what is wrong with the request, as a sentence. */
export const validationError = (message: string, extra?: RefusalExtra): Refusal =>
  new Refusal(400, "ValidationError", message, extra);

/** 404 ResourceNotFound: what is not there, as a sentence. */
export const notFound = (message: string): Refusal => new Refusal(404, "ResourceNotFound", message);
