/** Sets of numbers against the Set of JavaScript, and beyond what that can hold. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { type AddNumber, createNumberSet } from "../../../src/send/messages/number-set.ts";
import { countOf } from "../../support/share.ts";

const number = fc.oneof(
  fc.maxSafeNat(),
  fc.nat(1_000),
  fc.constantFrom(0, 2 ** 24 - 2, 2 ** 24 - 1, 2 ** 24, 2 ** 24 + 1, 2 ** 32, 10 ** 15 - 1),
);

test("it takes in what a Set takes in, in any order", () => {
  fc.assert(
    fc.property(fc.array(number, { maxLength: 500 }), (numbers) => {
      const add = createNumberSet();
      const oracle = new Set<number>();
      for (const it of numbers) {
        expect(add(it)).toBe(!oracle.has(it));
        oracle.add(it);
      }
    }),
  );
});

/** Takes so many numbers in, `step` apart; answers how many were new. */
const countNew = (add: AddNumber, count: number, step: number): number => {
  let found = 0;
  for (let at = 0; at < count; at++) if (add(at * step)) found += 1;
  return found;
};

const many = countOf(600_000, 200_000);

test.each([1, 31, 397, 65_537, 2 ** 24 + 1])(
  `${many} numbers %i apart: each is new once`,
  (step) => {
    const add = createNumberSet();
    const found = [countNew(add, many, step), countNew(add, many, step)];
    expect(found).toEqual([many, 0]);
  },
);

test("more numbers than a Set can hold", () => {
  const count = 2 ** 24 + 1;
  const add = createNumberSet();
  expect([countNew(add, count, 397), countNew(add, 10, 397)]).toEqual([count, 0]);
});
