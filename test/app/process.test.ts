/** What a real process is asked for. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { poolRandom } from "../../src/app/process.ts";

/** 0, 1, 2, … as bytes of a counter: what is given twice is seen. */
const counting = () => {
  let next = 0;
  return (size: number) => {
    const words = Uint32Array.from({ length: Math.ceil(size / 4) }, () => next++);
    return new Uint8Array(words.buffer).subarray(0, size);
  };
};

describe("random bytes", () => {
  test("come in the size asked for, and none is given twice", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 2_000 }), { maxLength: 50 }), (words) => {
        const random = poolRandom(counting());
        const given = words.map((count) => random(count * 4));
        expect(given.map((it) => it.length)).toEqual(words.map((count) => count * 4));
        const all = given.flatMap((it) => [...new Uint32Array(Uint8Array.from(it).buffer)]);
        expect(new Set(all).size).toBe(all.length);
      }),
    );
  });
});
