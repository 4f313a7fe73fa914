import { describe, expect, test } from "vitest";
import { createLanes, type Use } from "../../src/client/lanes.ts";

const lanesOf = () => {
  const opened: number[] = [];
  const closed: number[] = [];
  const lanes = createLanes<number, string>(
    () => opened.push(opened.length + 1),
    async (lane) => {
      closed.push(lane);
    },
  );
  const take = (isRead: boolean): Use<number> => lanes.take(isRead, "");
  return { lanes, take, opened, closed };
};

describe("which connection a request takes", () => {
  test("a write never takes one that has carried a request, even one that is to stay", () => {
    const { take, opened } = lanesOf();
    for (let count = 1; count <= 5; count += 1) {
      const { lane, keep } = take(false);
      expect(lane).toBe(count);
      keep(true);
    }
    expect(opened).toHaveLength(5);
  });

  test("a read takes what is idle", () => {
    const { take, opened } = lanesOf();
    take(false).keep(false);
    take(true).keep(false);
    take(true).keep(false);
    expect(opened).toEqual([1]);
  });

  test("eight writes under way make a burst, in which a promise to stay is relied on", () => {
    const { take, opened } = lanesOf();
    const first = Array.from({ length: 10 }, () => take(false));
    expect(opened).toHaveLength(10);
    first[0]?.keep(true);
    expect(take(false).lane).toBe(1);
    first[1]?.keep(false);
    expect(take(false).lane).toBe(11);
    for (const use of first.slice(2, 8)) use.keep(true);
    expect(take(false).lane).toBe(12);
  });

  test("what failed is closed and not used again", () => {
    const { take, closed } = lanesOf();
    take(true).drop();
    expect(closed).toEqual([1]);
    expect(take(true).lane).toBe(2);
  });

  test("idle ones do not pile up, and all are closed at the end", async () => {
    const { lanes, take, opened, closed } = lanesOf();
    for (const use of Array.from({ length: 16 }, () => take(true))) use.keep(false);
    expect(opened.length - closed.length).toBeLessThanOrEqual(9);
    take(false);
    await lanes.close();
    expect([...closed].sort((a, b) => a - b)).toEqual(opened.map((_, at) => at + 1));
  });
});
