/** Answers that are errors: which kind, what they mean and what to do. */

import type { Endpoint } from "../contract/endpoint.ts";
import { needsOf } from "../contract/needs.ts";
import type { Answer, Credentials, Wire } from "../contract/wire.ts";
import { type ErrorKind, type MfaState, MsgError, type Todo } from "../errors.ts";
import { asRecord, asText, readJson } from "../json/read-json.ts";
import { joinSentences, shownTime, t } from "../locale/locale.ts";
import { explain } from "../message/explain.ts";
import { explainRefusal } from "../message/status.ts";
import { type ErrorBody, errorBody, oneLine, requestedWaitMs } from "./codec.ts";
import { maxWaitMs } from "./layers/retry.ts";
import type { Conversation } from "./layers/second-factor.ts";
import { howToCheck, outcomeOf } from "./outcome.ts";
import { formatDuration, formatOffset, isSkewExplained } from "./service-clock.ts";
import { missingScope, readToken, scopeHint } from "./token.ts";

/** One exchange that ended with an answer, and what is needed to explain it. */
export interface RefusedAnswer {
  readonly endpoint: Endpoint;
  readonly wire: Wire;
  readonly answer: Answer;
  readonly credentials: Credentials | undefined;
  readonly conversation: Conversation | undefined;
  /** The command that logs the caller in. */
  readonly login: string;
  /** The date that the last attempt was signed with; undefined if a token proved who called. */
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
  const { endpoint, wire, answer, started, now, signed } = exchange;
  const { status, headers } = answer;
  const body = errorBody(answer);
  const { errorCode, serviceCode } = body;
  const isExplained =
    signed !== undefined && exchange.isDateRefused && isSkewExplained(answer, signed, now);
  const evidence = { status, serviceCode, isUsable: false, isSkewExplained: isExplained };
  const outcome = outcomeOf(endpoint.effect, evidence);
  const isUnknown = outcome === "unknown";
  const code = fault === undefined ? (errorCode ?? `HTTP_${status}`) : "UnreadableAnswer";
  const path = wire.target.split("?")[0] ?? "";
  const common = {
    code,
    where: `${status} ${code}, ${wire.method} ${path}`,
    http: { status, method: wire.method, path },
    outcome,
    api: body.raw,
  };
  const check = isUnknown ? howToCheck(endpoint, started, wire.target) : undefined;
  if (fault !== undefined)
    return new MsgError(isUnknown ? "unknown" : "refused", fault, {
      ...common,
      retryable: endpoint.effect !== "unsafe",
      todo:
        check ??
        t`check the address of the service, and whether a proxy or a sign-in page answers: msg profile show`,
    });
  const isLimit = status === 429 || errorCode?.toLowerCase() === "toomanyrequests";
  return new MsgError(isUnknown ? "unknown" : kindOf(exchange, errorCode), whatOf(exchange, body), {
    ...common,
    mfa: mfaOf(body),
    retryable: isUnknown
      ? endpoint.effect === "settling"
      : isLimit || (status >= 500 && endpoint.effect !== "unsafe"),
    waitMs: requestedWaitMs(headers, now),
    todo: check ?? todoOf(exchange, body),
  });
};

/** Whether the service itself, which names a code, forbids it: a gateway does not know whether the login is right. */
export const isForbiddenByService = ({ kind, code }: MsgError): boolean =>
  kind === "forbidden" && code !== "HTTP_403";

/** Kinds by the service's error code, in upper or lower case. */
const kinds: readonly (readonly [RegExp, ErrorKind])[] = [
  [
    /^(invalidapikey|signaturedoesnotmatch|requesttimetooskewed|duplicatedsignature)$/,
    "unauthenticated",
  ],
  // Codes of accounts, members, clients and apps; a deleted group is a state, not a missing right.
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
    return lacksScope(exchange) ? "forbidden" : "unauthenticated";
  if (status === 403) return "forbidden";
  return status === 404 ? "missing" : "refused";
};

/** A token that is still valid was refused because it lacks a scope. */
const lacksScope = ({ endpoint, credentials, now }: RefusedAnswer): boolean => {
  if (credentials?.kind !== "token") return false;
  const token = readToken(credentials.accessToken);
  if (!token || token.expires <= now) return false;
  return missingScope(endpoint, token.scopes) !== undefined;
};

const whatOf = (exchange: RefusedAnswer, { errorCode, text }: ErrorBody): string => {
  const { answer, credentials } = exchange;
  const { status, headers } = answer;
  if (status >= 300 && status < 400)
    return t`the service redirects to ${hostOf(headers.location)}; redirects are not followed`;
  if (errorCode === undefined)
    return text === ""
      ? t`the service answered ${status}`
      : t`the service answered ${status}: ${text}`;
  const refused = refusedMessage(exchange, errorCode, text);
  if (refused) return t`${refused.meaning} (${refused.code}); nothing was sent`;
  const word = errorCode.toLowerCase();
  let what = explain(errorCode)?.meaning ?? t`the service refused with ${errorCode}`;
  if (credentials?.kind === "key" && word === "invalidapikey")
    what = t`the API key ****${credentials.apiKey.slice(-4)} is unknown or disabled`;
  else if (word === "unauthorized" && lacksScope(exchange)) what = t`not allowed`;
  // The service may say the same in its own sentence.
  if (text.toLowerCase().startsWith(what.toLowerCase())) return text;
  return text === "" ? what : `${what}: ${text}`;
};

const hostOf = (location: string | undefined): string => {
  if (location === undefined || !URL.canParse(location)) return t`another address`;
  return `'${oneLine(new URL(location).host)}'`;
};

const todoOf = (exchange: RefusedAnswer, body: ErrorBody): Todo => {
  const { errorCode = "" } = body;
  const { endpoint, answer } = exchange;
  const { status } = answer;
  const word = errorCode.toLowerCase();
  // Own members only: the code may be any text that was answered.
  const own = Object.hasOwn(todos, word) ? todos[word] : undefined;
  const known = own?.(exchange) ?? secondFactorTodo(exchange, body);
  if (known !== undefined) return known;
  if (status >= 300 && status < 400)
    return t`check the address of the service: msg profile show; a path or an https:// may be missing`;
  if (status === 429) return waitTodo(exchange);
  if (status === 401) return unauthorizedTodo(exchange);
  if (status >= 500)
    return ({ again = t`run it again`, nothing = t`nothing was changed` }) =>
      joinSentences([...(endpoint.effect === "safe" ? [nothing] : []), t`in a while, ${again}`]);
  const refused = refusedMessage(exchange, errorCode, body.text);
  if (refused) return t`${refused.todo ?? ""} (msg explain ${refused.code})`;
  const explained = explain(errorCode)?.todo;
  if (explained !== undefined) return explained.replaceAll("<id>", idIn(exchange) ?? "<id>");
  if (status === 402) return chargeTodo;
  if (status === 403) return rightsTodo(exchange);
  if (status === 404) return missingTodo(exchange);
  return ({ nothing = t`nothing was done`, again }) =>
    joinSentences([t`compare with the command's --help`, nothing, again ?? ""].filter(Boolean));
};

/** The id of the record that the request was about. */
const idIn = ({ endpoint, wire }: RefusedAnswer): string | undefined => {
  const at = endpoint.path.split("/").findIndex((part) => part.startsWith(":"));
  return wire.target.split(/[/?]/)[at];
};

const chargeTodo: Todo = ({ again = t`run it again` }) =>
  t`top up the balance (msg balance shows it), then ${again}`;

/** What to do if the answer alone does not say it: measured, or named after the profile. */
const todos: Readonly<Record<string, (exchange: RefusedAnswer) => Todo>> = {
  signaturedoesnotmatch: ({ login }) =>
    t`the secret does not belong to this key: store it again with ${login}`,
  invalidapikey: ({ login }) =>
    t`check the key and whether it is enabled in the service's console; store another with ${login}`,
  requesttimetooskewed:
    ({ answer, now }) =>
    ({ again = t`run it again` }) =>
      t`${formatOffset(answer.headers.date, now) ?? t`the clock of this machine is off by 15 minutes or more`}; set the clock and ${again}`,
  duplicatedsignature:
    () =>
    ({ nothing = t`nothing was changed`, again = t`run it again` }) =>
      t`${nothing}; ${again}: msg makes a new signature (a proxy that repeats requests causes this)`,
  notenoughbalance: () => chargeTodo,
  resourcenotfound: (exchange) => missingTodo(exchange),
  toomanyrequests: (exchange) => waitTodo(exchange),
  unauthorized: (exchange) => unauthorizedTodo(exchange),
  forbidden: (exchange) => rightsTodo(exchange),
  accountnotauthenticated: () =>
    t`authenticate the account with the service (personal or business); this needs an authenticated account`,
};

/** Only messages and their groups are kept for a time. */
const missingTodo = ({ endpoint }: RefusedAnswer): string =>
  endpoint.path.startsWith("/messages/")
    ? t`check the id; messages and groups are kept for 6 months`
    : t`check the id`;

const waitTodo =
  ({ answer, now }: RefusedAnswer): Todo =>
  ({ again = t`run it again` }) => {
    const askedMs = requestedWaitMs(answer.headers, now);
    if (askedMs === undefined) return t`wait a while, then ${again}, more slowly`;
    const asked = formatDuration(askedMs);
    return askedMs > maxWaitMs
      ? t`the service asks to wait ${asked}, longer than msg waits; then ${again}`
      : t`the service asks to wait ${asked}; then ${again}`;
  };

const unauthorizedTodo = ({ endpoint, credentials, login, now }: RefusedAnswer): string => {
  if (credentials?.kind !== "token") return t`log in again: ${login}`;
  const token = readToken(credentials.accessToken);
  if (token && token.expires <= now)
    return t`the token expired at ${shownTime(token.expires.toISOString())}; log in again: ${login} --web`;
  const scope = token && missingScope(endpoint, token.scopes);
  return token === undefined || scope === undefined
    ? t`the token is not accepted; log in again: ${login} --web`
    : t`the token lacks the scope ${scope}; ${scopeHint(scope, token.scopes, login)}`;
};

/** "this needs the role role-cash:write and an authenticated account", and where to see the rights. */
const rightsTodo = ({ endpoint }: RefusedAnswer): string => {
  const { role, account, member, authentication } = needsOf(endpoint);
  const parts = [
    role !== undefined && t`the role permission ${role}`,
    account && t`an active account`,
    member && t`an active member`,
    authentication && t`an authenticated account`,
    endpoint.path.includes("/:") && t`a record of this account`,
  ].filter(Boolean);
  const needs =
    parts.length > 0 ? t`this needs ${parts.join(", ")}` : t`this profile may not do it`;
  return t`${needs}; see what this profile may do: msg auth can`;
};

/** What the service says about a second factor. */
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

/** How to continue with a sent code, or how to have one sent. */
const secondFactorTodo = ({ conversation }: RefusedAnswer, body: ErrorBody): string | undefined => {
  const word = body.errorCode ?? "";
  const next = conversation?.todo(mfaOf(body) ?? {});
  if (word === "MFARequired") return next;
  if (word === "InvalidMFAToken") return next && `${attemptsText(body)}${next}`;
  // The code that was sent can no longer be used.
  if (/^(MFAExpired|InvalidMFATransaction|TooManyMFAAttempts)$/.test(word))
    return conversation?.todo({});
  return undefined;
};

/** The service counts wrong codes, and the person who types them does not see the count. */
const attemptsText = ({ raw }: ErrorBody): string => {
  const { attemptsLeft } = asRecord(asRecord(raw).mfa);
  if (typeof attemptsLeft !== "number") return "";
  return attemptsLeft === 1 ? t`1 attempt left; ` : t`${attemptsLeft} attempts left; `;
};

/**
 * A single send that a check refused: the text of the answer holds the message's own code. Says
 * what is wrong with the message and what to do; undefined for any other refusal.
 */
const refusedMessage = ({ endpoint, wire }: RefusedAnswer, errorCode: string, text: string) => {
  if (!/^(FailedToAddMessage|InvalidStatusCode)$/i.test(errorCode)) return undefined;
  const code = /\b1\d{3}\b/.exec(text)?.[0] ?? "";
  if (!explain(code)) return undefined;
  const { from } = asRecord(asRecord(readJson(wire.body ?? new Uint8Array())).message);
  return { code, ...explainRefusal(code, { from: asText(from), path: endpoint.path }) };
};
