/** The words that all pages share, in every language, and in which language a browser is answered. */
import { cookieOf } from "../http/headers.ts";
import type { Label, Language } from "./page.ts";

export const labels = {
  product: { ko: "msg 샌드박스", en: "msg sandbox" },
  nothingReal: {
    ko: "연습용 서비스입니다. 실제로 발송되거나 결제되지 않습니다.",
    en: "A rehearsal: nothing is really sent and nothing is paid.",
  },
  live: { ko: "실시간", en: "Live" },
  notLive: { ko: "연결 끊김", en: "Not connected" },
  skip: { ko: "본문으로 건너뛰기", en: "Skip to the content" },
  pages: { ko: "화면", en: "Pages" },
  language: { ko: "언어", en: "Language" },
  search: { ko: "검색", en: "Search" },
  filter: { ko: "적용", en: "Apply" },
  clear: { ko: "지우기", en: "Clear" },
  newest: { ko: "최신", en: "Newest" },
  older: { ko: "이전", en: "Older" },
  pagesOfList: { ko: "목록 이동", en: "Pages of the list" },
  time: { ko: "시각", en: "Time" },
  account: { ko: "계정", en: "Account" },
  refused: { ko: "요청을 처리할 수 없습니다", en: "That was refused" },
  stale: {
    ko: "서버가 다시 시작되었거나 다른 곳에서 보낸 양식입니다. 화면을 새로 고친 뒤 다시 시도하세요.",
    en: "The form is from before the server was started anew, or from elsewhere. Reload the page and try again.",
  },
  tooLarge: { ko: "양식이 너무 큽니다.", en: "The form is too large." },
  noForm: { ko: "양식이 아닙니다.", en: "That is not a form of these pages." },
  refusedWith: { ko: "샌드박스의 응답", en: "The sandbox answers" },
  checkFields: { ko: "표시된 항목을 확인하세요.", en: "Please look at the marked fields." },
  noAction: { ko: "이 화면에 없는 동작입니다.", en: "This page has no such action." },
} as const satisfies Readonly<Record<string, Label>>;

export const languages: Readonly<Record<Language, string>> = { ko: "한국어", en: "English" };
export const languageCookie = "sandbox-language";

const isLanguage = (text: string | null): text is Language => text === "ko" || text === "en";

/** By its address, else its cookie, else what the browser prefers. */
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
