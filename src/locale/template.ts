/** Fills the values of a sentence in; a Korean particle takes the form that fits the value before it. */

/** After a consonant, after a vowel: `{0}은(는)` is written in a catalog for either. */
const particles: Readonly<Record<string, readonly [consonant: string, vowel: string]>> = {
  "은(는)": ["은", "는"],
  "이(가)": ["이", "가"],
  "을(를)": ["을", "를"],
  "과(와)": ["과", "와"],
  "으로(로)": ["으로", "로"],
  "이(이)": ["이", ""],
};

/** A value, what closes a quotation, and the particle behind it; `.(;)` is what parts it from the next. */
const place =
  /\{(\d+)\}(?:(['"”’)]*)(은\(는\)|이\(가\)|을\(를\)|과\(와\)|으로\(로\)|이\(이\)|\.\(;\)))?/g;

/** `{0}이(가) 없습니다` with `01012345678` → `01012345678이 없습니다`. */
export const fillTemplate = (template: string, values: readonly (string | number)[]): string =>
  template.replace(place, (_whole, at: string, closing = "", particle?: string) => {
    const value = String(values[Number(at)] ?? "");
    if (particle === ".(;)") return value + closing + separatorAfter(value);
    const forms = particle === undefined ? undefined : particles[particle];
    if (forms === undefined) return value + closing;
    return value + closing + (takesConsonantForm(value, forms[0]) ? forms[0] : forms[1]);
  });

/** A Korean sentence ends with a period. What ends with a command to copy takes none. */
const separatorAfter = (value: string): string => (/[다요]\)?$/.test(value) ? "." : ";");

/** Whether the last sound of a word, read aloud in Korean, is a consonant. */
const takesConsonantForm = (word: string, form: string): boolean => {
  // The e of --sample and --name is not heard.
  const last = /([\p{L}\p{N}])(?:(?<=[a-z][lmn])e)?[^\p{L}\p{N}]*$/iu.exec(word)?.[1] ?? "";
  const final = finalOf(last);
  // 로 follows ㄹ as it follows a vowel: 서울로, 1로.
  return form === "으로" ? final !== "" && final !== "ㄹ" : final !== "";
};

/** The final consonant of a syllable, a digit or a letter as it is called; only ㄹ is kept apart. */
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
