/** The log through kills, power cuts, full disks and failed syncs, one after the other in any order. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { createLog, inspectLog, type Log, openLog } from "../../src/durable/log.ts";
import { type Pick, type PowerDisk, powerDisk } from "./power.ts";

/** A log, and what may be in it. */
interface Story {
  readonly pick: Pick;
  readonly disk: PowerDisk;
  log: Log | undefined;
  /** Acknowledged, or found in a log that was opened: there for ever. */
  kept: unknown[];
  /** Given to the log since, and not acknowledged: any beginning of these may be there. */
  tried: (readonly unknown[])[];
  /** More than one write may be mixed behind what is kept, or one that is too large to be told from damage. */
  mayRefuse: boolean;
  next: number;
}

const someRecords = (it: Story, longest: number): readonly unknown[] =>
  Array.from({ length: 1 + it.pick(4) }, () => {
    it.next += 1;
    return { n: it.next, text: "x".repeat(it.pick(longest)) };
  });

/** Undefined where the process died, or the disk said no. */
const attempt = <T>(action: () => T): T | undefined => {
  try {
    return action();
  } catch {
    return undefined;
  }
};

const write = (it: Story, records: readonly unknown[], action: () => void): void => {
  it.tried.push(records);
  if (!attempt(() => [action()])) return;
  it.kept.push(...records);
  it.tried = [];
  it.mayRefuse = false;
};

const append = (it: Story, longest = 900): void => {
  const records = someRecords(it, longest);
  write(it, records, () => it.log?.append(records));
};

/** What a log holds that was just read: all that was kept, and at most a beginning of what was tried. */
const expectKept = (it: Story, found: readonly unknown[]): void => {
  expect(found.slice(0, it.kept.length)).toEqual(it.kept);
  for (const [at, more] of found.slice(it.kept.length).entries())
    expect(it.tried.map((records) => records[at])).toContainEqual(more);
};

/** A new process opens the log, and may die by that. */
const open = (it: Story): void => {
  const { files, harm } = it.disk;
  const found = inspectLog(files, "log").records;
  expectKept(it, found);
  harm.diesAt = it.pick(4) === 0 ? 1 + it.pick(4) : Infinity;
  const log = attempt(() => openLog(files, "log", ({ records }) => records));
  it.log = log;
  if (!log) return;
  expect(log.content).toEqual(found);
  it.kept = [...found];
  it.tried = [];
  it.mayRefuse = false;
};

const end = (it: Story): void => {
  if (it.pick(2) === 0) it.disk.cutPower();
  else it.disk.restart();
};

const steps: readonly ((it: Story) => void)[] = [
  (it) => append(it),
  (it) => append(it, 40),
  (it) => {
    it.mayRefuse = true;
    append(it, 8_000);
  },
  (it) => {
    it.disk.harm.room = it.pick(4_000);
    append(it);
    it.mayRefuse ||= it.tried.length > 0;
    it.disk.harm.room = Infinity;
  },
  (it) => {
    it.disk.harm.isSyncBad = true;
    append(it);
    it.disk.harm.isSyncBad = false;
    append(it);
  },
  (it) => {
    it.disk.harm.diesAt = 1 + it.pick(3);
    append(it);
  },
  (it) => {
    it.log?.close();
    it.log = undefined;
  },
  end,
];

const begin = (pick: Pick): Story => {
  const disk = powerDisk(pick);
  const it: Story = {
    ...{ pick, disk, log: undefined, kept: [], tried: [], mayRefuse: false, next: 0 },
  };
  disk.harm.diesAt = pick(4) === 0 ? 1 + pick(5) : Infinity;
  const first = someRecords(it, 900);
  write(it, first, () => {
    it.log = createLog(disk.files, "log", first);
  });
  return it;
};

test("D01 D03 D04 D10 whatever happens, what was acknowledged is there, and nothing that was never written", () => {
  const seen = { refused: 0, whole: 0 };
  const story = fc.property(fc.gen(), (g) => {
    const it = begin((choices) => g(fc.nat, { max: choices - 1 }));
    for (let step = 0; step < 12; step += 1) {
      const isOver = it.log === undefined || it.pick(3) === 0;
      if (!isOver) steps[it.pick(steps.length)]?.(it);
      else {
        end(it);
        if (attempt(() => inspectLog(it.disk.files, "log"))) open(it);
        else {
          expect(it.mayRefuse).toBe(true);
          seen.refused += 1;
          return;
        }
      }
    }
    seen.whole += 1;
  });
  fc.assert(story, { numRuns: 300 });
  expect(seen.whole).toBeGreaterThan(seen.refused);
});
