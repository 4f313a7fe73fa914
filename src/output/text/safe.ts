/** Foreign text made harmless for a terminal: what could move, hide or reorder text becomes visible. */

/**
 * Controls (C0, DEL, C1), format characters (bidi, zero width, tags), line separators, lone
 * surrogates and blank Hangul fillers. The joiner inside an emoji such as 👩‍💻 is part of it.
 */
const unsafe =
  /(?!(?<=\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]?)\u200d\p{Extended_Pictographic})[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u115f\u1160\u3164\uffa0]/gu;

/** More marks on one letter than any script needs: they would overlap the neighbouring lines. */
const flood = /(\p{M}{8})\p{M}+/gu;

/**
 * Text for tables, TSV, progress, prompts and errors: one line, without control characters, so that
 * foreign text cannot drive the terminal. `keep` names controls that stay, for formats that can
 * carry them.
 */
export const sanitize = (text: string, keep = ""): string =>
  ordinary.test(text)
    ? text
    : text
        .replace(unsafe, (character) => (keep.includes(character) ? character : visible(character)))
        .replace(flood, "$1…");

/** Most text: printable ASCII and Hangul syllables. Tested first because it is fast. */
const ordinary = /^[ -~가-힣]*$/;

/** The controls alone, for a file that no terminal shows: everything a person wrote stays. */
export const withoutControls = (text: string, keep = ""): string =>
  text.replace(/[\p{Cc}\p{Cs}]/gu, (character) =>
    keep.includes(character) ? character : visible(character),
  );

const named: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** `\n`, `\x1b` for what fits in a byte, else `<U+202E>`. */
const visible = (character: string): string => {
  const short = named[character];
  if (short !== undefined) return short;
  const code = character.codePointAt(0) ?? 0;
  return code < 0xa0
    ? `\\x${code.toString(16).padStart(2, "0")}`
    : `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
};
