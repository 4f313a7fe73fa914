/** The screen of a watched run fits into windows of any size, whatever the service says. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { korean, koreanTopics } from "../../../src/locale/ko/korean.ts";
import { inLanguage } from "../../../src/locale/locale.ts";
import { displayWidth } from "../../../src/output/text/width.ts";
import type { Snapshot } from "../../../src/send/wait/run-reader.ts";
import { frameOf } from "../../../src/send/wait/watch-run.ts";

const count = fc.nat({ max: 10_000_000 });
const word = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 60 }),
  fc.constant("수신 거부된 번호 ".repeat(9)),
);
const failure = fc.record({ code: word, meaning: word, count });
const last = fc.record({
  date: fc.constant("2026-01-05T09:00:00.000Z"),
  to: word,
  code: word,
  meaning: word,
});

const snapshot: fc.Arbitrary<Snapshot> = fc.record({
  ...{ run: word, state: word, total: count, filled: count, accepted: count, refused: count },
  ...{ skipped: count, notSent: count, unknown: count, delivered: count, failed: count },
  pending: count,
  cost: fc.option(count),
  rate: fc.option(fc.double({ min: 0, max: 1e6, noNaN: true })),
  secondsLeft: fc.option(count),
  failures: fc.array(failure, { maxLength: 40 }),
  lastFailures: fc.array(last, { maxLength: 50 }),
});

const reading = fc.record({ snapshot, standing: fc.constantFrom("active", "final", "stuck") });

const spoken = {
  en: { catalogs: [], topics: {} },
  ko: { catalogs: korean, topics: koreanTopics },
};

test.each(["en", "ko"] as const)(
  "no line is as wide as the window, and no frame is higher: %s",
  (language) => {
    const size = fc.record({
      columns: fc.integer({ min: 2, max: 250 }),
      rows: fc.integer({ min: 1, max: 60 }),
    });
    const shown = fc.record({
      last: fc.option(reading, { nil: undefined }),
      problem: fc.option(word, { nil: undefined }),
      isFailures: fc.boolean(),
    });
    fc.assert(
      fc.property(size, shown, ({ columns, rows }, it) => {
        const view = { timeZone: "Asia/Seoul" };
        const window = { columns, rows, colour: false };
        const lines = inLanguage({ language, ...spoken[language] }, () =>
          frameOf("20260105-090000000-abcdef", { ...it, view }, window),
        );
        expect(lines.length).toBeLessThanOrEqual(rows);
        for (const line of lines) expect(displayWidth(line)).toBeLessThan(columns);
      }),
    );
  },
);
