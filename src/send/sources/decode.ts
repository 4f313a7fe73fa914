/** Bytes of a source as text, strictly: what cannot be decoded is refused with its offset. */

import { isAscii, isUtf8 } from "node:buffer";
import { MsgError } from "../../errors.ts";
import { t, translated } from "../../locale/locale.ts";
import { sourceFault } from "./source-fault.ts";

export const encodings = ["utf8", "cp949", "utf16le", "utf16be"] as const;
export type Encoding = (typeof encodings)[number];

/** This many bytes are decoded at a time: smaller pieces of a source are joined. */
const gathered = 64 * 1024;

/** Decodes chunk after chunk; `end` throws if something was left over. */
interface Decoder {
  readonly encoding: Encoding | undefined;
  readonly write: (bytes: Buffer, offset: number) => string;
  /** `offset`: the length of the source. */
  readonly end: (offset: number) => string;
}

interface DecodeOptions {
  /** Found by byte order mark and content when left out. */
  readonly encoding?: Encoding | undefined;
  /** What the source is called in errors. */
  readonly name: string;
  /** Called as soon as the encoding is known; a source of plain ASCII counts as UTF-8. */
  readonly onEncoding?: (encoding: Encoding) => void;
}

/**
 * The text of a source without its byte order mark. UTF-8, UTF-16 with a mark, and CP949 are
 * distinguished; NUL bytes, broken sequences and archives are refused. Throws usage errors.
 */
export async function* decodeText(
  source: AsyncIterable<Uint8Array>,
  options: DecodeOptions,
): AsyncGenerator<string> {
  const { name } = options;
  let offset = 0;
  let pending = Buffer.alloc(0);
  let decoder: Decoder | undefined;
  let isJson = false;
  for await (const chunk of gather(source)) {
    let bytes: Buffer = pending.length > 0 ? Buffer.concat([pending, chunk]) : chunk;
    pending = Buffer.alloc(0);
    const mark = offset === 0 ? encodingOfMark(bytes) : undefined;
    if (offset === 0) {
      rejectBinary(bytes, name);
      isJson = jsonLike.test(bytes.toString("latin1", 0, beginning));
    }
    decoder ??= await decoderFor(options.encoding ?? mark, name);
    if (!decoder.encoding?.startsWith("utf16")) rejectNul(bytes, offset, name);
    if (decoder.encoding === undefined && !isAscii(bytes)) {
      pending = undecided(bytes);
      bytes = bytes.subarray(0, bytes.length - pending.length);
      if (pending.length === 0 && !isJson) await rejectUnclear(bytes, offset, name);
      if (pending.length === 0) decoder = await decoderFor(encodingOfContent(bytes), name);
    }
    if (decoder.encoding) options.onEncoding?.(decoder.encoding);
    const skipped = mark && mark === decoder.encoding ? marks[mark].length : 0;
    const text: string = decoder.write(bytes.subarray(skipped), offset + skipped);
    offset += bytes.length;
    if (text !== "") yield text;
  }
  if (pending.length > 0) throw notDecodable(t`UTF-8 or CP949`, name, offset);
  if (decoder?.encoding === undefined) options.onEncoding?.("utf8");
  const rest = decoder?.end(offset) ?? "";
  if (rest !== "") yield rest;
}

const byteFaults = ["NulByte", "EncodingUnclear", "NotDecodable", "NotText"];

/** All of a text that is not a list of rows: no flag names its encoding. Throws usage errors. */
export const readWholeText = async (
  source: AsyncIterable<Uint8Array>,
  name: string,
): Promise<string> => {
  const pieces: string[] = [];
  try {
    for await (const piece of decodeText(source, { name })) pieces.push(piece);
  } catch (error) {
    if (!(error instanceof MsgError) || !byteFaults.includes(error.code)) throw error;
    const { kind, message, details } = error;
    throw error.reworded(kind, message, {
      details,
      todo: t`save it as UTF-8 with a byte order mark`,
    });
  }
  return pieces.join("");
};

/** The bytes after plain ASCII whose encoding only the next chunk shows. */
const undecided = (bytes: Buffer): Buffer<ArrayBuffer> => {
  const whole = bytes.length - unfinished(bytes);
  return Buffer.from(isAscii(bytes.subarray(0, whole)) ? bytes.subarray(whole) : []);
};

async function* gather(source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let waiting: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of source) {
    waiting.push(chunk);
    size += chunk.length;
    if (size < gathered) continue;
    yield Buffer.concat(waiting);
    waiting = [];
    size = 0;
  }
  if (size > 0) yield Buffer.concat(waiting);
}

const rejectNul = (bytes: Buffer, offset: number, name: string): void => {
  const at = bytes.indexOf(0);
  if (at < 0) return;
  const encoding = offset === 0 ? utf16Of(bytes) : undefined;
  throw sourceFault(
    "NulByte",
    t`${name} contains a NUL byte`,
    { name, offset: offset + at },
    encoding
      ? t`it looks like UTF-16 without a byte order mark: use --encoding ${encoding}`
      : t`this is not a text file, or it is damaged`,
  );
};

/**
 * In UTF-16 without a byte order mark each ASCII character has a NUL before or after it, and so does a syllable now
 * and then, such as 가: the side that has more of them decides.
 */
const utf16Of = (bytes: Buffer): "utf16le" | "utf16be" | undefined => {
  const nuls = [...bytes.subarray(0, beginning).entries()].filter(([, byte]) => byte === 0);
  const behind = nuls.filter(([at]) => at % 2 === 1).length;
  if (nuls.length < 2 || behind * 2 === nuls.length) return undefined;
  return behind * 2 > nuls.length ? "utf16le" : "utf16be";
};

const decoderFor = async (encoding: Encoding | undefined, name: string): Promise<Decoder> => {
  if (encoding === undefined)
    return { encoding, write: (bytes) => bytes.toString("latin1"), end: () => "" };
  if (encoding === "utf8") return utf8(name);
  return encoding === "cp949" ? await cp949(name) : utf16(encoding, name);
};

/** Bytes at the end that begin a UTF-8 sequence without ending it: 0 to 3. */
const unfinished = (bytes: Buffer): number => {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte < 0xc0) continue;
    const length = 2 + Number(byte >= 0xe0) + Number(byte >= 0xf0);
    return length > back ? back : 0;
  }
  return 0;
};

/** UTF-8 if the bytes are UTF-8; else CP949, whose decoder refuses what it does not know. */
const encodingOfContent = (bytes: Buffer): Encoding =>
  isUtf8(bytes.subarray(0, bytes.length - unfinished(bytes))) ? "utf8" : "cp949";

/** JSON is UTF-8 by its standard, if it can be. */
const jsonLike = /^\s*[[{]/;
const beginning = 1_000;

/**
 * Some syllables of CP949 are also letters of UTF-8: a short list with only 홍 and 철 reads as ȫ and ö.
 * It is unclear which is meant if no other character decides it, and none is part of a word of Latin letters.
 */
const rejectUnclear = async (part: Buffer, offset: number, name: string): Promise<void> => {
  const bytes = part.subarray(0, part.length - unfinished(part));
  const at = bytes.findIndex((byte) => byte >= 0x80);
  if (!isUtf8(bytes) || !isAllUnclear(bytes, at)) return;
  const { default: iconv } = await import("iconv-lite");
  const pair = bytes.subarray(at, at + 2);
  throw sourceFault(
    "EncodingUnclear",
    t`${name} may be UTF-8 or CP949`,
    { name, offset: offset + at },
    t`name its encoding: --encoding cp949 reads ${iconv.decode(pair, "cp949")} here, --encoding utf8 reads ${pair.toString("utf8")}; or save it as UTF-8 with a byte order mark`,
  );
};

const isAllUnclear = (bytes: Buffer, first: number): boolean => {
  for (let at = first; at < bytes.length; at += 1) {
    const lead = bytes[at] ?? 0;
    if (lead < 0x80) continue;
    const isUnclear = lead >= 0xc3 && lead <= 0xc8 && (bytes[at + 1] ?? 0) >= 0xa1;
    if (!isUnclear || isLetter(bytes[at - 1]) || isLetter(bytes[at + 2])) return false;
    at += 1;
  }
  return true;
};

const isLetter = (byte: number | undefined = 0): boolean =>
  /[a-z]/i.test(String.fromCharCode(byte));

const notDecodable = (encoding: string, name: string, offset: number) =>
  sourceFault(
    "NotDecodable",
    t`${name} is not ${encoding}`,
    { name, offset },
    t`name its encoding with --encoding utf8, cp949, utf16le or utf16be, or save it again as UTF-8`,
  );

const utf8 = (name: string): Decoder => {
  let left = Buffer.alloc(0);
  return {
    encoding: "utf8",
    write: (bytes, offset) => {
      const all = left.length > 0 ? Buffer.concat([left, bytes]) : bytes;
      const start = offset - left.length;
      const whole = all.subarray(0, all.length - unfinished(all));
      if (!isUtf8(whole)) throw notDecodable("UTF-8", name, start + firstBroken(whole));
      left = Buffer.from(all.subarray(whole.length));
      return whole.toString("utf8");
    },
    end: (offset) => {
      if (left.length > 0) throw notDecodable("UTF-8", name, offset - left.length);
      return "";
    },
  };
};

/** Length of the longest beginning that is UTF-8. */
const firstBroken = (bytes: Buffer): number => {
  let good = 0;
  let bad = bytes.length;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    const part = bytes.subarray(0, middle);
    if (isUtf8(part.subarray(0, middle - unfinished(part)))) good = middle;
    else bad = middle;
  }
  return good - unfinished(bytes.subarray(0, good));
};

const utf16 = (encoding: "utf16le" | "utf16be", name: string): Decoder => {
  const decoder = new TextDecoder(encoding === "utf16le" ? "utf-16le" : "utf-16be", {
    fatal: true,
    ignoreBOM: true,
  });
  const decode = (bytes: Buffer | undefined, offset: number): string => {
    try {
      return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
    } catch {
      throw notDecodable("UTF-16", name, offset);
    }
  };
  return { encoding, write: decode, end: (offset) => decode(undefined, offset) };
};

/** Loaded only here: most sources are UTF-8. */
const cp949 = async (name: string): Promise<Decoder> => {
  const { default: iconv } = await import("iconv-lite");
  const decoder = iconv.getDecoder("cp949");
  const strict = (text: string, offset: number): string => {
    const at = text.indexOf("\uFFFD");
    if (at < 0) return text;
    const before = iconv.encode(text.slice(0, at), "cp949").length;
    throw notDecodable(t`UTF-8 or CP949`, name, offset + before);
  };
  return {
    encoding: "cp949",
    write: (bytes, offset) => strict(decoder.write(bytes), offset),
    end: (offset) => strict(decoder.end() ?? "", offset),
  };
};

const magics = [
  { starts: [0x50, 0x4b, 0x03, 0x04], what: "a zip archive", isPacked: false },
  { starts: [0x50, 0x4b, 0x05, 0x06], what: "an empty zip archive", isPacked: false },
  { starts: [0xd0, 0xcf, 0x11, 0xe0], what: "a spreadsheet (.xls)", isPacked: false },
  { starts: [0x1f, 0x8b], what: "a gzip file", isPacked: true },
  { starts: [0x28, 0xb5, 0x2f, 0xfd], what: "a zstd file", isPacked: true },
  { starts: [0x25, 0x50, 0x44, 0x46], what: "a PDF document", isPacked: false },
];

const startsWith = (head: Uint8Array, starts: readonly number[]): boolean =>
  starts.every((byte, at) => head[at] === byte);

/** Throws for a source that is not text: spreadsheets and archives are named, never unpacked. */
const rejectBinary = (head: Uint8Array, name: string): void => {
  const magic = magics.find(({ starts }) => startsWith(head, starts));
  if (!magic) return;
  throw sourceFault(
    "NotText",
    t`${name} is ${translated(magic.what)}`,
    { name, offset: 0 },
    magic.isPacked
      ? t`unpack it first: gzip -dc file.gz | msg send-many -`
      : t`save it as CSV UTF-8 in the spreadsheet program, and use that file`,
  );
};

const marks = { utf8: [0xef, 0xbb, 0xbf], utf16le: [0xff, 0xfe], utf16be: [0xfe, 0xff] } as const;

const encodingOfMark = (head: Uint8Array): keyof typeof marks | undefined =>
  (["utf8", "utf16le", "utf16be"] as const).find((it) => startsWith(head, marks[it]));
