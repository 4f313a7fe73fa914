/** What storage accepts for each purpose: size, format, dimensions. */

import { GIF } from "image-size/types/gif";
import type { IImage } from "image-size/types/interface";
import { JPG } from "image-size/types/jpg";
import { PNG } from "image-size/types/png";
import { TIFF } from "image-size/types/tiff";
import type { FileType } from "../contract/storage.ts";
import { t, translated } from "../locale/locale.ts";

/** Why a file is refused: the service's code and msg's sentence. */
interface FileFault {
  readonly code:
    | "ValidationError"
    | "FileSizeTooBig"
    | "ImageTypeNotSupported"
    | "ImageResolutionSizeTooBig";
  readonly text: string;
}

interface Rule {
  /** 1 KB is 1,024 bytes. */
  readonly maxKb: number;
  readonly formats: readonly Format[];
  /** Rules of width and height in pixels, each with its sentence; the first that fails is reported. */
  readonly dimensions: readonly (readonly [string, (width: number, height: number) => boolean])[];
}

/** Between two proportions, wide to high. */
const between = (widest: number, narrowest: number, words: string): Rule["dimensions"][number] => [
  words,
  (width, height) => width <= widest * height && width >= narrowest * height,
];
const exactly = (ratio: number, words: string) => between(ratio, ratio, words);
const twoToOne = exactly(2, "2:1 wide to high");
const square = exactly(1, "square");
const photos = ["jpg", "png"] as const;
/** The rule for a picture of a brand message; no sizes are published for its parts. */
const brand = (...dimensions: Rule["dimensions"]): Rule => ({
  maxKb: 5 * 1024,
  formats: photos,
  dimensions,
});

const rules: Readonly<Record<FileType, Rule>> = {
  DOCUMENT: { maxKb: 5 * 1024, formats: ["png", "gif", "jpg", "pdf", "tif"], dimensions: [] },
  MMS: {
    maxKb: 200,
    formats: ["jpg"],
    dimensions: [
      ["at most 1500 x 1440 pixels", (width, height) => width <= 1500 && height <= 1440],
    ],
  },
  KAKAO: {
    maxKb: 500,
    formats: ["png", "jpg"],
    dimensions: [
      ["at least 500 x 250 pixels", (width, height) => width >= 500 && height >= 250],
      between(2, 2 / 3, "between 2:1 and 1:1.5 wide to high"),
    ],
  },
  ATA: {
    maxKb: 500,
    formats: photos,
    dimensions: [["at least 500 pixels wide", (width) => width >= 500], twoToOne],
  },
  KAKAO_HIGHLIGHT: {
    maxKb: 1000,
    formats: photos,
    dimensions: [["at least 108 pixels wide", (width) => width >= 108], square],
  },
  RCS: { maxKb: 1000, formats: photos, dimensions: [] },
  FAX: {
    maxKb: 20 * 1024,
    formats: ["jpg", "gif", "tif", "bmp", "pdf", "doc", "docx", "html"],
    dimensions: [],
  },
  BMS: brand(between(2, 3 / 4, "between 2:1 and 3:4 wide to high")),
  BMS_WIDE: brand(between(2, 1, "between 2:1 and 1:1 wide to high")),
  BMS_WIDE_MAIN_ITEM_LIST: brand(twoToOne),
  BMS_WIDE_SUB_ITEM_LIST: brand(square),
  BMS_CAROUSEL_FEED_LIST: brand(twoToOne),
  BMS_CAROUSEL_COMMERCE_LIST: brand(twoToOne),
};

/** What storage accepts for a purpose, in one line. */
export const describeRules = (type: FileType): string => {
  const { maxKb, formats, dimensions } = rules[type];
  const words = dimensions.map(([text]) => `, ${translated(text)}`);
  return t`${type} takes ${formats.join(", ")} up to ${maxKb} KB` + words.join("");
};

/** The facts of a file of this type, or why it is refused: the first rule that it breaks. */
export const checkFile = (type: FileType, bytes: Uint8Array): Content | FileFault => {
  const { maxKb, formats, dimensions } = rules[type];
  if (bytes.length === 0) return { code: "ValidationError", text: t`the file is empty` };
  if (bytes.length > maxKb * 1024) {
    const text = t`${kb(bytes.length)} KB is too large for ${type}: at most ${maxKb} KB`;
    return { code: "FileSizeTooBig", text };
  }
  const content = contentOf(bytes);
  if (content === undefined || !formats.includes(content.format)) {
    const allowed = formats.join(", ");
    const text =
      content === undefined
        ? t`the file is neither a picture nor a PDF; ${type} takes ${allowed}`
        : t`the file is a ${content.format}; ${type} takes ${allowed}`;
    return { code: "ImageTypeNotSupported", text };
  }
  const { width = 0, height = 0 } = content;
  const [wanted] = dimensions.find(([, holds]) => !holds(width, height)) ?? [];
  if (wanted === undefined) return content;
  const text = t`the picture is ${width} x ${height} pixels; ${type} takes ${translated(wanted)}`;
  return { code: "ImageResolutionSizeTooBig", text };
};

/** Rounded up, so that 200 KB and one byte does not read as 200 KB. */
const kb = (bytes: number): string => (Math.ceil((bytes * 10) / 1024) / 10).toString();

export const isFault = (checked: Content | FileFault): checked is FileFault => "code" in checked;

export type Format = "jpg" | "png" | "gif" | "tif" | "bmp" | "pdf" | "doc" | "docx" | "html";

export interface Content {
  readonly format: Format;
  /** Pixels; undefined for a document. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

const pictures: readonly (readonly [Format, IImage])[] = [
  ["jpg", JPG],
  ["png", PNG],
  ["gif", GIF],
  ["tif", TIFF],
];

/** The first bytes of documents: Office and Hangul share two signatures. */
const documents: readonly (readonly [Format, string])[] = [
  ["pdf", "%PDF-"],
  ["bmp", "BM"],
  ["docx", "PK\x03\x04"],
  ["doc", "\xd0\xcf\x11\xe0"],
  ["html", "<"],
];

/** Undefined for a format that storage does not accept, and for an unreadable picture. */
export const contentOf = (bytes: Uint8Array): Content | undefined => {
  const start = Buffer.from(bytes.subarray(0, 5)).toString("latin1");
  const [document] = documents.find(([, begins]) => start.startsWith(begins)) ?? [];
  if (document !== undefined) return { format: document };
  // The readers access the underlying memory: a copy ends where the file does.
  const own = new Uint8Array(bytes);
  for (const [format, reader] of pictures) {
    const size = sizeOf(reader, own);
    if (size !== undefined) return { format, ...size };
  }
  return undefined;
};

const sizeOf = (reader: IImage, bytes: Uint8Array) => {
  try {
    if (!reader.validate(bytes)) return undefined;
    const { width, height } = reader.calculate(bytes);
    return width > 0 && height > 0 ? { width, height } : undefined;
  } catch {
    // Cut short, or only the first bytes of such a picture.
    return undefined;
  }
};
