/** The size of a text as the service counts it. */

/** Texts of this many UTF-16 units and more are counted faster from a copy than from the string. */
const longText = 64;
/** Longer texts are over every limit: their cost does not matter. */
const mostCopied = 4096;
const copy = Buffer.alloc(mostCopied * 2);
const copiedUnits = new Uint16Array(copy.buffer, copy.byteOffset, mostCopied);

/**
 * Bytes of `text` in EUC-KR as the size rules count them (facts/messages 2.3): 1 for ASCII, 2 for
 * every other UTF-16 unit. Equal to CP949's length for each character that CP949 has.
 */
export const sizeInBytes = (text: string): number => {
  const length = text.length;
  if (Buffer.byteLength(text) === length) return length;
  return length + (length < longText || length > mostCopied ? wide(text) : wideOfCopy(text));
};

/** The sum carries into bit 16 from 0x80 on: no branch a unit. */
const carry = 0x10000 - 0x80;

const wide = (text: string): number => {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) count += (text.charCodeAt(at) + carry) >>> 16;
  return count;
};

const wideOfCopy = (text: string): number => {
  copy.write(text, "utf16le");
  let count = 0;
  for (let at = 0; at < text.length; at += 1) count += ((copiedUnits[at] ?? 0) + carry) >>> 16;
  return count;
};
