/**
 * The language of `msg`. Sentences are written in English where they are used, as t`…`; their Korean is
 * in ko/, one catalog for each folder of src, loaded only when it is needed.
 */
export const languages = ["ko", "en"] as const;

export type Language = (typeof languages)[number];

/** Sentence in English, its values as {0}, {1} → the same in another language. */
export type Catalog = Readonly<Record<string, string>>;

interface Translation {
  readonly language: Language;
  /** The first catalog that has a sentence is used. */
  readonly catalogs: readonly Catalog[];
  /** Pages of `msg help <topic>`, by name. */
  readonly topics: Catalog;
  /** An instant of the service as the operator reads it; left out, it stays as it is. */
  readonly time?: ((instant: string) => string) | undefined;
}

const english: Translation = { language: "en", catalogs: [], topics: {} };

/** The language of this process: the only state that a module keeps, changed by the composition root. */
const current = { translation: english };

/** Translates every sentence until the returned function is called; English if no catalog has it. */
export const setLanguage = (translation: Translation): (() => void) => {
  const before = current.translation;
  current.translation = translation;
  return () => {
    current.translation = before;
  };
};

/**
 * A sentence in the language of this process: t`${count} rows were skipped`. Only in functions: at the
 * top of a module the language is not known yet, and the sentence is a plain string for `translated`.
 */
export const t = (words: TemplateStringsArray, ...values: readonly (string | number)[]): string =>
  fillSentence(translated(templateKey(words)), values);

/** Joins sentences: what happened; what follows from it. */
export const joinSentences = (sentences: readonly string[]): string =>
  sentences.reduce((before, next) => t`${before}; ${next}`);

/** Runs `say` in another language than that of this process. */
export const inLanguage = <T>(translation: Translation, say: () => T): T => {
  const stop = setLanguage(translation);
  try {
    return say();
  } finally {
    stop();
  }
};

/** Shows the instants of sentences in this way until the returned function is called. */
export const showTimes = (time: (instant: string) => string): (() => void) =>
  setLanguage({ ...current.translation, time });

/** An instant in a sentence, in the operator's zone if people read it. */
export const shownTime = (instant: string): string =>
  current.translation.time?.(instant) ?? instant;

/** In English, whatever the language of this process: for records, and for the emulated service. */
export const inEnglish = <T>(say: () => T): T => inLanguage(english, say);

/** The language of this process, for documents that declare it: a page, a spreadsheet. */
export const currentLanguage = (): Language => current.translation.language;

/** Translates a text without values, such as one of a table of help or codes. */
export const translated = (text: string): string => {
  const catalog = current.translation.catalogs.find((it) => Object.hasOwn(it, text));
  return catalog?.[text] || text;
};

/** A page of `msg help <topic>` in the language of this process; undefined if it has none of its own. */
export const translatedTopic = (name: string): string | undefined =>
  Object.hasOwn(current.translation.topics, name) ? current.translation.topics[name] : undefined;

/** `the balance is {0}, below {1}`: the key of this sentence in a catalog. */
export const templateKey = (words: readonly string[]): string =>
  words.reduce((key, word, at) => `${key}{${at - 1}}${word}`);

type Env = Readonly<Record<string, string | undefined>>;

export const isLanguage = (text: unknown): text is Language => languages.some((it) => it === text);

/**
 * The value of the last of these flags on a line that may not be parseable as a whole, as in `--lang
 * ko`, `--lang=ko` or `-pwork`.
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
 * The language of a line; undefined if neither the line nor MSG_LANG names one, and the profile
 * may. A word that names no language is skipped: the settings refuse it later, with an error.
 */
export const chosenLanguage = (argv: readonly string[], env: Env): Language | undefined =>
  [typedValue(argv, "--lang"), env.MSG_LANG].find(isLanguage);

/** The system's language: ko_KR.UTF-8, ko. The first of the three variables that is set decides, as POSIX has it. */
export const systemLanguage = (env: Env): Language => {
  const locale = env.LC_ALL || env.LC_MESSAGES || env.LANG || "";
  return /^ko(_|\.|@|$)/i.test(locale) ? "ko" : "en";
};

/** After a consonant, after a vowel: a catalog writes `{0}은(는)` for either. */
const particles: Readonly<Record<string, readonly [consonant: string, vowel: string]>> = {
  "은(는)": ["은", "는"],
  "이(가)": ["이", "가"],
  "을(를)": ["을", "를"],
  "과(와)": ["과", "와"],
  "으로(로)": ["으로", "로"],
  "이(이)": ["이", ""],
};

/** A value, a closing quotation mark, and the particle after it; `.(;)` separates it from the next. */
const place =
  /\{(\d+)\}(?:(['"”’)]*)(은\(는\)|이\(가\)|을\(를\)|과\(와\)|으로\(로\)|이\(이\)|\.\(;\)))?/g;

/** `{0}이(가) 없습니다` with `01012345678` → `01012345678이 없습니다`. */
export const fillSentence = (template: string, values: readonly (string | number)[]): string =>
  template.replace(place, (_whole, at: string, closing = "", particle?: string) => {
    const value = String(values[Number(at)] ?? "");
    if (particle === ".(;)") return value + closing + separatorAfter(value);
    const forms = particle === undefined ? undefined : particles[particle];
    if (forms === undefined) return value + closing;
    return value + closing + (takesConsonantForm(value, forms[0]) ? forms[0] : forms[1]);
  });

/** A Korean sentence ends with a period. A sentence that ends with a command to copy has none. */
const separatorAfter = (value: string): string => (/[다요]\)?$/.test(value) ? "." : ";");

/** Whether the last sound of a word, read aloud in Korean, is a consonant. */
const takesConsonantForm = (word: string, form: string): boolean => {
  // The final e of --sample and --name is silent.
  const last = /([\p{L}\p{N}])(?:(?<=[a-z][lmn])e)?[^\p{L}\p{N}]*$/iu.exec(word)?.[1] ?? "";
  // The t of --at and --plan-out closes its syllable, as in 앳 and 아웃.
  const final = /-(at|out)$/.test(word) ? "ㅇ" : finalOf(last);
  // 로 follows ㄹ as it follows a vowel: 서울로, 1로.
  return form === "으로" ? final !== "" && final !== "ㄹ" : final !== "";
};

/** The final consonant of a syllable, digit or letter as it is read aloud; only ㄹ is distinguished. */
const finalOf = (character: string): "" | "ㄹ" | "ㅇ" => {
  const syllable = character.charCodeAt(0) - 0xac00;
  if (syllable >= 0 && syllable < 11_172) {
    const final = syllable % 28;
    if (final === 8) return "ㄹ";
    return final === 0 ? "" : "ㅇ";
  }
  if (/[178lrLR]/.test(character)) return "ㄹ";
  return /[036mnMN]/.test(character) ? "ㅇ" : "";
};
