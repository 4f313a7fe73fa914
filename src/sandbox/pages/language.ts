/** In which language a browser is answered: by its address, else its cookie, else what it prefers. */
import { cookieOf } from "../http/cookies.ts";
import type { Language } from "./page.ts";

export const languages: Readonly<Record<Language, string>> = { ko: "한국어", en: "English" };
export const languageCookie = "sandbox-language";

const isLanguage = (text: string | null): text is Language => text === "ko" || text === "en";

export const languageOf = (
  query: URLSearchParams,
  headers: {
    readonly cookie?: string | undefined;
    readonly "accept-language"?: string | undefined;
  },
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
