/** The one error type of `msg`: what happened, where, what to do, and what it means for the request. */
import { t } from "./locale/locale.ts";

/** Each kind of error and its exit code: the contract with shell scripts (README, "Exit codes"). */
export const exitCodes = {
  fault: 1,
  usage: 2,
  partial: 3,
  unauthenticated: 4,
  forbidden: 5,
  missing: 6,
  stopped: 7,
  pending: 8,
  unreachable: 9,
  refused: 10,
  unknown: 11,
  interrupted: 130,
} as const;

export type ErrorKind = keyof typeof exitCodes;

/** The outcome of the request that failed. `unknown` must never be repeated blindly. */
export type Outcome = "not_sent" | "refused" | "partial" | "unknown" | "done";

/** One of several problems of an input; the position members that apply are filled. */
export interface Problem {
  /** A code of msg or a status code of the service: `MissingColumn`, `1031`. */
  readonly code: string;
  readonly text: string;
  /** Counted from 1, the header of a CSV not included. */
  readonly row?: number | undefined;
  /** Line and column of the source file, from 1. */
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  /** The flag or member that is wrong: `--start-date`, `messages.3.to`. */
  readonly field?: string | undefined;
}

export interface HttpDetails {
  readonly status?: number | undefined;
  readonly method: string;
  readonly path: string;
}

/** The members that a second factor adds to an error. */
export interface MfaState {
  readonly transactionId?: string | undefined;
  readonly authType?: string | undefined;
  readonly destination?: string | undefined;
  readonly dateExpires?: string | undefined;
  readonly authTypes?: readonly string[] | undefined;
}

/** Replacement phrases for a todo if its request was one of many. */
export interface TodoWords {
  /** How to continue, in place of "run it again". */
  readonly again?: string | undefined;
  /** What was not sent, in place of "nothing was sent". */
  readonly nothing?: string | undefined;
}

export type Todo = string | ((words: TodoWords) => string);

export interface MsgErrorOptions {
  /** A code for scripts: the service's errorCode, else one of msg's, in the same PascalCase. */
  readonly code?: string | undefined;
  /** One line: status, code, method, path, or file and line. */
  readonly where?: string | undefined;
  /** One line: what the operator can do now. */
  readonly todo?: Todo | undefined;
  /** What happened, without the place and the meaning for the request, which the message may include. */
  readonly reason?: string | undefined;
  /** If omitted: `unknown` for an error of that kind, `not_sent` for any other. */
  readonly outcome?: Outcome | undefined;
  /** True when the same command may simply be run again. */
  readonly retryable?: boolean | undefined;
  readonly http?: HttpDetails | undefined;
  /** The body that the service answered with, as it came. */
  readonly api?: unknown;
  readonly details?: readonly Problem[] | undefined;
  readonly mfa?: MfaState | undefined;
  /** How long the service asks to wait (Retry-After); milliseconds. */
  readonly waitMs?: number | undefined;
  readonly cause?: unknown;
}

export class MsgError extends Error {
  readonly kind: ErrorKind;
  readonly code: string;
  readonly where: string | undefined;
  readonly todo: string | undefined;
  readonly reason: string;
  readonly outcome: Outcome;
  readonly retryable: boolean;
  readonly http: HttpDetails | undefined;
  readonly api: unknown;
  readonly details: readonly Problem[];
  readonly mfa: MfaState | undefined;
  readonly waitMs: number | undefined;
  readonly #todo: Todo | undefined;

  constructor(kind: ErrorKind, what: string, options: MsgErrorOptions = {}) {
    super(what, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "MsgError";
    this.kind = kind;
    this.code = options.code ?? codeOf[kind];
    this.where = options.where;
    this.#todo = options.todo;
    this.todo = this.todoWith({});
    this.reason = options.reason ?? what;
    this.outcome = options.outcome ?? (kind === "unknown" ? "unknown" : "not_sent");
    this.retryable = options.retryable ?? false;
    this.http = options.http;
    this.api = options.api;
    this.details = options.details ?? [];
    this.mfa = options.mfa;
    this.waitMs = options.waitMs;
  }

  get exitCode(): number {
    return exitCodes[this.kind];
  }

  /** The same failure with another message: its code, place and exchange stay, unless `options` replaces them. */
  reworded(kind: ErrorKind, what: string, options: MsgErrorOptions): MsgError {
    const { code, where, http, api } = this;
    return new MsgError(kind, what, { code, where, http, api, cause: this, ...options });
  }

  /** The todo with these phrases; a plain todo comes before them. */
  todoWith(words: TodoWords): string | undefined {
    if (typeof this.#todo === "function") return this.#todo(words);
    return this.#todo && words.again
      ? t`${this.#todo}; ${words.again}`
      : (this.#todo ?? words.again);
  }
}

/** The whole advice if the same request may simply be repeated. */
export const runAgain: Todo = ({ again = t`run it again` }) => again;

/** Wrong usage, input or configuration: found here, before any request. Exit 2. */
export const usageError = (what: string, options: MsgErrorOptions = {}): MsgError =>
  new MsgError("usage", what, options);

/** The same for one invalid value. */
export const invalidValue = (what: string, todo?: Todo): MsgError =>
  usageError(what, { code: "InvalidValue", todo });

/** The same for two flags of which only one may be given. */
export const exclusive = (one: string, other: string, todo?: Todo): MsgError =>
  usageError(t`${one} and ${other} exclude each other`, { todo });

/** The account has no such record, in the service's form of the error. Exit 6. */
export const notFound = (what: string, todo: Todo): MsgError =>
  new MsgError("missing", what, { code: "ResourceNotFound", todo });

const codeOf: Record<ErrorKind, string> = {
  fault: "InternalFault",
  usage: "InvalidUsage",
  partial: "PartlyRefused",
  unauthenticated: "NotAuthenticated",
  forbidden: "NotAllowed",
  missing: "NotFound",
  stopped: "Stopped",
  pending: "StillPending",
  unreachable: "Unreachable",
  refused: "Refused",
  unknown: "OutcomeUnknown",
  interrupted: "Interrupted",
};

/** `; did you mean 'send'?` if a known word is close to the one typed, else an empty text. */
export const didYouMean = (typed: string, known: readonly string[]): string => {
  const close = known
    .map((word) => ({ word, distance: editDistance(typed.toLowerCase(), word.toLowerCase()) }))
    .filter((it) => it.distance <= Math.max(1, Math.floor(it.word.length / 3)))
    // One letter is half of a word of two: --to is not --tz.
    .filter((it) => it.distance * 2 < it.word.replace(/^--/, "").length)
    .sort((a, b) => a.distance - b.distance)[0];
  return close ? t`; did you mean '${close.word}'?` : "";
};

/** Edits that lead from one word to the other; two swapped neighbours count as one. */
export const editDistance = (a: string, b: string): number => {
  let before: readonly number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (const [i, left] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, right] of [...b].entries()) {
      const replaced = (row[j] ?? 0) + (left === right ? 0 : 1);
      const isSwapped = i > 0 && j > 0 && left === b[j - 1] && a[i - 1] === right;
      const swapped = isSwapped ? (before[j - 1] ?? 0) + 1 : replaced;
      next.push(Math.min(replaced, swapped, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    before = row;
    row = next;
  }
  return row.at(-1) ?? 0;
};

/** One usage error out of all problems with flags and members. */
export const invalidInput = (problems: readonly Problem[]): Error => {
  const first = problems[0];
  const what = first ? `${first.field}: ${first.text}` : t`invalid input`;
  return usageError(problems.length > 1 ? t`${problems.length} values are wrong` : what, {
    code: "InvalidValue",
    details: problems.length > 1 ? problems : [],
  });
};

/** Throws usage with the problem of each of these fields; undefined means none. */
export const assertFields = (faults: Readonly<Record<string, string | undefined>>): void => {
  const problems = Object.entries(faults).flatMap(([field, text]) =>
    text === undefined ? [] : [{ code: "InvalidValue", field, text }],
  );
  if (problems.length > 0) throw invalidInput(problems);
};

/** Returns a MsgError. Rethrows anything else: a fault of `msg` itself. */
export const asMsgError = (thrown: unknown): MsgError => {
  if (thrown instanceof MsgError) return thrown;
  throw thrown;
};

/** An error that a command can go on without. Rethrows the operator's stop, and a fault of `msg` itself. */
export const passable = (thrown: unknown): MsgError => {
  const error = asMsgError(thrown);
  if (error.kind === "interrupted") throw error;
  return error;
};

/** Ignores such an error. */
export const passOver = (thrown: unknown): undefined => {
  passable(thrown);
};

/** Undefined if a read fails with such an error; throws any other one. */
export const unless = async <T>(
  isExpected: (error: unknown) => boolean,
  read: () => Promise<T>,
): Promise<T | undefined> => {
  try {
    return await read();
  } catch (error) {
    if (isExpected(error)) return undefined;
    throw error;
  }
};

/** The error itself, or a fault that wraps anything else that was thrown; its outcome is open. */
export const toMsgError = (thrown: unknown): MsgError => {
  if (thrown instanceof MsgError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new MsgError("fault", t`fault in msg itself: ${truncate(message, 200)}`, {
    todo: t`check what was done before running it again; --debug shows where it happened`,
    outcome: "unknown",
    cause: thrown,
  });
};

/** A word of a suggested command, quoted for a shell. */
export const shellWord = (word: string): string =>
  /^[\p{L}\p{N}_@%+=:,./-]+$/u.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

/** At most `limit` characters, the end marked; never half of a pair. */
export const truncate = (text: string, limit: number): string => {
  if (text.length <= limit) return text;
  const cut = text.slice(0, limit);
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
};

/** Whether a write failed because its reader had gone away, as `head` does. */
export const isReaderGone = (error: Error): boolean => "code" in error && error.code === "EPIPE";
