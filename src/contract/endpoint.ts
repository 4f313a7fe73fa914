/** How an endpoint is declared; the types of its input and answer follow from that. */
import * as v from "valibot";
import type { Needs } from "./needs.ts";
import type { Method } from "./wire.ts";

type Schema = v.GenericSchema;
/** Members of an object, each with its schema. Query members may be left out unless `required()`. */
export type Fields = Readonly<Record<string, Schema>>;
type BodySchema = Schema & { readonly entries: Fields };

/**
 * How the next page of a list is read. `key`: `startKey`/`nextKey`; `offset`: `offset`/`limit`,
 * ended by a short page. `items` names the member that holds the rows, an array or an object keyed
 * by id; absent when the answer itself is the array.
 */
export interface Page {
  readonly by: "key" | "offset";
  readonly items?: string;
  /** The most rows of one page, if that is not `maxRows`. */
  readonly max?: number;
}

/** The most rows of one page, unless the endpoint says otherwise. */
export const maxRows = 500;
/** Rows of a page, unless the caller says otherwise. */
export const defaultRows = 20;

/** One endpoint of the service. The only place where its path, fields and needs are written. */
export interface Endpoint {
  /** What it does, as a sentence without a full stop: the first line of help and of the reference. */
  readonly does: string;
  readonly method: Method;
  /** `:name` marks a path parameter. */
  readonly path: `/${string}`;
  /** Which host answers; `auth` serves the OAuth2 endpoints. */
  readonly host?: "auth";
  /**
   * `safe` reads; `settling` may be repeated because the service refuses a second execution (group
   * send, delete), or one does no harm; `unsafe` sends or moves money when it is repeated.
   */
  readonly effect: "safe" | "settling" | "unsafe";
  /** What a call of it spends: messages that go out, at once or later, or won that leave the balance. */
  readonly spends?: "messages" | "won";
  /**
   * How to check an unsafe request whose outcome is unknown: a command, or what a person looks at. `<since>` in
   * it is replaced by the time of the request, and `<groupId>` by that parameter of its path.
   */
  readonly checkWith?: string;
  /** Its row in the service's table of permissions. */
  readonly needs: Needs;
  /** What the sandbox enforces if the row is blank. */
  readonly alsoNeeds?: Needs;
  readonly secondFactor?: true;
  /** The service has it, its specification does not: listed apart. */
  readonly beyond?: boolean;
  readonly page?: Page;
  readonly query?: Fields;
  readonly body?: BodySchema;
  /** The body may also come as a form; repeated names are joined by spaces. */
  readonly form?: true;
  readonly reply: Schema;
  /**
   * Members that prove execution: a 200 without them is an unknown outcome, not success. For a read, members
   * that a command relies on: a 200 without them is an unreadable answer. `rows.member` is one of each row. An
   * id of the path that the reply declares need not be named.
   */
  readonly proof?: readonly string[];
}

/** Declares an endpoint: identity at run time, inference at compile time. */
export const endpoint = <const E extends Endpoint>(declared: E): E => declared;

/** Declares endpoints that have some members in common. */
export const endpointWith =
  <const C extends Partial<Endpoint>>(common: C) =>
  <const E extends Omit<Endpoint, keyof C>>(declared: E): C & E => ({ ...common, ...declared });

export const get = endpointWith({ method: "GET", effect: "safe" });

/** A route that the sandbox has in addition to the service's. */
export const isSandboxRoute = ({ path }: { readonly path: string }): boolean =>
  path.startsWith("/_sandbox/");

type EndpointNames<M> = { [K in keyof M]: M[K] extends Endpoint ? K : never }[keyof M];

const isEndpoint = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "does" in value && "path" in value;

/** The endpoints, by name, among everything that the areas of the contract export. */
export const endpointsIn = <M extends object>(areas: M) =>
  Object.fromEntries(Object.entries(areas).filter(([, it]) => isEndpoint(it))) as Pick<
    M,
    EndpointNames<M>
  >;

type Names<P extends string> = P extends `${string}:${infer Name}/${infer Rest}`
  ? Name | Names<Rest>
  : P extends `${string}:${infer Name}`
    ? Name
    : never;

type Params<P extends string> = [Names<P>] extends [never]
  ? unknown
  : { readonly params: Readonly<Record<Names<P>, string>> };

type Mandatory<Q> = { [K in keyof Q]: Q[K] extends { mandatory: true } ? K : never }[keyof Q];
export type Values<Q extends Fields> = {
  readonly [K in Mandatory<Q>]: v.InferInput<Q[K]>;
} & { readonly [K in Exclude<keyof Q, Mandatory<Q>>]?: v.InferInput<Q[K]> | undefined };

/** The members of an endpoint's query. */
export type QueryOf<E extends Endpoint> = E extends { readonly query: infer Q extends Fields }
  ? Values<Q>
  : never;

type Query<E> = E extends { readonly query: infer Q extends Fields }
  ? [Mandatory<Q>] extends [never]
    ? { readonly query?: Values<Q> | undefined }
    : { readonly query: Values<Q> }
  : unknown;

type Body<E> = E extends { readonly body: infer B extends Schema }
  ? { readonly body: v.InferInput<B> }
  : unknown;

/** What a call of the endpoint takes: `params`, `query` and `body`, each only where declared. */
export type Input<E extends Endpoint> = Params<E["path"]> & Query<E> & Body<E>;

export type Reply<E extends Endpoint> = v.InferOutput<E["reply"]>;

type Item<T> = T extends readonly (infer R)[]
  ? R
  : T extends Readonly<Record<string, infer R>>
    ? R
    : never;

/** One row of a list, or the whole answer if the endpoint is not a list. */
export type Row<E extends Endpoint> = E extends { readonly page: { readonly items: infer K } }
  ? K extends keyof Reply<E>
    ? Item<Reply<E>[K]>
    : never
  : E extends { readonly page: Page }
    ? Item<Reply<E>>
    : Reply<E>;

/** An input whose endpoint is not known at compile time: what the machinery passes around. */
export interface UntypedRequest {
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: unknown;
}

export const pathParams = (path: string): string[] =>
  [...path.matchAll(/:([A-Za-z]+)/g)].map((match) => match[1] ?? "");

/** One page of a list and how to continue. */
export interface PageOf<R> {
  readonly rows: readonly R[];
  /** `startKey` of the next page, or the offset as text; undefined on the last page. */
  readonly next: string | undefined;
}

/** The endpoints that a command may call. */
export interface Caller {
  readonly endpoint: Endpoint | undefined;
  /** All of them, its own first. */
  readonly endpoints: readonly Endpoint[];
}

/** The members of a record that the contract declares, in its order. */
export const declared = <S extends v.GenericSchema>(
  schema: S,
  record: v.InferInput<S>,
): v.InferOutput<S> => v.parse(schema, record);
