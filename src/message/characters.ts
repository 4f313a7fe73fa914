/** Characters that a text may not hold: broken pairs, controls, and under `strict` those outside KS X 1001. */

import type { Problem } from "../errors.ts";
import { t } from "../locale/locale.ts";
import { ksx1001Bits, ksx1001Pages } from "./ksx1001-table.ts";

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

/** The first character of `text` that the service refuses: 1027, 1028, or 1029 under `strict`. */
export const textProblem = (
  field: "text" | "subject",
  text: string | undefined,
  strict: boolean,
): CharacterProblem | undefined => {
  if (!text) return undefined;
  const broken = text.search(brokenPair);
  if (broken >= 0) return problem(field, text, broken, "1027");
  const hidden = text.search(control);
  if (hidden >= 0) return problem(field, text, hidden, "1028");
  const outside = strict ? firstOutsideKsx1001(text) : -1;
  return outside < 0 ? undefined : problem(field, text, outside, "1029");
};

const problem = (
  field: string,
  text: string,
  at: number,
  code: "1027" | "1028" | "1029",
): CharacterProblem => {
  const codePoint = text.codePointAt(at) ?? 0;
  const character = String.fromCodePoint(codePoint);
  const point = `U+${codePoint.toString(16).toUpperCase().padStart(4, "0")}`;
  const sentences = {
    "1027": () => t`character ${at + 1} of ${field}, ${point}, is half a character`,
    "1028": () => t`character ${at + 1} of ${field}, ${point}, cannot be printed`,
    "1029": () =>
      t`character ${at + 1} of ${field}, "${character}" (${point}), is outside KS X 1001 (완성형)`,
  };
  return { code, field, at, character, text: sentences[code]() };
};

/** A bit for each UTF-16 unit: ASCII and KS X 1001, the Korean set of EUC-KR. */
const unpackKsx1001 = (): Uint8Array => {
  const bits = Buffer.from(ksx1001Bits, "base64");
  const all = new Uint8Array(0x10000 >> 3);
  for (const [index, page] of Buffer.from(ksx1001Pages, "base64").entries())
    all.set(bits.subarray(index * 32, index * 32 + 32), page * 32);
  return all.fill(0xff, 0, 0x80 >> 3);
};

const ksx1001 = unpackKsx1001();

/** True if a UTF-16 unit is ASCII or a character of KS X 1001; never for half a pair. */
export const isInKsx1001 = (codeUnit: number): boolean =>
  ((ksx1001[codeUnit >> 3] ?? 0) & (1 << (codeUnit & 7))) !== 0;

/** UTF-16 units; flags of regions and families with skin tones have fewer. */
const longestCharacter = 32;

/** The first character of a text that phones in Korea may not show; undefined if they show all of it. */
export const findLostCharacter = (text: string): string | undefined => {
  const at = firstOutsideKsx1001(text);
  if (at < 0) return undefined;
  // As a person sees it: a family is one character of several code points.
  const [character] = new Intl.Segmenter().segment(text.slice(at, at + longestCharacter));
  return character?.segment;
};

/** Index of the first UTF-16 unit outside the set, or -1. */
export const firstOutsideKsx1001 = (text: string): number => {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code > 0x7f && !isInKsx1001(code)) return at;
  }
  return -1;
};
