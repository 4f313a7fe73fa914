/** Which language an operator reads: `--lang`, MSG_LANG, the profile, the locale of the system, in that order. */
import { type Language, languages } from "./locale.ts";

type Env = Readonly<Record<string, string | undefined>>;

export const isLanguage = (text: unknown): text is Language => languages.some((it) => it === text);

/**
 * What followed the last of these flags on a line that may not be readable as a whole, as `--lang ko`,
 * `--lang=ko` or `-pwork`.
 */
export const typedValue = (
  argv: readonly string[],
  ...flags: readonly string[]
): string | undefined =>
  argv
    .flatMap((word, at) => {
      if (flags.includes(word)) return [argv[at + 1] ?? ""];
      const flag = flags.find((it) => word.startsWith(it.startsWith("--") ? `${it}=` : it));
      if (flag === undefined || (!flag.startsWith("--") && word.startsWith("--"))) return [];
      return [word.slice(flag.length).replace(/^=/, "")];
    })
    .at(-1);

/**
 * The language of a line; undefined where neither the line nor MSG_LANG names one, and the profile
 * may. A word that names no language is passed over: the settings refuse it later, in a sentence.
 */
export const chosenLanguage = (argv: readonly string[], env: Env): Language | undefined =>
  [typedValue(argv, "--lang"), env.MSG_LANG].find(isLanguage);

/** Of the system: ko_KR.UTF-8, ko. The first of the three variables that is set decides, as POSIX has it. */
export const systemLanguage = (env: Env): Language => {
  const locale = env.LC_ALL || env.LC_MESSAGES || env.LANG || "";
  return /^ko(_|\.|@|$)/i.test(locale) ? "ko" : "en";
};
