/**
 * A request that sends is performed, and a stranger answers: nobody is written to twice, no claim is false.
 * In `npm test` each kind of request meets a few of the strangers, and each stranger several kinds; with
 * `EVERY=1` each kind meets half of them.
 */
import { describe, expect, test } from "vitest";
import { share } from "../support/share.ts";
import { openStage, type Sending, sendings } from "./stage.ts";
import { type Kind, onKind, ownWords, type Stranger, strangers } from "./strangers.ts";

const { play } = openStage();

/** Whose answer comes from a stranger: the first of its kind, or the second. */
type Case = readonly [Sending, Kind, number];

const { send, once, at, several, many, groups, manyAt, direct } = sendings;
const ofGroups: readonly Kind[] = ["create", "add", "send"];
const cases: readonly Case[] = [
  [send, "call", 0],
  [once, "send", 0],
  [at, "schedule", 0],
  ...ofGroups.map((kind): Case => [several, kind, 0]),
  ...ofGroups.map((kind): Case => [many, kind, 0]),
  ...ofGroups.map((kind): Case => [groups, kind, 1]),
  [manyAt, "schedule", 0],
  [manyAt, "schedule", 1],
  [direct, "call", 0],
  [direct, "call", 1],
];

const all = (it: Sending): number[] => Array.from({ length: it.rows }, () => 1);

/** It is found out what became of the request: all is there, and the first command says so. */
const isFoundOut = async (
  [it, kind, which]: Case,
  { name, answer }: Stranger,
  { performed = true, endsEarly = true } = {},
): Promise<void> => {
  const { codes, sent, harmed, ran } = await play(it, {
    harm: onKind(kind, { ...answer, performed }, (number) => number === which),
    endsEarly,
  });
  const found = { name, code: codes[0], sent, harmed };
  expect(found, ran[0]?.err).toEqual({ name, code: 0, sent: all(it), harmed: 1 });
};

/** Half of them, the other half at the next turn; the one whose words are the service's always. */
const half = (turn: number): readonly Stranger[] =>
  strangers(turn).filter(({ name }, at) => (at + turn) % 2 === 0 || name.includes("Too"));

/** A few of them, others at the next turn: after sixteen turns each has been met with several kinds. */
const few = (turn: number): readonly Stranger[] => share(half(turn), 4, turn >> 1);

describe.each(cases.map((it, turn) => ({ it, turn, name: it[0].name, kind: it[1] })))(
  "$name: a stranger answers the $kind",
  ({ it, turn }) => {
    test("that was performed: exit 0, once each, whatever the stranger says", async () => {
      for (const [at, stranger] of few(turn).entries())
        await isFoundOut(it, stranger, { endsEarly: at > 0 });
    });

    test("that was not performed: exit 0, once each", async () => {
      const [one, , , two] = half(turn + 1);
      for (const stranger of share([one, two], 2, turn))
        if (stranger) await isFoundOut(it, stranger, { performed: false });
    });
  },
);

const stubborn: readonly Case[] = cases.filter(([, , which]) => which === 0);

describe.each(stubborn.map((it, turn) => ({ it, turn, name: it[0].name, kind: it[1] })))(
  "$name: a firewall answers every $kind",
  ({ it: [it, kind], turn }) => {
    test.each([true, false])(
      "performed: %s: whatever is run again, once each at most",
      async (performed) => {
        const [one, ...more] = strangers(turn);
        const stubbornest = [one, ...more.slice(-2)].flatMap((it) => it ?? []);
        for (const { answer } of share(stubbornest, 3, turn + Number(performed))) {
          const harm = onKind(kind, { ...answer, performed });
          const { harmed } = await play(it, { harm, settle: "20s" });
          expect(harmed).toBeGreaterThan(0);
        }
      },
    );
  },
);

/** What something that repeats the service's words may say of a request that was performed. */
const repeated: readonly Stranger[] = [
  ownWords(402, "NotEnoughBalance"),
  ownWords(403, "Forbidden"),
  ownWords(403, "DuplicatedSignature"),
  ownWords(404, "ResourceNotFound"),
  ownWords(409, "ScheduledGroup"),
];

const sends: readonly Case[] = [
  [several, "send", 0],
  [many, "send", 0],
  [groups, "send", 0],
  [manyAt, "schedule", 0],
];

test.each(sends.map((it, turn) => ({ it, turn, name: it[0].name })))(
  "$name: a group is read by its id where its send is refused in the service's words",
  async ({ it, turn }) => {
    for (const stranger of share(repeated, 2, turn)) await isFoundOut(it, stranger);
  },
);
