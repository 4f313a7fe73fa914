/** Converts phone numbers as people and spreadsheets write them to the digits that the service accepts. */

import type { Problem } from "../errors.ts";
import { t } from "../locale/locale.ts";

export type NumberResult =
  | { readonly digits: string; readonly problem?: undefined }
  | { readonly digits?: undefined; readonly problem: Problem };

export interface NumberOptions {
  /** Calling code of the recipient's country; 82 when left out. */
  readonly country?: string | undefined;
  /** Restores the leading zero that a spreadsheet removed from a Korean number. */
  readonly fixLeadingZero?: boolean | undefined;
}

const plain = /^0\d{7,10}$/;
/** Blanks, dashes, parentheses, direction marks and the like: they say nothing. */
const filling = /[\s\-()\u00AD\u200B-\u200F\u2010-\u2015\u202A-\u202E\u2060\u2212\uFEFF]/g;
/** Full-width forms of ASCII lie at a fixed distance. */
const fullWidth = /[\uFF01-\uFF5E]/g;
const scientific = /^\d+(\.\d+)?E\+?\d+$/i;
/** A dot before one or two last digits is a decimal point, not a separator. */
const decimal = /^\+?\d+\.\d{0,2}$/;
const severalParts = /[,;/|&\n\r\t]|\s{2,}/;
/** What follows the zero of a Korean number: mobile, Seoul, provinces, internet, free, personal. */
const koreanRest = /^(1[016789]\d{7,8}|2\d{7,8}|[3-6][1-5]\d{7,8}|[78]0\d{7,8}|50\d{8,9})$/;
/** Numbers for the whole country, written without a zero: 1588-0000. */
const koreanService = /^1[5-9]\d{6}$/;

/**
 * Digits in national form: hyphens, blanks, dots and parentheses are removed, full-width digits
 * narrowed, `+82 10…` becomes `010…`. A text that cannot be one number is a problem (1010, 1011) that
 * names the cause and its fix. The registration checks check lengths.
 */
export const normaliseNumber = (text: string, options: NumberOptions = {}): NumberResult => {
  const country = options.country || "82";
  if (country === "82" && plain.test(text)) return { digits: text };
  const narrow = narrowed(text);
  if (narrow === "") return refused("1010", t`there is no number`);
  const accident = spreadsheetAccident(text, narrow);
  if (accident) return refused("1011", accident);
  const bare = bareOf(narrow);
  if (!/^\+?\d+$/.test(bare))
    return refused("1011", t`"${text}" is not a phone number: digits only`);
  return country === "82"
    ? korean(text, bare, options.fixLeadingZero)
    : foreign(text, bare, country);
};

/** What is wrong with an answer that cannot be a number in any country. */
export const numberProblem = (typed: string): string | undefined =>
  /^\+?[\d\s().-]+$/.test(narrowed(typed)) ? undefined : normaliseNumber(typed).problem?.text;

/** Calling code and number of one abroad, after a plus; undefined for what has neither plus nor 00. */
export const numberAbroad = (text: string): string | undefined => {
  const bare = withPlus(bareOf(narrowed(text)));
  return /^\+(?!82)\d{7,15}$/.test(bare) ? bare : undefined;
};

const narrowed = (text: string): string =>
  text
    .replace(fullWidth, (it) => String.fromCharCode(it.charCodeAt(0) - 0xfee0))
    .replace(/^\s*'/, "")
    .trim();

/** No number within a country begins with 00: it means a plus. */
const withPlus = (bare: string): string => (bare.startsWith("00") ? `+${bare.slice(2)}` : bare);

const bareOf = (narrow: string): string => narrow.replace(filling, "").replaceAll(".", "");

/** The country as a message names it. Without one it also goes to Korea, and is the same message. */
export const namedCountry = (country: string | undefined): string | undefined =>
  country === "82" || country === "" ? undefined : country;

/** A sender: Korean as a rule, else a number of the country that the message goes to. */
export const normaliseSender = (text: string, country: string | undefined): NumberResult => {
  const korean = normaliseNumber(text);
  if (korean.problem === undefined || !country || country === "82") return korean;
  return normaliseNumber(text, { country });
};

const refused = (code: "1010" | "1011", text: string): NumberResult => ({
  problem: { code, text },
});

const spreadsheetAccident = (typed: string, text: string): string | undefined => {
  if (scientific.test(text))
    return t`"${typed}" was shortened by a spreadsheet: format the column as text and export it again`;
  const numbers = text.split(severalParts).filter((part) => part.replace(/\D/g, "").length >= 7);
  if (numbers.length > 1 || text.replace(/\D/g, "").length > 15)
    return t`"${typed}" holds more than one number: give each its own row, or its own --to`;
  if (decimal.test(text))
    return t`"${typed}" was turned into a decimal by a spreadsheet: format the column as text and export it again`;
  return undefined;
};

const korean = (typed: string, bare: string, fixLeadingZero: boolean | undefined): NumberResult => {
  const rest = afterKoreanCode(bare);
  if (rest !== undefined) return { digits: koreanService.test(rest) ? rest : `0${rest}` };
  if (bare.startsWith("+")) {
    const what = t`"${typed}" belongs to another country: give that country and no plus`;
    return refused("1011", what);
  }
  if (bare.startsWith("0") || bare.length < 9 || bare.length > 10) return { digits: bare };
  // A leading zero before anything else may yield another person's number.
  if (!koreanRest.test(bare)) return refused("1011", t`"${typed}" is not a Korean phone number`);
  if (fixLeadingZero) return { digits: `0${bare}` };
  const what = t`"${typed}" lost its leading zero: write 0${bare}, or use --fix-leading-zero`;
  return refused("1011", what);
};

/**
 * What follows +82, 0082 or 82, without the national zero; undefined without such a code. No number
 * within Korea begins with 082: a bare 82 is the country, never an area code that lost its zero.
 */
const afterKoreanCode = (bare: string): string | undefined => {
  const international = /^(?:\+|00)820?(\d{7,11})$/.exec(bare)?.[1];
  if (international !== undefined) return international;
  const rest = /^820?(\d{8,10})$/.exec(bare)?.[1] ?? "";
  return koreanRest.test(rest) || koreanService.test(rest) ? rest : undefined;
};

const foreign = (typed: string, bare: string, country: string): NumberResult => {
  const dialled = withPlus(bare);
  if (!dialled.startsWith("+")) return { digits: bare };
  const rest = dialled.slice(country.length + 1);
  const isThere = dialled.startsWith(`+${country}`) && rest !== "" && !rest.startsWith("00");
  if (isThere) return { digits: rest };
  return refused("1011", t`"${typed}" does not belong to country ${country}`);
};
