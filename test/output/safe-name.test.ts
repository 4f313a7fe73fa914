import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { safeName } from "../../src/output/save-file.ts";

describe("names that the service gives", () => {
  test.each([
    ["photo.jpg", "photo.jpg"],
    ["안내문.pdf", "안내문.pdf"],
    ["../../etc/passwd", "passwd"],
    ["/etc/cron.d/x", "x"],
    ["C:\\Windows\\a.dll", "a.dll"],
    ["..", undefined],
    ["", undefined],
    ["a/", undefined],
    [".bashrc", "bashrc"],
    ["-rf", "rf"],
    ["a\u0000b\u001b[31m.jpg", "ab[31m.jpg"],
    ["a\u202egpj.exe", "agpj.exe"],
    ["NUL", undefined],
    ["con.txt", undefined],
    ["file:stream", "filestream"],
    ["trailing. ", "trailing"],
    [`${"가".repeat(100)}.jpg`, `${"가".repeat(65)}.jpg`],
  ])("%j becomes %j", (given, expected) => {
    expect(safeName(given)).toBe(expected);
  });

  test("none leaves its folder, whatever it is", () => {
    const part = fc.constantFrom("..", ".", "/", "\\", "a", "\u0000", " ", "con", "~", "\n", ":");
    const name = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(part).map((it) => it.join("")),
    );
    fc.assert(
      fc.property(name, (given) => {
        const safe = safeName(given);
        if (safe === undefined) return;
        expect(join("/folder", safe)).toBe(`/folder/${safe}`);
        expect(safe).not.toMatch(/[/\\\p{Cc}]|^\.|^-/u);
        expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(200);
      }),
    );
  });
});
