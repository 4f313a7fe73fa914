/** Reads JSON that somebody else wrote: bounded in depth, without members that reach a prototype. */

const deepest = 64;

/** The value, or undefined where the bytes are not JSON or nest deeper than 64 levels. */
export const readJson = (bytes: Uint8Array): unknown => {
  if (depthOf(bytes) > deepest) return undefined;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  try {
    // `\u00` may hide the letters of the name; a reviver is slow and not needed for most answers.
    const isSuspect = text.includes("__proto__") || text.includes("\\u00");
    return isSuspect ? JSON.parse(text, withoutPrototype) : JSON.parse(text);
  } catch {
    return undefined;
  }
};

const withoutPrototype = (key: string, value: unknown): unknown =>
  key === "__proto__" ? undefined : value;

const quote = 0x22;
const backslash = 0x5c;

/** Brackets open at once, those inside of texts not counted; counting stops past the limit. */
const depthOf = (bytes: Uint8Array): number => {
  let depth = 0;
  let most = 0;
  for (let at = 0; at < bytes.length && most <= deepest; at += 1) {
    const byte = bytes[at];
    if (byte === quote) at = endOfText(bytes, at);
    else if (byte === 0x7b || byte === 0x5b) most = Math.max(most, ++depth);
    else if (byte === 0x7d || byte === 0x5d) depth -= 1;
  }
  return most;
};

/** The index of the quote that closes the text at `start`. */
export const endOfText = (bytes: Uint8Array, start: number): number => {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at;
};

/** The members of an object; anything else has none. */
export const asRecord = (value: unknown): Readonly<Record<string, unknown>> =>
  isRecord(value) ? value : {};

/** True for an object that is not a list. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
