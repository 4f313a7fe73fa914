/** A line that repeats what passes: reads and writes arrive twice under one signature, and the second answer comes back. */
import { describe, expect, test } from "vitest";
import type { LineOptions } from "./line.ts";
import { openStage, type Sending, sendings } from "./stage.ts";
import { holdingBack, isOf, type Kind, onKind, ownWords } from "./strangers.ts";

const { play } = openStage();
const all = (it: Sending): number[] => Array.from({ length: it.rows }, () => 1);

const isRead: LineOptions["harm"] = (passing) => (isOf("read", passing) ? "double" : undefined);

describe.each(Object.values<Sending>(sendings).map((it) => ({ it, name: it.name })))(
  "$name",
  ({ it }) => {
    test("over a line that doubles the first read: exit 0, once each", async () => {
      const { codes, sent, ran } = await play(it, {
        harm: onKind("read", "double", (number) => number === 0),
        endsEarly: true,
      });
      expect([codes[0], sent], ran[0]?.err).toEqual([0, all(it)]);
    });

    test("over a line that doubles every read: no claim is false", async () => {
      await play(it, { harm: isRead });
    });

    test("over a line that doubles everything: no claim is false, and nobody is written to twice", async () => {
      await play(it, { harm: () => "double" });
    });
  },
);

const { send, once, at, several, many, groups, manyAt, direct } = sendings;

const writes: readonly (readonly [Sending, Kind])[] = [
  [send, "call"],
  [once, "send"],
  [at, "schedule"],
  [several, "add"],
  [several, "send"],
  [many, "add"],
  [many, "send"],
  [groups, "add"],
  [groups, "send"],
  [manyAt, "schedule"],
  [direct, "call"],
];

test.each(writes.map(([it, kind]) => ({ it, kind, name: it.name })))(
  "$name: every $kind is doubled: exit 0, once each",
  async ({ it, kind }) => {
    const { codes, sent, harmed, ran } = await play(it, { harm: onKind(kind, "double") });
    expect([codes[0], sent, harmed > 0], ran[0]?.err).toEqual([0, all(it), true]);
  },
);

test("an add that is called a duplicate, and is not there yet, is not made with another signature: its copy arrives with the send", async () => {
  const it = { ...many, flags: ["--dedupe", "off"] };
  const held = holdingBack("add");
  const repeat = { ...ownWords(403, "DuplicatedSignature").answer, performed: false };
  const repeats = onKind("add", repeat, (number) => number === 1);
  const { codes, sent, harmed, ran } = await play(it, {
    harm: (passing) => repeats(passing) ?? held.harm(passing),
    on: async (passing, moment) => {
      if (moment === "arrived" && isOf("send", passing)) await held.release();
    },
    endsEarly: true,
  });
  expect([codes[0], sent, harmed], ran[0]?.err).toEqual([0, all(it), 2]);
});
