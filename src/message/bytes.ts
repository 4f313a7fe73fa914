/** The size of a text as the service counts it. */

/**
 * Bytes of `text` in EUC-KR as the size rules count them: 1 for ASCII, 2 for every other UTF-16 unit.
 * Equal to CP949's length for each character that CP949 has.
 */
export const sizeInBytes = (text: string): number => {
  let size = text.length;
  for (let at = 0; at < text.length; at += 1) {
    if (text.charCodeAt(at) > lastAscii) size += 1;
  }
  return size;
};

const lastAscii = 0x7f;
