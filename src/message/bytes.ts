/** The size of a text as the service counts it. */
import { wideUnits } from "./wide-units.ts";

/**
 * Bytes of `text` in EUC-KR as the size rules count them (facts/messages 2.3): 1 for ASCII, 2 for
 * every other UTF-16 unit. Equal to CP949's length for each character that CP949 has.
 */
export const sizeInBytes = (text: string): number => text.length + wideUnits(text);
