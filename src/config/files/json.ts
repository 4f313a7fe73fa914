/** The JSON of files that a person may have edited: errors that name the place and never the content. */
import type * as v from "valibot";
import { type MsgError, usageError } from "../../errors.ts";

/** Parses a file's text. Throws MsgError (usage) with line and column; secrets are not repeated. */
export const parseJson = (text: string, file: string, todo: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    const place = placeOf(text, error instanceof Error ? error.message : "");
    throw broken(file, `is not JSON${place}`, todo);
  }
};

/** What a schema found wrong with a file: the member and what it should be. */
export const describeFileIssue = (
  issue: v.BaseIssue<unknown>,
  raw: unknown,
  file: string,
): MsgError => {
  const version = isRecord(raw) ? raw.version : undefined;
  if (typeof version === "number" && version > 1)
    return broken(
      file,
      `has version ${version}; this msg knows version 1`,
      "update msg; the file was left as it is",
    );
  const path = (issue.path ?? []).map((part) => String(part.key)).join(".");
  const what = `: ${wrongness(issue, path)}`;
  return broken(file, what, "it was left as it is; mend that place");
};

const wrongness = ({ type, expected, received }: v.BaseIssue<unknown>, path: string): string => {
  if (expected === "never") return `nobody knows '${path}'`;
  if (type.endsWith("object") && received === "undefined") return `'${path}' is missing`;
  return `'${path}' must be ${expected ?? "something else"}`;
};

const broken = (file: string, what: string, todo: string): MsgError =>
  usageError(`'${file}'${what.startsWith(":") ? what : ` ${what}`}`, {
    code: "BrokenFile",
    where: file,
    todo,
  });

/** The message of JSON.parse repeats what stands there, so only its position is taken. */
const placeOf = (text: string, message: string): string => {
  const position = /at position (\d+)/.exec(message)?.[1];
  const at = position === undefined ? tokenAt(text) : Number(position);
  const before = text.slice(0, at).split("\n");
  return ` (line ${before.length}, column ${(before.at(-1) ?? "").length + 1})`;
};

/** Where the token is that JSON.parse did not expect: it names the token alone, so parts are tried. */
const tokenAt = (text: string): number => {
  let [known, end] = [0, text.length];
  while (known < end) {
    const half = Math.floor((known + end) / 2);
    if (isRefused(text.slice(0, half + 1))) end = half;
    else known = half + 1;
  }
  return known;
};

/** False for a text that is only cut. */
const isRefused = (text: string): boolean => {
  try {
    JSON.parse(text);
    return false;
  } catch (error) {
    return error instanceof Error && error.message.startsWith("Unexpected token");
  }
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;
