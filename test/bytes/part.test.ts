/** Parts are found and copied by the word: the platform's own way, byte by byte, is the oracle. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { partOf, standsAt, viewOf } from "../../src/bytes/part.ts";
import { ByteWriter } from "../../src/bytes/writer.ts";

const bytes = (maxLength: number) => fc.uint8Array({ maxLength });

test("a part stands where the same bytes do, and nowhere else", () => {
  fc.assert(
    fc.property(bytes(9), bytes(12), bytes(9), fc.nat(12), (before, part, after, place) => {
      const whole = Buffer.concat([before, part, after]);
      const at = place % (whole.length + 1);
      const isThere = whole.subarray(at, at + part.length).equals(part);
      expect(standsAt(viewOf(whole), at, partOf(part))).toBe(isThere);
      expect(standsAt(viewOf(whole), before.length, partOf(part))).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test("a part that differs in a single bit does not stand there", () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 1, maxLength: 12 }),
      bytes(5),
      fc.nat(),
      (part, after, bit) => {
        const whole = Buffer.concat([part, after]);
        const at = bit % (part.length * 8);
        whole[Math.floor(at / 8)] = (whole[Math.floor(at / 8)] ?? 0) ^ (1 << (at % 8));
        expect(standsAt(viewOf(whole), 0, partOf(part))).toBe(false);
      },
    ),
    { numRuns: 500 },
  );
});

const written = fc.oneof(
  bytes(12).map((part) => ({
    expected: Buffer.from(part),
    write: (writer: ByteWriter) => writer.put(partOf(part)),
  })),
  fc.tuple(bytes(12), bytes(3), bytes(3)).map(([part, before, after]) => ({
    expected: Buffer.from(part),
    write: (writer: ByteWriter) => {
      const others = viewOf(Buffer.concat([before, part, after]));
      writer.copyOf(others, before.length, before.length + part.length);
    },
  })),
  bytes(12).map((part) => ({
    expected: Buffer.from(part),
    write: (writer: ByteWriter) => {
      const other = new ByteWriter(0);
      other.append(Buffer.from("abc"));
      other.append(part);
      writer.copy(other, 3);
    },
  })),
  fc.nat().map((value) => ({
    expected: Buffer.from(String(value)),
    write: (writer: ByteWriter) => writer.digits(value),
  })),
  fc.string({ maxLength: 4 }).map((text) => ({
    expected: Buffer.from(text),
    write: (writer: ByteWriter) => writer.plain(text),
  })),
  fc.string({ unit: "grapheme", maxLength: 9 }).map((text) => ({
    expected: Buffer.from(text),
    write: (writer: ByteWriter) => writer.text(text),
  })),
);

test("what is written stands one behind the other", () => {
  fc.assert(
    fc.property(fc.array(written, { maxLength: 20 }), (parts) => {
      const writer = new ByteWriter(0);
      for (const { write } of parts) {
        writer.room(16);
        write(writer);
      }
      expect(writer.written).toEqual(Buffer.concat(parts.map(({ expected }) => expected)));
    }),
  );
});
