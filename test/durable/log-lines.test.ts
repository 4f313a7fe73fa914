/** The lines of a log: what was interrupted is left out, what is damaged is refused. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { logLine, readLog } from "../../src/durable/log.ts";

const records = [{ t: "RUN" }, { t: "A", text: "안녕" }, { t: "B", n: [1, 2] }, { t: "END" }];
const bytes = Buffer.from(records.map(logLine).join(""));
const room = Buffer.alloc(1_000);

test("records are read back in order, whatever they hold, with zeros behind them or without", () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue(), { maxLength: 20 }), (values) => {
      const lines = Buffer.from(values.map(logLine).join(""));
      for (const file of [lines, Buffer.concat([lines, room])]) {
        const content = readLog(file, "j");
        expect(JSON.stringify(content.records)).toBe(JSON.stringify(values));
        expect(content.good).toBe(lines.length);
      }
    }),
  );
});

test("D03 cut at every byte: the whole records before the cut are there, and the rest is left out", () => {
  for (let length = 0; length <= bytes.length; length += 1) {
    const { records: left, good } = readLog(bytes.subarray(0, length), "j");
    expect(left).toEqual(records.slice(0, left.length));
    expect(good).toBeLessThanOrEqual(length);
    expect(length - good).toBeLessThan(Buffer.byteLength(logLine(records[left.length] ?? "")));
  }
});

test("D04 zeros behind an unfinished record, as a file system leaves them, are left out too", () => {
  for (let length = 0; length < bytes.length; length += 1) {
    const torn = Buffer.concat([bytes.subarray(0, length), room]);
    const { records: left } = readLog(torn, "j");
    expect(left).toEqual(records.slice(0, left.length));
  }
});

test("D05 a flipped bit in any byte is refused with exit 2, in the last record too", () => {
  for (let at = 0; at < bytes.length; at += 1)
    for (const bit of [1, 2, 4, 8, 16, 32, 64, 128]) {
      const flipped = Buffer.from(bytes);
      flipped[at] = (flipped[at] ?? 0) ^ bit;
      for (const file of [flipped, Buffer.concat([flipped, room])])
        expect(() => readLog(file, "j"), `byte ${at} bit ${bit}`).toThrow(/damaged at record/);
    }
});

const sector = 512;

/** Records that are on the disk, and more that were being written over zeros when the power was lost. */
const interrupted = fc
  .record({
    before: fc.array(fc.string({ maxLength: 300 }), { maxLength: 12 }),
    more: fc.array(fc.string({ maxLength: 900 }), { minLength: 1, maxLength: 4 }),
    /** Which sectors of that write reached the disk. */
    kept: fc.infiniteStream(fc.boolean()),
  })
  .map(({ before, more, kept }) => {
    const durable = Buffer.from(before.map(logLine).join(""));
    const file = Buffer.concat([durable, Buffer.from(more.map(logLine).join("")), room]);
    for (let at = durable.length, next = at; at < file.length; at = next) {
      next = Math.min(file.length, at - (at % sector) + sector);
      if (!kept.next().value) file.fill(0, at, next);
    }
    return { before, more, durable, file };
  });

test("D04 sectors of the last write are missing, whichever: all before it is there, and nothing behind a gap", () => {
  fc.assert(
    fc.property(interrupted, ({ before, more, file }) => {
      const { records: left } = readLog(file, "j");
      expect(left.slice(0, before.length)).toEqual(before);
      expect(left.slice(before.length)).toEqual(more.slice(0, left.length - before.length));
    }),
    { numRuns: 500 },
  );
});

test("D05 a flipped bit in a record that was on the disk is refused, whatever is left of the last write", () => {
  const flip = fc.record({ at: fc.nat(), bit: fc.nat({ max: 7 }) });
  fc.assert(
    fc.property(interrupted, flip, ({ durable, file }, { at, bit }) => {
      fc.pre(durable.length > 0);
      const place = at % durable.length;
      const flipped = Buffer.from(file);
      flipped[place] = (file[place] ?? 0) ^ (1 << bit);
      expect(() => readLog(flipped, "j")).toThrow(/damaged at record/);
    }),
    { numRuns: 500 },
  );
});

test("D05 records behind a gap that no single write can have left are not given up: exit 2", () => {
  const lines = Buffer.from(
    Array.from({ length: 100 }, (_, n) => logLine({ t: "A", n, text: "x".repeat(40) })).join(""),
  );
  const gone = Buffer.from(lines).fill(0, sector, 2 * sector);
  expect(() => readLog(gone, "j")).toThrow(expect.objectContaining({ exitCode: 2 }));
  const askew = Buffer.from(lines).fill(0, lines.length - 100, lines.length - 50);
  expect(() => readLog(askew, "j")).toThrow(expect.objectContaining({ exitCode: 2 }));
});
