/** Characters that a text may not hold: broken pairs, controls, and under `strict` those outside EUC-KR. */
import type { Problem } from "../errors.ts";
import { firstOutsideKsx1001 } from "./ksx1001.ts";

/** A problem with the character that causes it. */
export interface CharacterProblem extends Problem {
  /** Index of the character in UTF-16 units, from 0. */
  readonly at: number;
  readonly character: string;
}

/** Half a surrogate pair: such a text has no UTF-8 form. */
const brokenPair = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;
/** C0 and C1 controls and DEL, save tab, line feed and carriage return. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters looked for
const control = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]/;

const codePoint = (text: string, at: number): string =>
  `U+${(text.codePointAt(at) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;

/** The first character of `text` that the service refuses: 1027, 1028, or 1029 under `strict`. */
export const textProblem = (
  field: "text" | "subject",
  text: string | undefined,
  strict: boolean,
): CharacterProblem | undefined => {
  if (!text) return undefined;
  const broken = text.search(brokenPair);
  if (broken >= 0) return problem(field, text, broken, "1027", "is half a character");
  const hidden = text.search(control);
  if (hidden >= 0) return problem(field, text, hidden, "1028", "cannot be printed");
  const outside = strict ? firstOutsideKsx1001(text) : -1;
  if (outside < 0) return undefined;
  return problem(field, text, outside, "1029", "is outside the completed Korean set");
};

const problem = (
  field: string,
  text: string,
  at: number,
  code: string,
  what: string,
): CharacterProblem => {
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  const shown = code === "1029" ? `"${character}" (${codePoint(text, at)})` : codePoint(text, at);
  return { code, field, at, character, text: `character ${at + 1} of ${field}, ${shown}, ${what}` };
};
