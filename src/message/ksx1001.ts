/** The completed Korean set of EUC-KR (KS X 1001) and ASCII: what `strict` lets through (code 1029). */
import { ksx1001Bits, ksx1001Pages } from "./ksx1001-table.ts";

const unpack = (): Uint8Array => {
  const bits = Buffer.from(ksx1001Bits, "base64");
  const all = new Uint8Array(0x10000 >> 3).fill(0xff, 0, 0x80 >> 3);
  Buffer.from(ksx1001Pages, "base64").forEach((page, index) => {
    const from = bits.subarray(index * 32, index * 32 + 32);
    from.forEach((byte, at) => {
      const to = page * 32 + at;
      all[to] = (all[to] ?? 0) | byte;
    });
  });
  return all;
};

const set = unpack();

/** True where a UTF-16 unit is ASCII or a character of KS X 1001; never for half a pair. */
export const isInKsx1001 = (codeUnit: number): boolean =>
  ((set[codeUnit >> 3] ?? 0) & (1 << (codeUnit & 7))) !== 0;

/** Index of the first UTF-16 unit outside the set, or -1. */
export const firstOutsideKsx1001 = (text: string): number => {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code > 0x7f && !isInKsx1001(code)) return at;
  }
  return -1;
};
