/** Prints an error: what, where, what to do; or the same as JSON. */

import { type MsgError, type Problem, toMsgError, truncate } from "../errors.ts";
import { t } from "../locale/locale.ts";
import { jsonText } from "./formats/streamed.ts";
import type { Out } from "./out.ts";
import { sanitize } from "./text/safe.ts";
import { styles } from "./text/style.ts";

export interface ErrorView {
  readonly json: boolean;
  /** Completes the commands that it suggests. */
  readonly carry?: (text: string) => string;
  /** Adds the stack of a fault. */
  readonly debug?: boolean | undefined;
}

/** Problems shown to a person; JSON lists all that the error has, which may be the first of many. */
const shownProblems = 10;
/** Characters of a text that came from outside; our own sentences may quote a long path. */
const foreignText = 200;
const ownText = 1_000;

/** Writes an error and returns its exit code. Anything but a MsgError is a fault of `msg` itself. */
export const renderError = async (err: Out, thrown: unknown, view: ErrorView): Promise<number> => {
  const error = toMsgError(thrown);
  const todo = error.todo && view.carry ? view.carry(error.todo) : error.todo;
  await err.write(
    view.json
      ? `${jsonText({ error: jsonForm(error, todo) })}\n`
      : textForm(error, todo, err.colour),
  );
  if (view.debug && error.kind === "fault" && thrown instanceof Error) {
    const stack = thrown.stack?.split("\n").slice(1) ?? [];
    await err.write(stack.map((line) => `${sanitize(line)}\n`).join(""));
  }
  return error.exitCode;
};

const textForm = (error: MsgError, todo: string | undefined, colour: boolean): string => {
  const style = styles(colour);
  const line = (text: string): string => sanitize(truncate(text, limitOf(error)));
  const details = isOneFault(error) ? [] : error.details;
  const problems = details.slice(0, shownProblems).map((it) => sanitize(problemLine(it)));
  const lines = [
    error.where === undefined ? [] : [line(error.where)],
    problems,
    details.length > shownProblems
      ? [t`… the first ${shownProblems} are shown; --json lists ${details.length}`]
      : [],
    todo === undefined ? [] : [sanitize(truncate(todo, ownText))],
  ].flat();
  const first = `${style.red(t`error:`)} ${line(error.message)}\n`;
  return first + lines.map((it) => `  ${it}\n`).join("");
};

/** A fault of a source that would appear twice: `where` already has its place. */
const isOneFault = ({ kind, where, message, details }: MsgError): boolean =>
  kind === "usage" && where !== undefined && details.length === 1 && details[0]?.text === message;

/** `row 3, line 4, column 2, to: 1011 text`, without unknown parts. */
const problemLine = ({ row, line, column, field, code, text }: Problem): string => {
  const place = [
    row === undefined ? [] : t`row ${row}`,
    line === undefined ? [] : t`line ${line}`,
    column === undefined ? [] : t`column ${column}`,
    field ?? [],
  ].flat();
  // A code that says no more than the text is only for scripts.
  const codeNote = code === "InvalidValue" ? "" : ` (${code})`;
  const what = truncate(text, foreignText) + codeNote;
  return place.length === 0 ? what : `${truncate(place.join(", "), foreignText)}: ${what}`;
};

/** Empty members are null; `mfa` is present if a second factor is needed. */
const jsonForm = (error: MsgError, todo: string | undefined) => {
  const limit = limitOf(error);
  return {
    code: error.code,
    message: truncate(error.message, limit),
    hint: todo === undefined ? null : truncate(todo, ownText),
    exitCode: error.exitCode,
    outcome: error.outcome,
    retryable: error.retryable,
    http: error.http
      ? { status: error.http.status ?? null, method: error.http.method, path: error.http.path }
      : null,
    api: error.api === undefined ? null : bounded(error.api),
    details: error.details,
    ...(error.mfa && { mfa: error.mfa }),
  };
};

/** Text answered over the wire is foreign; text found on this machine is our own. */
const limitOf = (error: MsgError): number => (error.http ? foreignText : ownText);

/** A body as it came; if it is long, each of its texts is cut. */
const bounded = (body: unknown): unknown => {
  const text = JSON.stringify(body);
  if (text === undefined || text.length <= 10_000) return body;
  return JSON.parse(text, (_, value) =>
    typeof value === "string" ? truncate(value, foreignText) : value,
  );
};
