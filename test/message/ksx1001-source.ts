/** Writes the source of ksx1001-table.ts from iconv-lite's CP949. */
import iconv from "iconv-lite";

/** Every character of KS X 1001: the pairs A1..FE x A1..FE of CP949; lower pairs are extensions. */
export const completedCharacters = (): string[] => {
  const found: string[] = [];
  for (let first = 0xa1; first <= 0xfe; first += 1) {
    for (let second = 0xa1; second <= 0xfe; second += 1) {
      const character = iconv.decode(Buffer.of(first, second), "cp949");
      if (!character.includes("\uFFFD")) found.push(character);
    }
  }
  return found;
};

/** The text of src/message/ksx1001-table.ts. */
export const completedSetSource = (): string => {
  const pages = new Map<number, Uint8Array>();
  for (const character of completedCharacters()) {
    const code = character.charCodeAt(0);
    const page = pages.get(code >> 8) ?? new Uint8Array(32);
    page[(code & 0xff) >> 3] = (page[(code & 0xff) >> 3] ?? 0) | (1 << (code & 7));
    pages.set(code >> 8, page);
  }
  const sorted = [...pages].sort(([a], [b]) => a - b);
  const numbers = Buffer.from(sorted.map(([number]) => number)).toString("base64");
  const bits = Buffer.concat(sorted.map(([, page]) => page)).toString("base64");
  const lines = (bits.match(/.{1,92}/g) ?? []).map((line) => `  "${line}",`);
  return [
    "/** Made from iconv-lite's CP949 by test/message/ksx1001-source.ts; not edited by hand. */",
    "",
    "/** Numbers of the pages of 256 code units that hold a character of the set, in base64. */",
    "export const ksx1001Pages =",
    `  "${numbers}";`,
    "",
    "/** One bit for each code unit, 32 bytes for each page, lowest bit first, in base64. */",
    "export const ksx1001Bits = [",
    ...lines,
    '].join("");',
    "",
  ].join("\n");
};
