/**
 * An answer that belongs to another request: it proves nothing about this one. `npm test` plays each kind of
 * request performed or not performed in turns; `EVERY=1` both for each.
 */
import { describe, expect, test } from "vitest";
import { shell } from "../support/msg.ts";
import { share } from "../support/share.ts";
import { envFor } from "./books.ts";
import { falseCounts } from "./claims.ts";
import { type LineOptions, openLine } from "./line.ts";
import { hourOf, openStage, type Sending, sendings, wordsOf } from "./stage.ts";
import { answeringForAnother, isOf, type Kind, onKind, ownWords, recordOf } from "./strangers.ts";

const { clock, opened, nextNumbers, play } = openStage();
const { send, once, at, several, many, groups, manyAt, direct } = sendings;

type Case = readonly [Sending, Kind];

const cases: readonly Case[] = [
  [send, "call"],
  [once, "send"],
  [at, "add"],
  [at, "schedule"],
  [several, "add"],
  [several, "send"],
  [many, "add"],
  [many, "send"],
  [manyAt, "schedule"],
  [direct, "call"],
];

const all = (it: Sending): number[] => Array.from({ length: it.rows }, () => 1);

describe.each(cases.map(([it, kind], turn) => ({ it, kind, turn, name: it.name })))(
  "$name is answered with an older answer to its $kind",
  ({ it, kind, turn }) => {
    test.each(share([true, false], 2, turn))(
      "performed: %s: it is found out what became of it: exit 0, once each",
      async (performed) => {
        const { arm, ...scene } = answeringForAnother(kind, performed, 0);
        await play(it, { ...scene, endsEarly: true });
        arm(1);
        const { codes, sent, harmed, ran } = await play(it, { ...scene, endsEarly: performed });
        expect({ code: codes[0], sent, harmed }, ran[0]?.err).toEqual({
          ...{ code: 0, sent: all(it), harmed: 1 },
        });
      },
    );

    test.each(share([true, false], 2, turn + 1))(
      "performed: %s, each time anew: no claim is false, and nobody is written to twice",
      async (performed) => {
        const { arm, ...scene } = answeringForAnother(kind, performed, 0);
        await play(it, { ...scene, endsEarly: true });
        arm(Number.POSITIVE_INFINITY);
        const { harmed } = await play(it, { ...scene, settle: "20s" });
        expect(harmed).toBeGreaterThan(0);
      },
    );
  },
);

const second: readonly Case[] = [
  [groups, "create"],
  [groups, "add"],
  [groups, "send"],
  [manyAt, "schedule"],
  [direct, "call"],
];

test.each(second.map(([it, kind], turn) => ({ it, kind, turn, name: it.name })))(
  "$name: the $kind of the second chunk is answered with the answer of the first",
  async ({ it, kind, turn }) => {
    for (const performed of share([true, false], 2, turn)) {
      const scene = answeringForAnother(kind, performed, 1);
      const { codes, sent, harmed, ran } = await play(it, scene);
      expect({ code: codes[0], sent, harmed }, ran[0]?.err).toEqual({
        ...{ code: 0, sent: all(it), harmed: 1 },
      });
    }
  },
);

test("a group of another run is not filled for the answer to a creation", async () => {
  const { arm, ...scene } = answeringForAnother("create", false, 0);
  await play(many, { ...scene, endsEarly: true });
  arm(1);
  const { codes, sent, requests } = await play(many, { ...scene, endsEarly: true });
  const adds = requests.filter((it) => isOf("add", it));
  expect([codes[0], sent, adds.length]).toEqual([0, all(many), 1]);
});

test("the second page of groups is answered with the first: nothing is sent", async () => {
  const seen: { first?: string | undefined } = {};
  const rewrite = (body: string): string => {
    seen.first = body;
    return body.replace('"nextKey":null', '"nextKey":"G4VX"');
  };
  const { codes, sent } = await play(many, {
    harm: ({ method, path }) => {
      if (method !== "GET" || path !== "/messages/v4/groups") return undefined;
      const { first } = seen;
      seen.first = undefined;
      return first === undefined ? { rewrite } : recordOf(first);
    },
    settle: "0",
  });
  expect([codes[0], sent]).toEqual([10, [0, 0, 0, 0]]);
});

test("a group in the list that does not say how much it holds may hold these rows: they are not sent again", async () => {
  const numbers = nextNumbers(many.rows);
  const words = wordsOf(many, numbers, hourOf(clock));
  const stdin = `to\n${numbers.join("\n")}\n`;
  const first = await shell({ ...clock, env: envFor(opened()) })(words, { stdin });
  const [sent] = JSON.parse(first.out).groups;
  const rewrite = (body: string): string => {
    const page: { groupList?: Record<string, object> } = JSON.parse(body);
    Reflect.deleteProperty(page.groupList?.[sent] ?? {}, "count");
    return JSON.stringify(page);
  };
  const line = await openLine({
    ...{ to: opened().baseUrl, date: clock.now },
    harm: ({ path }) => (path === "/messages/v4/groups" ? { rewrite } : undefined),
  });
  const other = await shell({ ...clock, env: envFor(line) })([...words, "--settle", "0"], {
    stdin,
  });
  await line.stop();
  expect([other.code, opened().countsOf(numbers)], other.err).toEqual([10, [1, 1, 1, 1]]);
});

test("a group whose send never arrives is not taken as sent for the record of another group", async () => {
  const seen: { sent?: string } = {};
  const { codes, ran, sent } = await play(groups, {
    heard: (passing, { body }) => {
      if (isOf("send", passing)) seen.sent ??= body;
    },
    harm: (passing) => {
      if (seen.sent === undefined) return undefined;
      if (isOf("send", passing)) return "dropBefore";
      return isOf("readGroup", passing) ? recordOf(seen.sent) : undefined;
    },
  });
  expect([codes[0], codes[1], sent], ran[0]?.err).toEqual([11, 11, [1, 1, 0, 0]]);
});

test("a message is not taken for one of a deleted group for the record of another group", async () => {
  const calm = shell({ ...clock, env: envFor(opened()) });
  const made = (await calm("group create --quiet")).out.trim();
  const { out: deleted } = await calm(`group delete ${made} -y --json`);
  const { codes, sent, ran } = await play(direct, {
    harm: (passing) => {
      if (isOf("call", passing)) return "dropAfter";
      return isOf("readGroup", passing) ? recordOf(deleted) : undefined;
    },
  });
  expect([codes, sent], ran[0]?.err).toEqual([
    [11, 11, 7],
    [1, 1, 0, 0],
  ]);
});

test("a list of another group's messages, which failed, has no row of this run sent again", async () => {
  const seen: { list?: string; isAnother: boolean } = { isAnother: false };
  const line = await openLine({
    ...{ to: opened().baseUrl, date: clock.now },
    heard: (passing, { body }) => {
      if (isOf("list", passing)) seen.list = body;
    },
    harm: (passing) =>
      seen.isAnother && isOf("list", passing)
        ? recordOf((seen.list ?? "").replaceAll(/"G4V\w+"/g, '"G4VX"').replaceAll("4000", "3104"))
        : undefined,
  });
  const at = shell({ ...clock, env: envFor(line) });
  const numbers = [...nextNumbers(2), "01000003104"];
  const words = ["send-many", "-", "--from", "0200000000", "--text", "x", "--json"];
  const sent = await at([...words, "--wait"], { stdin: `to\n${numbers.join("\n")}\n` });
  expect((await at("run export last --status delivered --json")).json()).toHaveLength(2);
  seen.isAnother = true;
  const again = await at("send-many --retry-failed last --json");
  await line.stop();
  expect([sent.code, again.code, opened().countsOf(numbers)]).toEqual([3, 10, [1, 1, 1]]);
  expect(again.err).toContain("the answer is the one to another request: it is about G4VX");
});

test("a message without a tag is not taken as sent for the answer to another", async () => {
  const it = { ...send, name: "send --no-tag", flags: ["--no-tag"] };
  const { arm, ...scene } = answeringForAnother("call", false, 0);
  await play(it, scene);
  arm(1);
  const { codes, sent, harmed } = await play(it, scene);
  expect([codes, sent, harmed]).toEqual([[0], [1], 1]);
});

/** A scheduled run in two groups that is cancelled over a line that does harm. */
const cancelled = async (scene: Pick<LineOptions, "harm" | "heard">) => {
  const numbers = nextNumbers(manyAt.rows);
  const line = await openLine({ ...scene, to: opened().baseUrl, date: clock.now });
  const at = shell({ ...clock, env: envFor(line) });
  const stdin = `to\n${numbers.join("\n")}\n`;
  const planned = await at(wordsOf(manyAt, numbers, hourOf(clock)), { stdin });
  expect(planned.code, planned.err).toBe(0);
  const ran = await at("run cancel last --json");
  await line.stop();
  const promised = opened()
    .promisesTo(numbers)
    .filter((count) => count > 0).length;
  return { ...ran, promised };
};

test.each<Kind>(["unschedule", "delete"])(
  "cancel: the %s of one group is answered with that of another: it is made all the same",
  async (kind) => {
    const { code, promised, err } = await cancelled(answeringForAnother(kind, false, 1));
    expect([code, promised], err).toEqual([0, 0]);
  },
);

/** Every cancelling request of this kind is answered so, and not performed. */
const neverCancelled: readonly (readonly [Kind, string, Pick<LineOptions, "harm" | "heard">])[] = (
  ["unschedule", "delete"] as const
).flatMap((kind) => [
  [kind, "with that of another", answeringForAnother(kind, false, Number.POSITIVE_INFINITY)],
  ...[ownWords(404, "ResourceNotFound"), ownWords(400, "DeletedGroup")].map(
    ({ name, answer }) =>
      [kind, `with ${name}`, { harm: onKind(kind, { ...answer, performed: false }) }] as const,
  ),
]);

test.each(neverCancelled)(
  "cancel: every %s is answered %s: what goes out is not called cancelled",
  async (_kind, _answer, scene) => {
    const { code, out, err, promised } = await cancelled(scene);
    expect([code === 0, falseCounts(out, promised, manyAt.rows)], err).toEqual([false, []]);
  },
);
