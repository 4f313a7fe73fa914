import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { FileType } from "../../src/contract/storage.ts";
import { checkFile, describeRules, isFault } from "../../src/message/file-rules.ts";
import { gif, jpeg, paddedJpeg, pdf, png, text } from "../support/pictures.ts";

const kb = 1024;

const verdict = (type: FileType, bytes: Uint8Array): string => {
  const checked = checkFile(type, bytes);
  return isFault(checked) ? checked.code : checked.format;
};

describe("what storage takes", () => {
  test.each<[FileType, string, Uint8Array, string]>([
    ["MMS", "a JPEG", jpeg(640, 480), "jpg"],
    ["MMS", "a JPEG of the largest dimensions", jpeg(1500, 1440), "jpg"],
    ["MMS", "a JPEG that is one pixel too wide", jpeg(1501, 1440), "ImageResolutionSizeTooBig"],
    ["MMS", "a JPEG that is one pixel too high", jpeg(1500, 1441), "ImageResolutionSizeTooBig"],
    ["MMS", "a PNG", png(640, 480), "ImageTypeNotSupported"],
    ["MMS", "a text that is named .jpg", text, "ImageTypeNotSupported"],
    ["MMS", "200 KB", paddedJpeg(640, 480, 200 * kb), "jpg"],
    ["MMS", "200 KB and a byte", paddedJpeg(640, 480, 200 * kb + 1), "FileSizeTooBig"],
    ["MMS", "201 KB", paddedJpeg(640, 480, 201 * kb), "FileSizeTooBig"],
    ["MMS", "the beginning of a JPEG", jpeg(640, 480).subarray(0, 20), "ImageTypeNotSupported"],
    ["MMS", "nothing", new Uint8Array(), "ValidationError"],
    ["KAKAO", "the smallest picture", jpeg(500, 250), "jpg"],
    ["KAKAO", "one pixel less wide", jpeg(499, 250), "ImageResolutionSizeTooBig"],
    ["KAKAO", "one pixel less high", jpeg(500, 249), "ImageResolutionSizeTooBig"],
    ["KAKAO", "2:1", png(1000, 500), "png"],
    ["KAKAO", "wider than 2:1", png(1001, 500), "ImageResolutionSizeTooBig"],
    ["KAKAO", "1:1.5", png(600, 900), "png"],
    ["KAKAO", "higher than 1:1.5", png(600, 901), "ImageResolutionSizeTooBig"],
    ["KAKAO", "500 KB", paddedJpeg(800, 400, 500 * kb), "jpg"],
    ["KAKAO", "more", paddedJpeg(800, 400, 500 * kb + 1), "FileSizeTooBig"],
    ["KAKAO", "a GIF", gif(800, 400), "ImageTypeNotSupported"],
    ["DOCUMENT", "a PDF", pdf, "pdf"],
    ["DOCUMENT", "a GIF", gif(1, 1), "gif"],
    ["DOCUMENT", "a PNG", png(1, 1), "png"],
    ["DOCUMENT", "a text", text, "ImageTypeNotSupported"],
    ["DOCUMENT", "5 MB", paddedJpeg(1, 1, 5 * kb * kb), "jpg"],
    ["DOCUMENT", "more", paddedJpeg(1, 1, 5 * kb * kb + 1), "FileSizeTooBig"],
  ])("%s: %s", (type, _what, bytes, expected) => {
    expect(verdict(type, bytes)).toBe(expected);
  });

  test("the words of a refusal name what was found and what is taken", () => {
    expect(checkFile("MMS", png(10, 10))).toMatchObject({
      text: "the file is a png; MMS takes jpg",
    });
    expect(checkFile("MMS", paddedJpeg(8, 8, 201 * kb))).toMatchObject({
      text: "201 KB is too large for MMS: at most 200 KB",
    });
    expect(checkFile("KAKAO", jpeg(320, 200))).toMatchObject({
      text: "the picture is 320 x 200 pixels; KAKAO takes at least 500 x 250 pixels",
    });
    expect(describeRules("MMS")).toBe("MMS takes jpg up to 200 KB, at most 1500 x 1440 pixels");
  });

  test("no bytes make the check fail itself, with or without the mark of a picture in front", () => {
    const marks = [[], [0xff, 0xd8, 0xff], [...png(1, 1).subarray(0, 12)], [0x49, 0x49, 0x2a, 0]];
    const bytes = fc.tuple(fc.constantFrom(...marks), fc.uint8Array({ maxLength: 300 }));
    fc.assert(
      fc.property(bytes, ([mark, rest]) => {
        const checked = checkFile("DOCUMENT", Uint8Array.from([...mark, ...rest]));
        expect(isFault(checked) || (checked.width ?? 1) > 0).toBe(true);
      }),
    );
  });

  test("a picture is read to its own end, not into the memory behind it", () => {
    const memory = Buffer.concat([jpeg(640, 480).subarray(0, 90), jpeg(640, 480)]);
    expect(verdict("MMS", memory.subarray(0, 90))).toBe("ImageTypeNotSupported");
  });
});
