/** `run reconcile` of groups: what the service shows of them, and what an operator makes of it. */
import { expect, test } from "vitest";
import type { Shell } from "../../support/msg.ts";
import { fault, groupInDoubt, groupsOf, reconcile, shown } from "./in-doubt.ts";

const onlyGroup = async (at: Shell) => (await groupsOf(at))[0];

/** The same, of a group that was sent after all, and that the service does not show any more. */
const hidden = async (): Promise<Shell> => {
  const at = await groupInDoubt();
  await at(`group send ${(await onlyGroup(at)).groupId} --sandbox -y`);
  await fault(at, "GET /messages/v4/groups/*", "status:503");
  return at;
};

test("without an answer it shows what the group holds and its status, changes nothing: exit 11", async () => {
  const at = await groupInDoubt();
  const ran = await at(reconcile);
  expect(ran.code).toBe(11);
  const { error } = JSON.parse(ran.err);
  expect(error).toMatchObject({ code: "OutcomeUnknown", outcome: "unknown" });
  expect(error.details).toEqual([
    {
      code: "InDoubt",
      field: expect.stringMatching(/^group G4V\w+$/),
      row: 1,
      text: expect.stringMatching(
        /^filled with 3 messages: group G4V\w+ of .*: PENDING, 3 messages, 0 won; not sent so far, but a request that sends it may still arrive$/,
      ),
    },
  ]);
  expect(error.hint).toMatch(
    /send it exactly once: .*--resume \S+; to delete it, .*: msg run cancel \S+$/,
  );
  expect(await shown(at)).toMatchObject({ state: "unknown", unknown: 3 });
  expect(await onlyGroup(at)).toMatchObject({ status: "PENDING" });
});

test("a person is asked; leaving it open changes nothing, and --resume sends it once", async () => {
  const at = await groupInDoubt();
  const { groupId } = await onlyGroup(at);
  const open = await at(reconcile, { tty: 100, answers: ["leave"] });
  expect([open.code, open.questions]).toEqual([11, [`What became of group ${groupId}?`]]);
  expect(open.err).toContain(`group ${groupId}: 3 messages from row 1,`);
  expect(await onlyGroup(at)).toMatchObject({ status: "PENDING" });
  expect((await at("send-many --resume last --sandbox")).code).toBe(3);
  expect(await shown(at)).toMatchObject({ state: "done", accepted: 2, refused: 1, unknown: 0 });
});

test("a person who says that it was not sent has it deleted: that proves it, and the run is over", async () => {
  const at = await groupInDoubt();
  const ran = await at(reconcile, { tty: 100, answers: ["delete"] });
  expect([ran.code, ran.json()]).toEqual([
    0,
    expect.objectContaining({ state: "cancelled", notSent: 3, unknown: 0 }),
  ]);
  expect(await onlyGroup(at)).toMatchObject({ status: "DELETED" });
});

test("it is sent while the person thinks: the deletion finds out, and the run is done", async () => {
  const at = await groupInDoubt();
  const paste = async (): Promise<string> => {
    await at(`group send ${(await onlyGroup(at)).groupId} --sandbox -y`);
    return "delete";
  };
  const ran = await at(reconcile, { tty: 100, paste });
  expect([ran.code, ran.json()], ran.err).toEqual([
    0,
    expect.objectContaining({ state: "done", accepted: 2, refused: 1, unknown: 0 }),
  ]);
});

test("what the service does not show is taken from an operator, with the rows as they were added", async () => {
  const at = await hidden();
  const looked = await at(reconcile);
  const [{ field, text }] = JSON.parse(looked.err).error.details;
  expect([looked.code, text]).toEqual([11, expect.stringContaining("cannot be read: ")]);
  const ran = await at(`${reconcile} --accepted ${String(field).slice("group ".length)}`);
  expect([ran.code, ran.json()]).toEqual([
    0,
    expect.objectContaining({ state: "done", accepted: 2, refused: 1, unknown: 0 }),
  ]);
});

test("a person says the same of a group that cannot be read", async () => {
  const at = await hidden();
  const ran = await at(reconcile, { tty: 100, answers: ["accepted"] });
  expect([ran.code, ran.json()]).toEqual([
    0,
    expect.objectContaining({ state: "done", accepted: 2, refused: 1 }),
  ]);
});

test.each([
  ["--accepted", { state: "done", accepted: 2, refused: 1, unknown: 0 }],
  ["--not-sent", { state: "cancelled", notSent: 3, unknown: 0 }],
])("the service lost the group: the hints lead to %s, which ends the run", async (flag, ended) => {
  const at = await groupInDoubt();
  await at("sandbox reset --sandbox");
  const follow = async (line: string, hint: RegExp): Promise<string> => {
    const { code, err } = await at(`${line} --sandbox --json`);
    const [, next = ""] = hint.exec(JSON.parse(err).error.hint) ?? [];
    expect([code, next]).toEqual([11, expect.stringMatching(/^run /)]);
    return next;
  };
  const lets = /; msg (run reconcile \S+) lets you say/;
  await follow("run cancel last --settle 0", lets);
  const again = await follow("send-many --resume last", lets);
  const decided = await follow(again, /: msg (run reconcile \S+ --accepted \S+), or --not-sent/);
  const ran = await at(`${decided.replace("--accepted", flag)} --sandbox --json`);
  expect([ran.code, ran.json()], ran.err).toEqual([0, expect.objectContaining(ended)]);
});

test("a person says of a group that the service lost that it was not sent", async () => {
  const at = await groupInDoubt();
  await at("sandbox reset --sandbox");
  const ran = await at(reconcile, { tty: 100, answers: ["delete"] });
  expect([ran.code, ran.json()], ran.err).toEqual([
    0,
    expect.objectContaining({ state: "cancelled", notSent: 3, unknown: 0 }),
  ]);
});

const wrong: readonly (readonly [string, (groupId: string) => string, string])[] = [
  ["a part", () => "--accepted 1", "outcome unknown: G4V"],
  ["that a PENDING group was sent", (id) => `--accepted ${id}`, "as PENDING: it has not sent it"],
  ["that a group was not sent", (id) => `--not-sent ${id}`, "only deleting a group proves"],
];
test.each(wrong)(
  "%s is not taken by a flag: exit 2, and nothing is settled",
  async (_, flags, words) => {
    const at = await groupInDoubt();
    const ran = await at(`${reconcile} ${flags((await onlyGroup(at)).groupId)}`);
    expect([ran.code, ran.err]).toEqual([2, expect.stringContaining(words)]);
    expect(await shown(at)).toMatchObject({ state: "unknown", unknown: 3 });
  },
);
