/** Groups of a run for later that somebody else takes off their schedule, as the service's console can. */
import { expect, test } from "vitest";
import { hurried } from "../../support/clock.ts";
import { type Shell, shell } from "../../support/msg.ts";

const rows = "to\n01000000001\n01000000002\n01000000003\n";
const evening = "2026-01-05 19:00";
const line = "send-many - --sandbox --from 0200000000 --text x --json --chunk 1".split(" ");

const schedules = "POST /messages/v4/groups/*/schedule";

/** A run of three rows in two groups at 18:00 in Seoul, which goes out an hour later; and their ids. */
const scheduled = async () => {
  const at = shell(hurried());
  await at("sandbox reset --seed 1");
  const ran = await at([...line, "--group-size", "2", "--at", evening], { stdin: rows });
  expect(ran.code, ran.err).toBe(0);
  const { groups }: { groups: [string, string] } = JSON.parse(ran.out);
  return { at, groups };
};

const takeOff = async (at: Shell, ids: readonly string[]): Promise<void> => {
  for (const id of ids) expect((await at(`group unschedule ${id} --sandbox`)).code).toBe(0);
};
const putBack = async (at: Shell, ids: readonly string[]): Promise<void> => {
  for (const id of ids) {
    const words = ["group", "schedule", id, evening, "--sandbox", "--yes"];
    expect((await at(words)).code).toBe(0);
  }
};
const run = (at: Shell, words: string) => at(`run ${words} --sandbox --json`);
const resume = (at: Shell, more = "") =>
  at(`send-many --resume last --sandbox --json ${more}`.trim());
const shown = async (at: Shell) => (await run(at, "show last")).json();
const posts = async (at: Shell): Promise<number> => {
  const { out } = await at("sandbox requests --sandbox -o tsv --fields method,path --all");
  return out.split("\n").filter((it) => /^POST.*\/schedule$/.test(it)).length;
};
const arrived = async (at: Shell): Promise<number> => {
  const { out } = await at("sandbox inbox list -o tsv --no-header --fields to");
  return out.split("\n").filter((it) => it !== "").length;
};
const later = (at: Shell) => at("sandbox clock advance 2h");

test("reconcile reads that they wait no more and were not sent; show and list say so from then on", async () => {
  const { at, groups } = await scheduled();
  await takeOff(at, groups);
  const looked = await run(at, "reconcile last");
  const told = { state: "unscheduled", accepted: 0, notSent: 3, unknown: 0, cost: 0 };
  expect([looked.code, looked.json()]).toEqual([0, expect.objectContaining(told)]);
  expect(looked.err).toContain("someone else took groups of it off the schedule");
  expect(await shown(at)).toMatchObject(told);
  expect((await run(at, "list --state unscheduled")).json()).toHaveLength(1);
  await later(at);
  expect((await run(at, "reconcile last")).json()).toMatchObject(told);
  expect(await arrived(at)).toBe(0);
});

test("--resume sends nothing by itself: exit 7, and it is told what would", async () => {
  const { at, groups } = await scheduled();
  await takeOff(at, groups);
  await run(at, "reconcile last");
  for (const more of ["", "--wait", "--again -n"]) {
    const resumed = await resume(at, more);
    expect([resumed.code, JSON.parse(resumed.err).error]).toEqual([
      7,
      expect.objectContaining({
        code: "Unscheduled",
        outcome: "not_sent",
        hint: expect.stringMatching(
          /--resume \S+ --again schedules them .* msg run cancel \S+ deletes/,
        ),
      }),
    ]);
  }
  expect(await posts(at)).toBe(2);
  await later(at);
  expect(await arrived(at)).toBe(0);
});

test("--resume --again is the operator's word: each is scheduled once more, and goes out once at its hour", async () => {
  const { at, groups } = await scheduled();
  await takeOff(at, groups);
  await run(at, "reconcile last");
  const resumed = await resume(at, "--again");
  expect([resumed.code, resumed.json()], resumed.err).toEqual([
    0,
    expect.objectContaining({ state: "scheduled", accepted: 3, notSent: 0, unknown: 0 }),
  ]);
  expect(await posts(at)).toBe(4);
  await later(at);
  expect((await run(at, "reconcile last")).json()).toMatchObject({ state: "done", accepted: 3 });
  expect(await arrived(at)).toBe(3);
});

test("behind its hour no run is called scheduled for it: what became of it is to be checked", async () => {
  const { at } = await scheduled();
  expect((await run(at, "show last")).err).toMatch(/^scheduled for .*run cancel/);
  await later(at);
  const { err } = await run(at, "show last");
  expect(err).toMatch(
    /^its scheduled time has passed: msg .*run reconcile \S+ checks what became of it/,
  );
});

test("--resume of a run that waits for its hour looks itself, and says so where it cannot", async () => {
  const { at, groups } = await scheduled();
  await takeOff(at, groups);
  const reads = ["--on", "GET /messages/v4/groups/*", "--do", "drop-before"];
  expect((await at(["sandbox", "fault", "add", ...reads])).code).toBe(0);
  const unread = await resume(at);
  expect([unread.code, unread.err]).toEqual([9, expect.stringContaining("run it again")]);
  await at("sandbox fault clear");
  const { code, err } = await resume(at);
  expect([code, JSON.parse(err).error.code]).toEqual([7, "Unscheduled"]);
  expect(err).toContain("before their scheduled time msg ");
  expect(await shown(at)).toMatchObject({ state: "unscheduled", notSent: 3 });
});

test("--again behind its hour sends nothing late: exit 2; cancelling still deletes them", async () => {
  const { at, groups } = await scheduled();
  await takeOff(at, groups);
  await run(at, "reconcile last");
  await later(at);
  const resumed = await resume(at, "--again");
  expect([resumed.code, JSON.parse(resumed.err).error.code]).toEqual([2, "SchedulePast"]);
  expect(await shown(at)).toMatchObject({ state: "unscheduled", notSent: 3 });
  const { err } = await run(at, "show last");
  expect(err).toMatch(
    /^its scheduled time has passed: msg .*run cancel \S+ deletes what was not sent/,
  );
  expect(err).not.toContain("--resume");
  const cancelled = await run(at, "cancel last --yes");
  expect([cancelled.code, cancelled.json()]).toEqual([
    0,
    expect.objectContaining({ state: "cancelled", notSent: 3 }),
  ]);
  const { out } = await at("group list --sandbox -o tsv --fields status --no-header");
  expect(out.trim()).toBe("DELETED\nDELETED");
});

test("one of two: the other still waits, its rows are accepted, and --again puts only the one back", async () => {
  const { at, groups } = await scheduled();
  await takeOff(at, [groups[1]]);
  const parted = { state: "unscheduled", accepted: 2, notSent: 1, unknown: 0, cost: null };
  expect((await run(at, "reconcile last")).json()).toMatchObject(parted);
  const rest = await at("run export last --sandbox --status not-sent -o jsonl");
  expect(rest.out.match(/"to":"\d+"/g)).toEqual(['"to":"01000000003"']);
  expect(rest.err).toMatch(
    /can still be sent; before sending their rows another way: msg run cancel /,
  );
  expect((await resume(at, "--again")).json()).toMatchObject({ state: "scheduled", accepted: 3 });
  expect(await posts(at)).toBe(3);
  await later(at);
  expect(await arrived(at)).toBe(3);
});

test("put back by somebody else: reconcile reads that they wait again, and --again finds them waiting", async () => {
  const { at, groups } = await scheduled();
  await takeOff(at, groups);
  await run(at, "reconcile last");
  await putBack(at, [groups[0]]);
  const again = await resume(at, "--again");
  expect([again.code, again.json()], again.err).toEqual([
    0,
    expect.objectContaining({ state: "scheduled", accepted: 3 }),
  ]);
  await takeOff(at, groups);
  await run(at, "reconcile last");
  await putBack(at, groups);
  expect((await run(at, "reconcile last")).json()).toMatchObject({
    state: "scheduled",
    accepted: 3,
    notSent: 0,
  });
  await later(at);
  expect((await run(at, "reconcile last")).json()).toMatchObject({ state: "done", accepted: 3 });
  expect(await arrived(at)).toBe(3);
});

test.each([
  ["that waited", []],
  ["whose schedule had no answer", ["drop-before"]],
])(
  "a group %s, and that somebody schedules without one of its messages: that one was not sent",
  async (_, faults) => {
    const at = shell({ ...hurried() });
    await at("sandbox reset --seed 1");
    for (const what of faults)
      await at(["sandbox", "fault", "add", "--sandbox", "--on", schedules, "--do", what]);
    const words = [...line, "--settle", "1s", "--at", evening];
    await at(words, { stdin: rows });
    await at("sandbox fault clear --sandbox");
    const { groups }: { groups: [string] } = JSON.parse((await run(at, "show last")).out);
    const [id] = groups;
    if (faults.length === 0) await takeOff(at, [id]);
    const { out } = await at(`group messages ${id} --sandbox --json`);
    const [message]: readonly { messageId: string }[] = JSON.parse(out);
    const gone = await at(`group remove ${id} ${message?.messageId} --sandbox --yes`);
    expect(gone.code, gone.err).toBe(0);
    await putBack(at, [id]);
    const looked = await run(at, "reconcile last");
    expect(looked.json(), looked.err).toMatchObject({ accepted: 2, notSent: 1, unknown: 0 });
    await later(at);
    expect(await arrived(at)).toBe(2);
  },
);

test("put on another hour by somebody else: reconcile and --resume name that hour, exit 10, until it is over", async () => {
  const { at, groups } = await scheduled();
  await takeOff(at, groups);
  const words = ["group", "schedule", groups[1], "2026-01-05 19:30", "--sandbox", "--yes"];
  expect((await at(words)).code).toBe(0);
  await putBack(at, [groups[0]]);
  const looked = await run(at, "reconcile last");
  expect([looked.code, looked.json()]).toMatchObject([10, { state: "scheduled", accepted: 3 }]);
  for (const { err } of [looked, await resume(at)])
    expect(JSON.parse(err.trim().split("\n").at(-1) ?? "").error).toMatchObject({
      code: "GroupTouched",
      message: expect.stringMatching(/it is scheduled for 2026-01-05T10:30.*; 3 accepted/),
    });
  await later(at);
  const over = await run(at, "reconcile last");
  expect([over.code, over.json()], over.err).toMatchObject([0, { state: "done", accepted: 3 }]);
});

test("a schedule without an answer, behind --again, is settled as ever", async () => {
  const { at, groups } = await scheduled();
  await takeOff(at, groups);
  await run(at, "reconcile last");
  const on = "POST /messages/v4/groups/*/schedule";
  await at(["sandbox", "fault", "add", "--on", on, "--do", "drop-after", "--times", "2"]);
  expect((await resume(at, "--again")).json()).toMatchObject({ state: "scheduled", accepted: 3 });
  await later(at);
  expect(await arrived(at)).toBe(3);
});

test("the same rows in a new run are refused as long as they can still be sent", async () => {
  const { at, groups } = await scheduled();
  await takeOff(at, groups);
  await run(at, "reconcile last");
  const words = [...line, "--group-size", "2", "--at", evening];
  const same = await at(words, { stdin: rows });
  expect([same.code, JSON.parse(same.err).error.code]).toEqual([7, "SentBefore"]);
  await run(at, "cancel last --yes");
  expect((await at(words, { stdin: rows })).code).toBe(0);
});
