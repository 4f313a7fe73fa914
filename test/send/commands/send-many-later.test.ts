/** `send-many --at`: groups that are filled now and wait at the service until their hour. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hurriedWorld } from "../../support/clock.ts";
import { type Shell, shell } from "../../support/msg.ts";

const rows = "to\n01000000001\n01000000002\n01000000003\n";
const line = "send-many - --sandbox --from 0200000000 --text x --json --at".split(" ");
const evening = "2026-01-05 19:00";

/** The sandbox at 18:00 in Seoul on 2026-01-05. */
const atSix = async (): Promise<Shell> => {
  const at = shell(hurriedWorld());
  await at("sandbox reset --seed 1");
  return at;
};

const posts = async (at: Shell, end: string): Promise<number> => {
  const { out } = await at("sandbox requests --sandbox -o tsv --fields method,path --all");
  return out.split("\n").filter((it) => it.startsWith("POST") && it.endsWith(end)).length;
};

test("every group is filled, then scheduled, and goes out at its hour; the run keeps the date", async () => {
  const at = await atSix();
  const ran = await at([...line, evening, "--chunk", "1", "--group-size", "2"], { stdin: rows });
  expect(ran.err).toBe("");
  expect(ran.json()).toMatchObject({ state: "scheduled", path: "G", accepted: 3, unknown: 0 });
  expect([await posts(at, "/schedule"), await posts(at, "/send")]).toEqual([2, 0]);
  const groups = (await at("group list --sandbox --json")).json();
  expect(groups).toMatchObject([{ status: "SCHEDULED" }, { status: "SCHEDULED" }]);
  const folder = join(at.folder, "state/runs");
  const [run = ""] = readdirSync(folder).filter((it) => /^\d/.test(it));
  expect(JSON.parse(readFileSync(join(folder, run, "run.json"), "utf8"))).toMatchObject({
    scheduledDate: "2026-01-05T10:00:00.000Z",
  });
  expect((await at("sandbox inbox list")).out).toBe("");
  await at("sandbox clock advance 2h");
  expect((await at("sandbox inbox list")).out.trim().split("\n")).toHaveLength(3);
  // What cannot be read is not said to wait for its hour.
  await at('sandbox fault add --on "GET /messages/v4/groups/*" --do status:403 --times 1');
  expect((await at("send-many --resume last --sandbox --settle 0")).code).toBe(5);
  expect((await at("send-many --resume last --sandbox --json")).json()).toMatchObject({
    state: "done",
  });
  expect(await posts(at, "/schedule")).toBe(2);
});

test("a schedule without an answer is made again: 409 ScheduledGroup says that it was made", async () => {
  const at = await atSix();
  await at(
    `sandbox fault add --on "POST /messages/v4/groups/*/schedule" --do drop-after --times 1`,
  );
  const ran = await at([...line, evening], { stdin: rows });
  expect([ran.code, ran.json()]).toEqual([
    0,
    expect.objectContaining({ state: "scheduled", accepted: 3, unknown: 0 }),
  ]);
  expect(await posts(at, "/schedule")).toBe(2);
  await at("sandbox clock advance 2h");
  expect((await at("sandbox inbox list")).out.trim().split("\n")).toHaveLength(3);
});

const wrong: readonly (readonly [string, readonly string[], string])[] = [
  ["a past hour", ["2026-01-05 17:59"], "SchedulePast"],
  ["more than six months ahead", ["2026-07-06"], "ScheduleTooFar"],
  ["no date", ["soon"], "InvalidValue"],
  ["--direct beside it", [evening, "--direct"], "InvalidUsage"],
  ["--wait beside it", [evening, "--wait"], "InvalidUsage"],
];
test.each(wrong)("%s is exit 2; nothing is made", async (_, flags, code) => {
  const at = await atSix();
  const ran = await at([...line, ...flags], { stdin: rows });
  expect([ran.code, JSON.parse(ran.err).error.code]).toEqual([2, code]);
  expect((await at("run list --json")).json()).toEqual([]);
  expect((await at("group list --sandbox --json")).json()).toEqual([]);
});

test("a run whose hour is over is not sent late: exit 2, and its rows can be had", async () => {
  const at = await atSix();
  await at([...line, evening, "--max-cost", "10"], { stdin: rows });
  await at("sandbox clock advance 2h");
  const resumed = await at("send-many --resume last --sandbox --json");
  expect([resumed.code, JSON.parse(resumed.err).error.code]).toEqual([2, "SchedulePast"]);
  expect(await posts(at, "/schedule")).toBe(0);
  const rest = await at("run export last --sandbox --status not-sent -o jsonl");
  expect(rest.out.trim().split("\n")).toHaveLength(3);
});

const statuses = async (at: Shell): Promise<string> =>
  (await at("group list --sandbox -o tsv --fields status --no-header")).out.trim();

test("run show tells when a run goes out and what it will cost; reconcile tells that it has gone out", async () => {
  const at = await atSix();
  await at([...line, evening, "--chunk", "1", "--group-size", "2"], { stdin: rows });
  const before = { state: "scheduled", scheduledDate: "2026-01-05T10:00:00.000Z", cost: 60 };
  expect((await at("run show last --sandbox --json")).json()).toMatchObject(before);
  expect((await at("run reconcile last --sandbox --json")).json()).toMatchObject({
    state: "scheduled",
    accepted: 3,
  });
  await at("sandbox clock advance 2h");
  const after = { state: "done", accepted: 3, unknown: 0, cost: 60 };
  const told = await at("run reconcile last --sandbox --json");
  expect([told.code, told.json()]).toEqual([0, expect.objectContaining(after)]);
  expect((await at("run show last --sandbox --json")).json()).toMatchObject(after);
});

test("run cancel takes every group off its schedule and deletes it: nothing goes out at the hour", async () => {
  const at = await atSix();
  await at([...line, evening, "--chunk", "1", "--group-size", "2"], { stdin: rows });
  const cancelled = await at("run cancel last --sandbox --json --yes");
  expect([cancelled.code, cancelled.json()]).toEqual([
    0,
    expect.objectContaining({ state: "cancelled", accepted: 0, notSent: 3, unknown: 0, cost: 0 }),
  ]);
  expect(await statuses(at)).toBe("DELETED\nDELETED");
  await at("sandbox clock advance 2h");
  expect((await at("sandbox inbox list")).out).toBe("");
  const again = await at("run cancel last --sandbox --json --yes");
  expect([again.code, again.json()]).toEqual([0, expect.objectContaining({ state: "cancelled" })]);
});

test.each(["drop-before", "drop-after"])(
  "run cancel over a line that loses answers (%s) cancels all the same",
  async (harm) => {
    const at = await atSix();
    await at([...line, evening], { stdin: rows });
    await at(`sandbox fault add --on "DELETE /messages/v4/*" --do ${harm} --times 3`);
    const cancelled = await at("run cancel last --sandbox --json --yes");
    expect([cancelled.code, cancelled.json()]).toEqual([
      0,
      expect.objectContaining({ state: "cancelled", notSent: 3, unknown: 0 }),
    ]);
    await at("sandbox clock advance 2h");
    expect((await at("sandbox inbox list")).out).toBe("");
  },
);

test("P14 run cancel behind the hour comes too late, and says what was sent", async () => {
  const at = await atSix();
  await at([...line, evening], { stdin: rows });
  await at("sandbox clock advance 2h");
  const late = await at("run cancel last --sandbox --json --yes");
  expect([late.code, JSON.parse(late.err).error.code]).toEqual([10, "TooLate"]);
  expect(late.json()).toMatchObject({ state: "done", accepted: 3, notSent: 0, unknown: 0 });
  expect((await at("sandbox inbox list")).out.trim().split("\n")).toHaveLength(3);
});

test("a run that waits for its hour is not purged, however old it is: it can be cancelled", async () => {
  const at = shell();
  const now = (): Date => new Date("2026-01-05T09:05:00Z");
  await at("sandbox reset --seed 1", { now });
  const ran = await at([...line, evening], { stdin: rows, now });
  expect(ran.code, ran.err).toBe(0);
  const purge = (time: string) => at("run purge --older 0 --json", { now: () => new Date(time) });
  expect((await purge("2026-01-05T09:55:00Z")).json()).toEqual([]);
  expect((await purge("2026-01-05T10:05:00Z")).json()).toMatchObject([{ state: "scheduled" }]);
});

test("under a key whose group someone took off its schedule, or deleted, nothing is called scheduled", async () => {
  const at = await atSix();
  const keyed = [...line, evening, "--once", "july"];
  expect((await at(keyed, { stdin: rows })).code).toBe(0);
  const again = await at(keyed, { stdin: rows });
  expect([again.code, again.err]).toEqual([0, expect.stringMatching(/^already scheduled for /)]);
  const [{ groupId }] = JSON.parse((await at("group list --sandbox --json")).out);
  await at(`group unschedule ${groupId} --sandbox`);
  const off = await at(keyed, { stdin: rows });
  expect(off.code).toBe(7);
  expect(off.err).not.toContain("already scheduled");
  expect(off.err).toContain("someone else took groups of this run off the schedule");
  await at(`group delete ${groupId} --sandbox`);
  for (const _ of ["first", "second"]) {
    const gone = await at(keyed, { stdin: rows });
    expect([gone.code, gone.json()]).toMatchObject([10, { accepted: 0, notSent: 3 }]);
    expect(gone.err).not.toContain("already scheduled");
  }
});

test("rows of a group that could not be paid at its hour are not called accepted before it was looked at", async () => {
  const at = await atSix();
  expect((await at([...line, evening], { stdin: rows })).code).toBe(0);
  await at("sandbox set --balance 0 --point 0");
  const exported = () => at("run export last --sandbox -o tsv --fields to,status,code");
  expect((await exported()).out).toContain("01000000001\taccepted\t\n");
  await at("sandbox clock advance 2h");
  expect((await exported()).out).toContain("01000000001\trefused\t1030\n");
  const retry = await at("send-many --retry-refused last --sandbox -n");
  expect([retry.code, retry.err]).toMatchObject([
    2,
    expect.stringMatching(/scheduled time has passed: msg run reconcile \S+ checks/),
  ]);
  const rest = await at("run reconcile last --sandbox --json");
  expect(rest.json(), rest.err).toMatchObject({ accepted: 0, refused: 3 });
});

test("rows of a group that could not be paid at its hour are sent again without a word before", async () => {
  const at = await atSix();
  expect((await at([...line, evening], { stdin: rows })).code).toBe(0);
  await at("sandbox set --balance 0 --point 0");
  await at("sandbox clock advance 2h");
  const waited = await at("send-many --resume last --sandbox --wait --json");
  expect([waited.code, waited.json()]).toMatchObject([3, { refused: 3 }]);
  expect(waited.err).toContain("msg send-many --retry-refused ");
  await at("sandbox set --balance 1000");
  const failed = await at("send-many --retry-failed last --sandbox --json");
  expect(failed.code).toBe(2);
  const [, retry = ""] = /rows: msg (.*?)"/.exec(failed.err) ?? [];
  const ran = await at(`${retry} --json`);
  expect([ran.code, ran.json()], ran.err).toMatchObject([0, { total: 3, accepted: 3 }]);
});
