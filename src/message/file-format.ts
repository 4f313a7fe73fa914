/** What a file is, found from its bytes and never from its name. */
import { GIF } from "image-size/types/gif";
import type { IImage } from "image-size/types/interface";
import { JPG } from "image-size/types/jpg";
import { PNG } from "image-size/types/png";
import { TIFF } from "image-size/types/tiff";

export type Format = "jpg" | "png" | "gif" | "tif" | "pdf";

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

/** Undefined for bytes of no format that storage takes, and for a picture that cannot be read. */
export const contentOf = (bytes: Uint8Array): Content | undefined => {
  if (Buffer.from(bytes.subarray(0, 5)).toString("latin1") === "%PDF-") return { format: "pdf" };
  // The readers look at the memory behind the bytes: a copy of their own ends where the file does.
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
