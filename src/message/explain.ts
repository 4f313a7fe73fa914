/** One lookup for status codes and error codes, with similar ones if a code is unknown. */

import { editDistance } from "../errors.ts";
import { translated } from "../locale/locale.ts";
import { errorRows } from "./errors-table.ts";
import { statusCodes } from "./status.ts";

/** What `msg explain` prints. */
export interface Explanation {
  readonly code: string;
  readonly meaning: string;
  /** Null if the service may or may not have charged. */
  readonly charged: boolean | null;
  readonly todo: string;
}

/** These leave open whether the call was executed. */
const unclear: ReadonlySet<string> = new Set([
  "DuplicatedSignature",
  "InternalServerError",
  "InternalError",
]);

const explanations: ReadonlyMap<string, Explanation> = new Map<string, Explanation>([
  ...[...statusCodes.values()].map(
    ({ code, meaning, charged, todo }) => [code, { code, meaning, charged, todo }] as const,
  ),
  ...errorRows.map(([code, meaning, todo]) => {
    const charged = unclear.has(code) ? null : false;
    return [code.toLowerCase(), { code, meaning, charged, todo }] as const;
  }),
]);

const errorCodes: ReadonlySet<string> = new Set(errorRows.map(([code]) => code.toLowerCase()));

/** Whether the service answers errors with this code, in upper or lower case. */
export const isErrorCode = (word: string): boolean => errorCodes.has(word.toLowerCase());

/** The explanation of a status code or an error code, in upper or lower case. */
export const explain = (code: string): Explanation | undefined => {
  const found = explanations.get(code.trim().toLowerCase());
  return found && { ...found, meaning: translated(found.meaning), todo: translated(found.todo) };
};

/** Up to five codes that `code` may be a misspelling of, the nearest first. */
export const similarCodes = (code: string): string[] => {
  const wanted = code.trim().toLowerCase();
  return [...explanations]
    .map(([key, { code: name }]) => ({ name, distance: distance(wanted, key) }))
    .filter(({ distance: far }) => far <= Math.max(1, Math.floor(wanted.length / 3)))
    .sort((a, b) => a.distance - b.distance || a.name.localeCompare(b.name))
    .slice(0, 5)
    .map(({ name }) => name);
};

/** Edits that turn one text into the other; a part that the other contains counts as one edit. */
const distance = (from: string, to: string): number =>
  from.length > 3 && to.includes(from) ? 1 : editDistance(from, to);
