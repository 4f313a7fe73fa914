/** Files to upload: their first bytes are all that the rules look at. */
import { greyJpeg } from "../../src/sandbox/fixtures/files.ts";

export const jpeg = greyJpeg;

/** The same picture, filled up behind its end to so many bytes. */
export const paddedJpeg = (width: number, height: number, bytes: number): Uint8Array => {
  const padded = new Uint8Array(bytes);
  padded.set(jpeg(width, height));
  return padded;
};

const chunk = (width: number, height: number): Buffer => {
  const size = Buffer.alloc(8);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  return size;
};

/** As much of a PNG as says how large it is. */
export const png = (width: number, height: number): Uint8Array =>
  Buffer.concat([
    Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"),
    chunk(width, height),
    Buffer.from("0800000000", "hex"),
  ]);

export const gif = (width: number, height: number): Uint8Array =>
  Buffer.concat([
    Buffer.from("GIF89a"),
    Buffer.from([width & 0xff, width >> 8, height & 0xff, height >> 8, 0, 0, 0]),
  ]);

export const pdf: Uint8Array = Buffer.from("%PDF-1.7\n%%EOF\n");
export const text: Uint8Array = Buffer.from("not a picture, whatever its name says\n");
