/** A `Date` that a proxy writes, clocks that differ, and copies that the network holds back meanwhile. */
import { describe, expect, test } from "vitest";
import { openStage, type Scene, type Sending, sendings } from "./stage.ts";
import { holdingBack, type Kind } from "./strangers.ts";

const { clock, play } = openStage();
const minuteMs = 60_000;
const all = (it: Sending): number[] => Array.from({ length: it.rows }, () => 1);

/** What the line writes into every answer, made anew for each scene. */
const dates: Readonly<Record<string, () => () => Date>> = {
  "20 minutes ahead": () => () => new Date(clock.now().getTime() + 20 * minuteMs),
  "20 minutes behind": () => () => new Date(clock.now().getTime() - 20 * minuteMs),
  "a day ahead": () => () => new Date(clock.now().getTime() + 1_440 * minuteMs),
  "drifting ahead": () => drifting(minuteMs),
  "drifting behind": () => drifting(-minuteMs),
  "of a stopped clock": () => {
    const stopped = clock.now();
    return () => stopped;
  },
};

const drifting = (byMs: number): (() => Date) => {
  const drift = { ms: 0 };
  return () => {
    drift.ms += byMs;
    return new Date(clock.now().getTime() + drift.ms);
  };
};

const { send, once, at, several, many, groups, manyAt, direct } = sendings;
const sends: readonly (readonly [Sending, Kind])[] = [
  [send, "call"],
  [once, "call"],
  [at, "schedule"],
  [several, "add"],
  [several, "send"],
  [many, "add"],
  [many, "send"],
  [manyAt, "schedule"],
  [direct, "call"],
];

describe.each(Object.entries(dates))("a Date %s", (_, date) => {
  test("on a line that is well otherwise: exit 0, once each", async () => {
    for (const it of Object.values<Sending>(sendings)) {
      const { codes, sent, ran } = await play(it, { date: date() });
      expect({ name: it.name, code: codes[0], sent }, ran[0]?.err).toEqual({
        ...{ name: it.name, code: 0, sent: all(it) },
      });
    }
  });

  test("while a copy is held back: nobody is written to twice, whenever it arrives", async () => {
    for (const [it, kind] of sends) {
      await heldBack(it, kind, { date: date() }, 0, 0);
      await heldBack(it, kind, { date: date() }, 17, 1);
    }
  });
});

/**
 * The first write of the kind is held back; so many minutes pass behind the first command, and the copy
 * arrives behind the first or the second one.
 */
const heldBack = async (
  it: Sending,
  kind: Kind,
  scene: Scene,
  minutes: number,
  arrives: number,
): Promise<void> => {
  const held = holdingBack(kind);
  const { sent } = await play(it, {
    ...scene,
    harm: held.harm,
    behind: async (command) => {
      if (command === 0) clock.pass(minutes * minuteMs);
      if (command === arrives || it.goesOn === "again") await held.release();
    },
  });
  expect(Math.max(...sent)).toBeLessThanOrEqual(1);
};

describe.each([
  ["4 minutes ahead of", 4],
  ["4 minutes behind", -4],
  ["14 minutes ahead of", 14],
])("a machine whose clock is %s the service's", (_, ahead) => {
  test.each([14, 15, 16, 17, 18, 19, 20])(
    "a copy that arrives %i minutes late is dead: nobody is written to twice",
    async (late) => {
      for (const [it, kind] of sends)
        await heldBack(it, kind, { aheadMs: ahead * minuteMs }, late, 0);
    },
  );

  test("on a line that is well otherwise: exit 0, once each", async () => {
    for (const it of [send, once, at, several, many, groups, manyAt, direct]) {
      const { codes, sent, ran } = await play(it, { aheadMs: ahead * minuteMs });
      expect({ name: it.name, code: codes[0], sent }, ran[0]?.err).toEqual({
        ...{ name: it.name, code: 0, sent: all(it) },
      });
    }
  });
});
