/** The journal of a run through power cuts: a resumed run sends each row once, or refuses. */

import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { diskFiles } from "../../../src/durable/files.ts";
import { logLine, readLog } from "../../../src/durable/log.ts";
import type { Clock } from "../../../src/send/protocol/actions.ts";
import { apply } from "../../../src/send/protocol/apply.ts";
import { type Entry, type Facts, isEntry } from "../../../src/send/protocol/entries.ts";
import { conclude, decide } from "../../../src/send/protocol/machine.ts";
import {
  initialState,
  type RunShape,
  restoreState,
  type State,
} from "../../../src/send/protocol/state.ts";
import {
  createJournal,
  firstRecord,
  openJournal,
  parseEntries,
  replay,
  stageOf,
} from "../../../src/send/store/journal.ts";
import { freshFolder } from "../../durable/faulty.ts";
import { emptyService, handle, type ServiceHere } from "../explorer/service.ts";

const shapes: readonly RunShape[] = (["S", "G", "direct"] as const).map((path) => ({
  path,
  rows: path === "S" ? [1] : [1, 1, 1],
  width: 2,
  concurrency: 1,
  signed: true,
  tagged: true,
  scheduled: false,
  goal: "finish",
}));

/** A run against the service of the explorer; `onAppend` sees the log grow. */
const run = (
  from: State,
  service: ServiceHere,
  salts: string,
  onAppend: (facts: readonly Entry[], service: ServiceHere) => void,
): ServiceHere => {
  const numbers = { next: 0 };
  const world: Clock = {
    fresh: () => ({ date: "now", salt: `${salts}${numbers.next++}` }),
    canReplay: () => true,
    expired: () => false,
    isTooOld: () => false,
    withinTimeout: () => true,
    mayTry: () => true,
  };
  let state = from;
  let there = service;
  const note = (facts: Facts) => {
    const entries = facts.filter(isEntry);
    if (entries.length > 0) onAppend(entries, there);
    state = facts.reduce(apply, state);
  };
  for (let steps = 0; steps < 200; steps += 1) {
    const step = decide(state, world);
    if (step.type !== "act") return there;
    note(step.before);
    const [after, outcome] = handle(there, step.action, 0);
    there = after;
    note(conclude(state, step.action, outcome));
  }
  throw new Error("the run does not end");
};

/** The log of a whole run, and the service at each moment of it. */
const recorded = (shape: RunShape) => {
  const moments: { readonly length: number; readonly service: ServiceHere }[] = [];
  let bytes = Buffer.alloc(0);
  const last = run(
    initialState(shape),
    emptyService(shape.rows.length, false),
    "a",
    (entries, service) => {
      moments.push({ length: bytes.length, service });
      bytes = Buffer.concat([bytes, Buffer.from(entries.map(logLine).join(""))]);
    },
  );
  moments.push({ length: bytes.length, service: last });
  return { bytes, moments };
};

test.each(shapes)(
  "D03 D04 $path: power lost at any byte of the journal, the resumed run sends each row once",
  (shape) => {
    const { bytes, moments } = recorded(shape);
    for (let length = 0; length <= bytes.length; length += 1) {
      const entries = parseEntries(readLog(bytes.subarray(0, length), "j").records, "j");
      // What had not been acknowledged was not acted on: the service is where it was before the record.
      const service = moments.findLast((it) => it.length <= length)?.service;
      const resumed = restoreState(replay(shape, entries));
      const end = run(
        resumed,
        service ?? emptyService(shape.rows.length, false),
        "b",
        () => undefined,
      );
      expect(end.books, `cut at ${length}`).toEqual(shape.rows);
    }
  },
);

test.each(shapes)(
  "D03 $path: power lost behind any record, before or after the action that it announces",
  (shape) => {
    const { bytes, moments } = recorded(shape);
    for (const [at, { length }] of moments.entries()) {
      const entries = parseEntries(readLog(bytes.subarray(0, length), "j").records, "j");
      for (const { service } of moments.slice(Math.max(0, at - 1), at + 1)) {
        const end = run(restoreState(replay(shape, entries)), service, "b", () => undefined);
        expect(end.books).toEqual(shape.rows);
      }
    }
  },
);

test.each(shapes)(
  "D04 $path: power lost in the middle of any write over zeros, the resumed run sends each row once",
  (shape) => {
    const { bytes, moments } = recorded(shape);
    const writes = moments.slice(1).map(({ length }, at) => ({ ...moments[at], end: length }));
    const kept = fc.array(fc.boolean(), { minLength: 4, maxLength: 4 });
    const lost = fc.property(fc.nat(), fc.nat({ max: 511 }), kept, (nth, shift, there) => {
      const write = writes[nth % writes.length];
      // A first record of any length, so that every place of a write is met where a sector ends.
      const first = Buffer.from(logLine("x".repeat(shift)));
      const file = Buffer.alloc(first.length + (write?.end ?? 0) + 512);
      first.copy(file);
      bytes.copy(file, first.length, 0, write?.end);
      const begun = first.length + (write?.length ?? 0);
      for (let at = begun, next = at, one = 0; at < file.length; at = next, one += 1) {
        next = at - (at % 512) + 512;
        if (!there[one % there.length]) file.fill(0, at, Math.min(next, file.length));
      }
      const entries = parseEntries(readLog(file, "j").records.slice(1), "j");
      const service = write?.service ?? emptyService(shape.rows.length, false);
      const end = run(restoreState(replay(shape, entries)), service, "b", () => undefined);
      expect(end.books).toEqual(shape.rows);
    });
    fc.assert(lost, { numRuns: 1_000 });
  },
);

test("what the service has taken is not made open again by a word that comes too late", () => {
  const taken: Entry[] = [
    { t: "POST_INTENT", chunk: 0, date: "2026-01-01T00:00:00Z", salt: "ab" },
    { t: "POST_OK", chunk: 0, group: "G4V", cost: 8, accepted: 1, refused: 0 },
  ];
  const [shape] = shapes;
  if (!shape) throw new Error("there are shapes");
  const late: Entry = { t: "RESOLVED", chunk: 0, how: "operator" };
  expect(replay(shape, [...taken, late])).toEqual(replay(shape, taken));
});

test("every entry is read back as it was written", () => {
  const path = join(freshFolder(), "journal.log");
  const date = "2026-01-01T00:00:00Z";
  const all: Entry[] = [
    { t: "START" },
    { t: "GROUP_INTENT", gen: 0, from: 0, to: 2 },
    { t: "GROUP", gen: 0, id: "G4V" },
    { t: "GROUP", gen: 0, id: "G4V", created: date, signed: date },
    {
      t: "TAKEN",
      id: "G5V",
      run: "r2",
      rows: [{ from: 0, to: 2 }],
      scheduled: false,
      cost: 8.4,
      sent: date,
      accepted: 2,
      refused: 0,
    },
    { t: "ADD_INTENT", gen: 0, chunk: 0, date, salt: "ab", key: "1234", signedAt: date },
    { t: "ADD_OK", gen: 0, chunk: 0, accepted: 9, refused: 1 },
    { t: "ABANDON", gen: 0, why: "add" },
    { t: "DELETED", gen: 0 },
    { t: "TOUCHED", gen: 0 },
    { t: "VERIFIED", gen: 0 },
    { t: "SEND_INTENT", gen: 0, date },
    { t: "SENT", gen: 0, cost: 8.4, accepted: 1, refused: 0 },
    {
      t: "SENT",
      gen: 0,
      cost: 8.4,
      accepted: 1,
      refused: 0,
      how: "operator",
      held: [{ chunk: 0, accepted: 1, refused: 0 }],
    },
    { t: "SEND_REFUSED", gen: 0, sure: true, code: "NotEnoughBalance" },
    { t: "FAILED", gen: 0 },
    { t: "CANCEL" },
    { t: "CANARY", passed: true },
    { t: "UNSCHEDULED", gen: 0 },
    { t: "OUT", gen: 0, cost: 8.4, accepted: 1, refused: 0 },
    { t: "OFF", gen: 0 },
    { t: "CANCELLED", gen: 0 },
    { t: "POST_INTENT", chunk: 0, date, salt: "ab" },
    { t: "POST_OK", chunk: 0, group: "G4V", cost: 8, accepted: 1, refused: 0 },
    { t: "POST_REFUSED", chunk: 0, status: 402, code: "NotEnoughBalance" },
    { t: "DOUBT", chunk: 0 },
    { t: "RESOLVED", chunk: 0, how: "absent" },
    {
      t: "RESOLVED",
      chunk: 0,
      how: "operator",
      taken: { group: "G4V", cost: 8, accepted: 1, refused: 0 },
    },
    { t: "END", elapsedMs: 12 },
  ];
  const journal = createJournal(diskFiles, path, "r1");
  journal.append(all);
  journal.close();
  const opened = openJournal(diskFiles, path);
  expect(opened.entries).toEqual([{ t: "RUN", run: "r1", version: 2 }, ...all]);
});

test("however long its key is, a run that was not begun shows that, and what its run.json said", () => {
  const path = join(freshFolder(), "journal.log");
  const file = { once: "k".repeat(100_000) };
  createJournal(diskFiles, path, "r1", file).close();
  expect([stageOf(diskFiles, path), firstRecord(diskFiles, path)]).toEqual([
    "planned",
    { t: "RUN", run: "r1", version: 2, file },
  ]);
});

test("P13 a journal of a newer msg is refused with exit 2", () => {
  for (const record of [{ t: "RUN", run: "r", version: 3 }, { t: "TELEPORT", gen: 1 }, 7])
    expect(() => parseEntries([record], "j")).toThrow(
      expect.objectContaining({ exitCode: 2, code: "JournalNotReadable" }),
    );
});
