/** Answers that are errors: which kind, what they mean and what to do. */

import type { Credentials } from "../../contract/credentials.ts";
import type { Endpoint } from "../../contract/endpoint.ts";
import { needsOf } from "../../contract/needs.ts";
import type { Answer, Wire } from "../../contract/wire.ts";
import {
  type ErrorKind,
  type MfaState,
  MsgError,
  type MsgErrorOptions,
  type Todo,
} from "../../errors.ts";
import { asRecord } from "../../json/read-json.ts";
import { explain } from "../../message/explain.ts";
import { maxWaitMs, requestedWaitMs } from "../layers/retry.ts";
import type { Conversation } from "../layers/second-factor.ts";
import { formatDuration, formatOffset, isSkewExplained } from "../service-clock.ts";
import { missingScope, readToken, scopeHint } from "../token.ts";
import { type ErrorBody, errorBody, oneLine } from "./decode.ts";
import { howToCheck, outcomeOf } from "./outcome.ts";
import { refusedMessage } from "./refused-message.ts";

/** One exchange that ended with an answer, and what is needed to explain it. */
export interface RefusedAnswer {
  readonly endpoint: Endpoint;
  readonly wire: Wire;
  readonly answer: Answer;
  readonly credentials: Credentials | undefined;
  readonly conversation?: Conversation | undefined;
  /** The command that logs the caller in. */
  readonly login: string;
  /** The date that the last attempt was signed with; undefined where a token proved who called. */
  readonly signed: string | undefined;
  /** Reads have shown that the service itself refuses that date. */
  readonly isDateRefused: boolean;
  /** When the call began, and when it was over. */
  readonly started: Date;
  readonly now: Date;
}

/**
 * The error for an answer that is not a success, code first and status second, or for a success
 * that cannot be read, which `fault` describes.
 */
export const refusalError = (exchange: RefusedAnswer, fault: string | undefined): MsgError => {
  if (fault !== undefined) return unreadable(exchange, fault);
  const { endpoint, answer, now } = exchange;
  const body = errorBody(answer);
  const code = body.errorCode ?? `HTTP_${answer.status}`;
  const { status } = answer;
  const { serviceCode } = body;
  const isExplained =
    exchange.signed !== undefined &&
    exchange.isDateRefused &&
    isSkewExplained(answer, exchange.signed, now);
  const evidence = { status, serviceCode, isUsable: false, isSkewExplained: isExplained };
  const outcome = outcomeOf(endpoint.effect, evidence);
  const kind = outcome === "unknown" ? "unknown" : kindOf(exchange, body.errorCode);
  return new MsgError(kind, whatOf(exchange, body), {
    ...placeOf(exchange, code),
    code,
    outcome,
    api: body.raw,
    mfa: mfaOf(body),
    retryable: isRetryable(endpoint, answer.status, body.errorCode),
    waitMs: requestedWaitMs(answer.headers, now),
    todo:
      outcome === "unknown"
        ? howToCheck(endpoint, exchange.started, exchange.wire.target)
        : todoOf(exchange, body, now),
  });
};

/** The error for a success that is no reply. */
const unreadable = (exchange: RefusedAnswer, what: string): MsgError => {
  const { endpoint, answer } = exchange;
  const outcome = outcomeOf(endpoint.effect, { status: answer.status, isUsable: false });
  const isUnknown = outcome === "unknown";
  return new MsgError(isUnknown ? "unknown" : "refused", what, {
    ...placeOf(exchange, "UnreadableAnswer"),
    code: "UnreadableAnswer",
    outcome,
    retryable: endpoint.effect !== "unsafe",
    api: errorBody(answer).raw,
    todo: isUnknown
      ? howToCheck(endpoint, exchange.started, exchange.wire.target)
      : "check the address of the service, and whether a proxy or a sign-in page answers: msg profile show",
  });
};

const placeOf = (
  { wire, answer }: RefusedAnswer,
  code: string,
): Pick<MsgErrorOptions, "where" | "http"> => {
  const path = wire.target.split("?")[0] ?? "";
  return {
    where: `${[String(answer.status), code].join(" ")}, ${wire.method} ${path}`,
    http: { status: answer.status, method: wire.method, path },
  };
};

/** Kinds by the service's words, upper and lower case alike. */
const kinds: readonly (readonly [RegExp, ErrorKind])[] = [
  [
    /^(invalidapikey|signaturedoesnotmatch|requesttimetooskewed|duplicatedsignature)$/,
    "unauthenticated",
  ],
  // Of accounts, members, clients and apps; a group that is deleted is a state, not a right.
  [
    /^(forbidden|accountnotauthenticated|(inactive|deleted|unverified)(?!group).*|.*mfa.*)$/,
    "forbidden",
  ],
  [/notfound$/, "missing"],
];

const kindOf = (exchange: RefusedAnswer, errorCode: string | undefined): ErrorKind => {
  const word = errorCode?.toLowerCase();
  const known = word === undefined ? undefined : kinds.find(([pattern]) => pattern.test(word));
  if (known) return known[1];
  const { status } = exchange.answer;
  if (status === 401 || word === "unauthorized")
    return isLackOfScope(exchange) ? "forbidden" : "unauthenticated";
  return status === 403 ? "forbidden" : status === 404 ? "missing" : "refused";
};

/** A token that is still valid was refused for what it may not do. */
const isLackOfScope = ({ endpoint, credentials, now }: RefusedAnswer): boolean => {
  if (credentials?.kind !== "token") return false;
  const token = readToken(credentials.accessToken);
  if (!token || token.expires <= now) return false;
  return missingScope(endpoint, token.scopes) !== undefined;
};

const isRetryable = (endpoint: Endpoint, status: number, errorCode: string | undefined): boolean =>
  endpoint.effect === "settling" && status >= 500
    ? true
    : errorCode?.toLowerCase() === "toomanyrequests" ||
      status === 429 ||
      (status >= 500 && endpoint.effect === "safe");

const whatOf = (exchange: RefusedAnswer, { errorCode, text }: ErrorBody): string => {
  const { answer, credentials } = exchange;
  const { status, headers } = answer;
  if (status >= 300 && status < 400)
    return `the service redirects to ${hostOf(headers.location)}; redirects are not followed`;
  if (errorCode === undefined)
    return text === ""
      ? `the service answered ${status}`
      : `the service answered ${status}: ${text}`;
  const refused = refusedMessage(exchange, errorCode, text);
  if (refused) return `${refused.meaning} (${refused.code}); nothing was sent`;
  const isUnknownKey = credentials?.kind === "key" && errorCode.toLowerCase() === "invalidapikey";
  const isLack = errorCode.toLowerCase() === "unauthorized" && isLackOfScope(exchange);
  const meaning = isUnknownKey
    ? `the API key ****${credentials.apiKey.slice(-4)} is unknown or disabled`
    : isLack
      ? "not allowed"
      : explain(errorCode)?.meaning;
  const what = meaning ?? `the service refused with ${errorCode}`;
  // The service may say the same in its own sentence.
  if (text.toLowerCase().startsWith(what.toLowerCase())) return text;
  return text === "" ? what : `${what}: ${text}`;
};

const hostOf = (location: string | undefined): string => {
  if (location === undefined || !URL.canParse(location)) return "another address";
  return `'${oneLine(new URL(location).host)}'`;
};

const todoOf = (exchange: RefusedAnswer, body: ErrorBody, now: Date): Todo => {
  const { errorCode } = body;
  const { endpoint, answer } = exchange;
  const { status, headers } = answer;
  const known =
    errorCode === undefined ? undefined : todos[errorCode.toLowerCase()]?.(exchange, now);
  if (known !== undefined) return known;
  const goOn = factorTodo(exchange, body);
  if (goOn !== undefined) return goOn;
  if (status >= 300 && status < 400)
    return "check the address of the service: msg profile show; a path or an https:// may be missing";
  if (status === 429) return waitTodo(requestedWaitMs(headers, now));
  if (status === 401) return unauthorizedTodo(exchange, now);
  if (status >= 500)
    return ({ again = "run it again", nothing = "nothing was changed" }) =>
      `${endpoint.effect === "safe" ? `${nothing}; ` : ""}${again} in a while`;
  const explained = errorCode === undefined ? undefined : explain(errorCode)?.todo;
  const refused = refusedMessage(exchange, errorCode, body.text);
  if (refused) return `${refused.todo} (msg explain ${refused.code})`;
  if (explained !== undefined) return explained;
  if (status === 402) return chargeTodo;
  if (status === 403) return `${needsText(endpoint)}; see what this profile may do: msg auth can`;
  if (status === 404) return missingTodo(endpoint);
  return ({ nothing = "nothing was done", again }) =>
    ["compare with the command's --help", nothing, again].filter(Boolean).join("; ");
};

const chargeTodo: Todo = ({ again = "run it again" }) =>
  `charge the account, then ${again}: msg balance shows what is there`;

/** What to do where the answer alone does not say it: measured, or named after the profile. */
const todos: Readonly<Record<string, (exchange: RefusedAnswer, now: Date) => Todo>> = {
  signaturedoesnotmatch: ({ login }) =>
    `the secret does not belong to this key: store it again with ${login}`,
  invalidapikey: ({ login }) =>
    `check the key and whether it is enabled in the service's console; store another with ${login}`,
  requesttimetooskewed:
    ({ answer }, now) =>
    ({ again = "run it again" }) =>
      `${formatOffset(answer.headers.date, now) ?? "the clock of this machine is 15 minutes or more off"}; set the clock and ${again}`,
  duplicatedsignature:
    () =>
    ({ nothing = "nothing was changed", again = "run it again" }) =>
      `${nothing}; ${again}: a new signature is made (a proxy that repeats requests causes this)`,
  notenoughbalance: () => chargeTodo,
  resourcenotfound: ({ endpoint }) => missingTodo(endpoint),
  toomanyrequests: ({ answer }, now) => waitTodo(requestedWaitMs(answer.headers, now)),
  unauthorized: (exchange, now) => unauthorizedTodo(exchange, now),
  forbidden: ({ endpoint }) => `${needsText(endpoint)}; see what this profile may do: msg auth can`,
  accountnotauthenticated: () =>
    "authenticate the account with the service (personal or business); this needs an authenticated account",
};

/** Only messages and their groups are kept for a time. */
const missingTodo = ({ path }: Endpoint): string =>
  path.startsWith("/messages/")
    ? "check the id; messages and groups are kept for 6 months"
    : "check the id";

const waitTodo =
  (askedMs: number | undefined): Todo =>
  ({ again = "run it again" }) => {
    if (askedMs === undefined) return `wait a while and ${again}, more slowly`;
    const isLong = askedMs > maxWaitMs ? ", which is not waited for" : "";
    return `the service asks to wait ${formatDuration(askedMs)}${isLong}; ${again} then`;
  };

const unauthorizedTodo = (exchange: RefusedAnswer, now: Date): string => {
  const { endpoint, credentials, login } = exchange;
  if (credentials?.kind !== "token") return `log in again: ${login}`;
  const token = readToken(credentials.accessToken);
  if (token && token.expires <= now)
    return `the token expired at ${token.expires.toISOString()}; log in again: ${login} --web`;
  const scope = token && missingScope(endpoint, token.scopes);
  return token === undefined || scope === undefined
    ? `the token is not accepted; log in again: ${login} --web`
    : `the token lacks the scope ${scope}; ${scopeHint(scope, token.scopes, login)}`;
};

/** "this needs the role role-cash:write and an authenticated account". */
const needsText = (endpoint: Endpoint): string => {
  const all = needsOf(endpoint);
  const parts = [
    all.role === undefined ? [] : `the role permission ${all.role}`,
    all.account ? "an active account" : [],
    all.member ? "an active member" : [],
    all.authentication ? "an authenticated account" : [],
  ].flat();
  return parts.length === 0 ? "this caller may not do it" : `this needs ${parts.join(", ")}`;
};

/** What the service tells of a second factor. */
const mfaOf = ({ raw }: ErrorBody): MfaState | undefined => {
  const { mfa } = asRecord(raw);
  if (mfa === undefined) return undefined;
  const { transactionId, authType, destination, dateExpires, authTypes } = asRecord(mfa);
  const text = (value: unknown) => (typeof value === "string" ? oneLine(value) : undefined);
  return {
    transactionId: text(transactionId),
    authType: text(authType),
    destination: text(destination),
    dateExpires: text(dateExpires),
    ...(Array.isArray(authTypes) && {
      authTypes: authTypes.filter((it) => typeof it === "string"),
    }),
  };
};

/** A wrong code is counted, and the person who types it does not see by how much. */
const triesText = ({ raw }: ErrorBody): string => {
  const { attemptsLeft } = asRecord(asRecord(raw).mfa);
  if (typeof attemptsLeft !== "number") return "";
  return attemptsLeft === 1 ? "one try is left; " : `${attemptsLeft} tries are left; `;
};

/** How to go on with a code that was sent, or how to have one sent. */
const factorTodo = ({ conversation }: RefusedAnswer, body: ErrorBody): string | undefined => {
  const word = body.errorCode ?? "";
  const goOn = conversation?.todo(mfaOf(body) ?? {});
  if (word === "MFARequired") return goOn;
  if (word === "InvalidMFAToken") return goOn && `${triesText(body)}${goOn}`;
  // What was sent is good for nothing any more.
  if (/^(MFAExpired|InvalidMFATransaction|TooManyMFAAttempts)$/.test(word))
    return conversation?.todo({});
  return undefined;
};
