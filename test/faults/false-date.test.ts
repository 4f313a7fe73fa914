/**
 * A `Date` that a proxy writes, clocks that differ, and copies that the network holds back meanwhile. In
 * `npm test` each lie meets a part of the commands, and each command some of the lies; with `EVERY=1` each
 * lie meets them all.
 */
import { describe, expect, test } from "vitest";
import { shell } from "../support/msg.ts";
import { share } from "../support/share.ts";
import { envFor } from "./books.ts";
import { openLine } from "./line.ts";
import { hourOf, openStage, type Scene, type Sending, sendings, wordsOf } from "./stage.ts";
import { holdingBack, isOf, type Kind, onKind, ownWords } from "./strangers.ts";

const { clock, opened, nextNumbers, play } = openStage();
const minuteMs = 60_000;
interface Lie {
  readonly name: string;
  /** Made anew for each scene. */
  readonly date: () => () => Date;
  /** It contradicts the signatures that the service accepts, or does no harm. */
  readonly isSeenThrough: boolean;
}

const off = (minutes: number): (() => () => Date) => {
  const date = (): Date => new Date(clock.now().getTime() + minutes * minuteMs);
  return () => date;
};

const drifting = (byMs: number) => (): (() => Date) => {
  const drift = { ms: 0 };
  return () => {
    drift.ms += byMs;
    return new Date(clock.now().getTime() + drift.ms);
  };
};

const lies: readonly Lie[] = [
  { name: "20 minutes ahead", date: off(20), isSeenThrough: true },
  { name: "a day ahead", date: off(1_440), isSeenThrough: true },
  { name: "4 minutes ahead", date: off(4), isSeenThrough: true },
  { name: "4 minutes behind", date: off(-4), isSeenThrough: true },
  { name: "30 minutes behind", date: off(-30), isSeenThrough: true },
  { name: "drifting ahead", date: drifting(minuteMs), isSeenThrough: true },
  // With such a date requests are signed that the service refuses: it may end as unknown.
  { name: "20 minutes behind", date: off(-20), isSeenThrough: false },
  { name: "12 minutes behind", date: off(-12), isSeenThrough: false },
  { name: "drifting behind", date: drifting(-minuteMs), isSeenThrough: false },
];

const { send, once, at, several, many, manyAt, direct } = sendings;
const all = (it: Sending): number[] => Array.from({ length: it.rows }, () => 1);
/** What is one call has nothing but its signature to protect it. */
const calls: readonly (readonly [Sending, Kind])[] = [
  [send, "call"],
  [direct, "call"],
];
const groups: readonly (readonly [Sending, Kind])[] = [
  [at, "schedule"],
  [once, "send"],
  [several, "send"],
  [many, "add"],
  [many, "send"],
  [manyAt, "schedule"],
];

/** On a line that is well otherwise. */
const isWell = async (it: Sending, scene: Scene): Promise<void> => {
  const { codes, sent, ran } = await play(it, { ...scene, endsEarly: true });
  const told = { name: it.name, code: codes[0], sent };
  expect(told, ran[0]?.err).toEqual({ name: it.name, code: 0, sent: all(it) });
};

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
  held = holdingBack(kind),
): Promise<void> => {
  const { harmed, ran } = await play(it, {
    ...scene,
    harm: held.harm,
    behind: async (command) => {
      if (command === 0) clock.pass(minutes * minuteMs);
      if (command === arrives || it.goesOn === "again") await held.release();
    },
  });
  // With a date that the service refuses it ends before there is anything to hold back.
  if (harmed === 0) expect(ran[0]?.err).toContain("RequestTimeTooSkewed");
};

describe.each(lies.map((it, turn) => ({ ...it, turn })))("a Date $name", (lie) => {
  const { date, isSeenThrough, turn } = lie;

  test("on a line that is well otherwise: no claim is false, and it ends well where it is seen through", async () => {
    for (const it of share([send, once, many, direct], 2, turn)) {
      const scene = { date: date() };
      if (isSeenThrough) await isWell(it, scene);
      else await play(it, scene);
    }
  });

  test("while a copy is held back: nobody is written to twice, whenever it arrives", async () => {
    const group = groups.slice(turn % groups.length).slice(0, 1);
    for (const [it, kind] of share([...calls, ...group], 3, turn)) {
      await heldBack(it, kind, { date: date(), settle: "20s" }, 0, 0);
      await heldBack(it, kind, { date: date(), settle: "20s" }, 17, 1);
    }
  });
});

test.each([19, 20, 60].map((ahead, turn) => ({ ahead, turn })))(
  "a date is refused in the service's place, with a Date $ahead minutes ahead: no claim is false",
  async ({ ahead, turn }) => {
    for (const [it, kind] of share([...calls, ...groups], 3, turn))
      for (const performed of [true, false]) {
        const { answer } = ownWords(403, "RequestTimeTooSkewed");
        const harm = onKind(kind, { ...answer, performed }, (at) => at === 0);
        const { harmed } = await play(it, { date: off(ahead)(), harm, settle: "20s" });
        expect(harmed).toBe(1);
      }
  },
);

test("a look that begins behind a false Date proves nothing by its answer: a call stays in doubt", async () => {
  const numbers = nextNumbers(direct.rows);
  const held = holdingBack("call");
  const wrong = { machineMs: 0, aheadMs: 0, dateMs: 0, lists: 0 };
  const line = await openLine({
    to: opened().baseUrl,
    date: () => new Date(clock.now().getTime() + wrong.dateMs),
    harm: (passing) => {
      if (isOf("list", passing)) wrong.lists += 1;
      // One look lists twice.
      wrong.dateMs = wrong.lists <= 2 ? wrong.aheadMs : 0;
      return held.harm(passing);
    },
  });
  const now = () => new Date(clock.now().getTime() + wrong.machineMs);
  const at = shell({ ...clock, now, env: envFor(line) });
  const words = [...wordsOf(direct, numbers, hourOf(clock)), "--settle", "0"];
  const first = await at(words, { stdin: `to\n${numbers.join("\n")}\n` });
  expect(first.code, first.err).toBe(11);
  clock.pass(5 * minuteMs);
  Object.assign(wrong, { machineMs: 12 * minuteMs, aheadMs: 13 * minuteMs, lists: 0 });
  const looked = await at("run reconcile last --settle 0 --json");
  expect([looked.code, looked.json()], looked.err).toMatchObject([11, { unknown: 2 }]);
  await held.release();
  await line.stop();
});

test("what a gateway answers in the service's place is no word on the date: nothing is sent", async () => {
  const gateway = {
    status: 403,
    headers: { "content-type": "text/html" },
    body: "<html>no</html>",
  };
  for (const it of [send, direct]) {
    const { codes, sent, requests } = await play(it, {
      aheadMs: 14 * minuteMs,
      harm: ({ path }) => (path === "/cash/v1/balance" ? gateway : undefined),
    });
    expect([codes[0], sent]).toEqual([5, Array.from({ length: it.rows }, () => 0)]);
    expect(requests.filter(({ method }) => method === "POST")).toEqual([]);
  }
});

describe.each([4, -4, 14].map((ahead, turn) => ({ ahead, turn })))(
  "a machine whose clock is $ahead minutes ahead of the service's",
  ({ ahead, turn }) => {
    const scene = { aheadMs: ahead * minuteMs };

    test.each([15, 17, 19])(
      "a copy that arrives %i minutes late is dead: nobody is written to twice",
      async (late) => {
        const meant = late === 17 ? [...calls, ...groups] : calls;
        for (const [it, kind] of share(meant, late === 17 ? 3 : 2, turn))
          await heldBack(it, kind, scene, late, 0);
      },
    );

    test.each([14, 16, 21])("so is a copy of what was answered, %i minutes late", async (late) => {
      for (const [it, kind] of late === 16 ? calls : share([...calls, ...groups], 2, turn))
        await heldBack(it, kind, scene, late, 0, holdingBack(kind, true));
    });

    test.each([14, 19])("so is it where a Date is %i minutes ahead as well", async (minutes) => {
      for (const [it, kind] of calls) {
        const date = off(minutes)();
        await heldBack(it, kind, { ...scene, date }, 18, 0, holdingBack(kind, true));
      }
    });

    test("on a line that is well otherwise: exit 0, once each", async () => {
      for (const it of share(Object.values<Sending>(sendings), 3, turn)) await isWell(it, scene);
    });
  },
);
