/**
 * Bytes that are written or looked for often, such as what stands between two values of JSON. They are
 * kept as words: a call into the platform costs more than the few of them that a part has.
 */

/** Bytes of a word. */
export const word = 4;

export interface Part {
  readonly length: number;
  /** The last one is filled up with zeros. */
  readonly words: Int32Array;
  /** The bits of the last word that are of the part. */
  readonly lastBits: number;
}

/** A text is taken as UTF-8. */
export const partOf = (of: string | Uint8Array): Part => {
  const bytes = Buffer.from(of);
  const words = new Int32Array(Math.ceil(bytes.length / word));
  const filled = Buffer.alloc(words.length * word);
  filled.set(bytes);
  for (let at = 0; at < words.length; at += 1) words[at] = filled.readInt32LE(at * word);
  const beyond = words.length * word - bytes.length;
  return { length: bytes.length, words, lastBits: -1 >>> (beyond * 8) };
};

export const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);

/** Whether the part stands at this place, all of it. */
export const standsAt = (
  view: DataView,
  at: number,
  { length, words, lastBits }: Part,
): boolean => {
  const last = words.length - 1;
  if (at + (last + 1) * word > view.byteLength) return standsAtEnd(view, at, length, words);
  for (let index = 0; index < last; index += 1)
    if (view.getInt32(at + index * word, true) !== words[index]) return false;
  return (
    last < 0 || ((view.getInt32(at + last * word, true) ^ (words[last] ?? 0)) & lastBits) === 0
  );
};

/** Byte by byte: a whole word would reach beyond the end. */
const standsAtEnd = (view: DataView, at: number, length: number, words: Int32Array): boolean => {
  if (at + length > view.byteLength) return false;
  for (let index = 0; index < length; index += 1) {
    const byte = (words[Math.floor(index / word)] ?? 0) >>> ((index % word) * 8);
    if (view.getUint8(at + index) !== (byte & 0xff)) return false;
  }
  return true;
};
