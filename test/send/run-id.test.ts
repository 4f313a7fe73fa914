import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { newRunId } from "../../src/send/store/run-folder.ts";

test("ids of runs sort by their start, within a second too", () => {
  const moments = fc.tuple(fc.integer({ min: 1, max: 4e12 }), fc.integer({ min: 1, max: 5_000 }));
  fc.assert(
    fc.property(moments, ([start, later]) => {
      const [first, second] = [start, start + later].map((ms) =>
        newRunId(new Date(ms), randomBytes),
      );
      expect([second, first].sort()).toEqual([first, second]);
    }),
  );
});
