/**
 * The pages are written in English; korean.json says the same in Korean. In which language a browser is
 * answered. What codes mean, they say with the words of the commands.
 */
import { inLanguage, isLanguage, type Language } from "../../locale/locale.ts";
import korean from "./korean.json" with { type: "json" };

/** Words of the pages, in English: those without a Korean translation do not compile. */
export type Words = keyof typeof korean;

/** Words, or words and what takes the place of each # in them. */
export type Label = Words | readonly [words: Words, ...values: (string | number)[]];

/** A number as people write it: 12,345. */
export const formatNumber = (value: number): string => value.toLocaleString("en-US");

export const translator =
  (language: Language) =>
  (label: Label): string => {
    const [words, ...values] = typeof label === "string" ? [label] : label;
    const text = language === "ko" ? korean[words] : words;
    return values
      .map((value) => (typeof value === "number" ? formatNumber(value) : value))
      .reduce((filled, value) => filled.replace("#", value), text);
  };

/** Says what codes and scopes mean in the language of the browser, not of this process. */
export const withLanguage = async <T>(language: Language, say: () => T): Promise<T> => {
  const catalogs = language === "ko" ? (await import("../../locale/ko/korean.ts")).korean : [];
  return inLanguage({ language, catalogs, topics: {} }, say);
};

export const languages: Readonly<Record<Language, string>> = { ko: "한국어", en: "English" };
export const languageCookie = "sandbox-language";

/** By its address, else its cookie, else what the browser prefers. */
export const languageOf = (
  query: URLSearchParams,
  headers: { readonly [name in "cookie" | "accept-language"]?: string | undefined },
): Language => {
  const asked = query.get("lang");
  if (isLanguage(asked)) return asked;
  const chosen = cookieOf(languageCookie, headers.cookie);
  if (isLanguage(chosen)) return chosen;
  return preferred(headers["accept-language"] ?? "");
};

/** The first of the two that the browser names: it names them in the order of its user. */
const preferred = (accepted: string): Language => {
  const named = accepted.split(",").map((it) => it.trim().slice(0, 2).toLowerCase());
  return named.find(isLanguage) ?? "en";
};

/** The value of a cookie; empty if the browser sent none of that name. */
export const cookieOf = (name: string, header = ""): string =>
  header
    .split(";")
    .map((it) => it.trim().split("="))
    .find(([it]) => it === name)?.[1] ?? "";
