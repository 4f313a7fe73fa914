/**
 * In which language `msg` speaks. Sentences stand in English where they are said, as t`…`; their Korean
 * stands in ko/, one catalog for each folder of src, loaded only when it is spoken.
 */
import { fillTemplate } from "./template.ts";

export const languages = ["ko", "en"] as const;

export type Language = (typeof languages)[number];

/** Sentence in English, its values as {0}, {1} → the same in another language. */
export type Catalog = Readonly<Record<string, string>>;

interface Spoken {
  readonly language: Language;
  /** The first that has a sentence says it. */
  readonly catalogs: readonly Catalog[];
  /** Pages of `msg help <topic>`, by name. */
  readonly topics: Catalog;
  /** An instant of the service as the operator reads it; left out, it stays as it is. */
  readonly time?: ((instant: string) => string) | undefined;
}

/** The language of this process: the one state that a module keeps, changed by the composition root. */
const current: { spoken: Spoken } = {
  spoken: { language: "en", catalogs: [], topics: {} },
};

/** Says every sentence in this language until the answer is called; English where no catalog has it. */
export const speak = (spoken: Spoken): (() => void) => {
  const before = current.spoken;
  current.spoken = spoken;
  return () => {
    current.spoken = before;
  };
};

/**
 * A sentence in the language of this process: t`${count} rows were skipped`. Only in functions: at the
 * top of a module the language is not known yet, and the sentence is a plain string for `translated`.
 */
export const t = (words: TemplateStringsArray, ...values: readonly (string | number)[]): string => {
  return fillTemplate(translated(templateKey(words)), values);
};

/** One after the other: what happened; what follows from it. */
export const joinSentences = (sentences: readonly string[]): string =>
  sentences.reduce((before, next) => t`${before}; ${next}`);

/** What is said there in another language than that of this process. */
export const speakingIn = <T>(spoken: Spoken, say: () => T): T => {
  const stop = speak(spoken);
  try {
    return say();
  } finally {
    stop();
  }
};

/** Shows the instants of sentences in this way until the answer is called. */
export const showTimes = (time: (instant: string) => string): (() => void) =>
  speak({ ...current.spoken, time });

/** An instant in a sentence: in the zone of the operator where people read it. */
export const shownTime = (instant: string): string => current.spoken.time?.(instant) ?? instant;

/** In English, whatever this process speaks: for records, and for the emulated service. */
export const inEnglish = <T>(say: () => T): T =>
  speakingIn({ language: "en", catalogs: [], topics: {} }, say);

/** The language of this process, for what names it: a page, a spreadsheet. */
export const currentLanguage = (): Language => current.spoken.language;

/** A text without values that stands in a table: of help, of codes. */
export const translated = (text: string): string => {
  const catalog = current.spoken.catalogs.find((it) => Object.hasOwn(it, text));
  return catalog?.[text] || text;
};

/** A page of `msg help <topic>` in the language of this process; undefined where it has none of its own. */
export const spokenTopic = (name: string): string | undefined =>
  Object.hasOwn(current.spoken.topics, name) ? current.spoken.topics[name] : undefined;

/** `the balance is {0}, below {1}`: what a catalog calls the sentence of these words. */
export const templateKey = (words: readonly string[]): string =>
  words.reduce((key, word, at) => `${key}{${at - 1}}${word}`);
