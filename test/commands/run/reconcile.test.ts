/** `run reconcile`: evidence for what is in doubt, and the operator's word for what nothing proves. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { hurried, hurriedWorld } from "../../support/clock.ts";
import { meanwhile } from "../../support/money.ts";
import { shell } from "../../support/msg.ts";
import { callInDoubt, fault, groupsOf, reconcile, shown } from "./in-doubt.ts";

const minutes = (count: number) => () => new Date(Date.now() + count * 60_000);

test("without an answer it shows what the service holds, changes nothing and ends with 11", async () => {
  const at = await callInDoubt();
  const ran = await at(reconcile);
  expect(ran.code).toBe(11);
  const { error } = JSON.parse(ran.err);
  expect(error).toMatchObject({ code: "OutcomeUnknown", outcome: "unknown" });
  expect(error.details).toEqual([
    {
      code: "InDoubt",
      row: 1,
      field: "part 1",
      text: expect.stringMatching(
        /^2 messages, signed .*: group G4V\w+ of .*, 2 messages, 40 won$/,
      ),
    },
  ]);
  expect(error.hint).toMatch(/--accepted 1, or --not-sent 1 after \d{4}-/);
  expect(await shown(at)).toMatchObject({ state: "unknown", unknown: 2 });
});

test("--accepted takes the group that is shown: the run is done and adds up", async () => {
  const at = await callInDoubt();
  const ran = await at(`${reconcile} --accepted 1`);
  expect([ran.code, ran.json()]).toEqual([
    0,
    expect.objectContaining({ state: "done", accepted: 2, unknown: 0, cost: 40 }),
  ]);
  expect(await shown(at)).toMatchObject({ state: "done", total: 2, accepted: 2, unknown: 0 });
});

test("--accepted of a group that failed as a whole: none of its messages is called accepted", async () => {
  const at = shell();
  const line = "send-many - --sandbox --from 0200000000 --text x --no-tag --direct --settle 0";
  const stdin = "to\n01000009999\n01000000002\n";
  const lost = await at(line, { stdin, ...meanwhile(at, "--quota 1") });
  expect(lost.code, lost.err).toBe(11);
  const ran = await at(`${reconcile} --accepted 1`);
  expect([ran.code, ran.json()]).toMatchObject([0, { accepted: 0, refused: 2, unknown: 0 }]);
});

test("--accepted of a part whose group is not known: neither its cost nor what arrived is, to any command", async () => {
  const at = shell(hurried());
  await fault(at, "POST /messages/v4/send-many", "drop-before");
  const line = "send-many - --sandbox --from 0200000000 --text x --direct --settle 0";
  expect((await at(line, { stdin: "to\n01000000001\n01000000002\n" })).code).toBe(11);
  await at("sandbox fault clear --sandbox");
  const ran = await at(`${reconcile} --accepted 1`);
  expect([ran.code, ran.json()]).toMatchObject([0, { accepted: 2, groups: [], cost: null }]);
  const exported = async (status: string) =>
    (await at(`run export last --sandbox --status ${status} --json`)).json();
  expect(await exported("delivered,failed")).toEqual([]);
  expect(await exported("pending")).toMatchObject([{ status: "pending" }, { status: "pending" }]);
  const report = `run report last --sandbox --json --out ${join(at.folder, "r.html")}`;
  expect((await at(report)).json()).toMatchObject({ rows: 2, delivered: 0, failed: 0 });
  const watched = await at("run watch last --sandbox");
  expect(watched.code).toBe(8);
  expect(watched.err).toContain("what became of 2 messages is not known");
});

test("-n checks what would be said, and settles nothing", async () => {
  const at = await callInDoubt();
  const ran = await at(`${reconcile} --accepted 1 -n`);
  expect([ran.code, ran.err]).toEqual([
    0,
    "dry run: these answers are valid; nothing was recorded\n",
  ]);
  const [unsaid, unknown] = [await at(`${reconcile} -n`), await at(`${reconcile} --accepted 2 -n`)];
  expect([unsaid.code, unknown.code]).toEqual([11, 2]);
  expect(await shown(at)).toMatchObject({ state: "unknown", accepted: 0, unknown: 2 });
});

test("its help names the exit codes of what stays in doubt", async () => {
  const { out } = await shell()("run reconcile --help");
  expect(out).toContain("7 stopped");
  expect(out).toContain("11 outcome unknown");
});

test("a group that a part cannot be is answered with those that it could be", async () => {
  const at = await callInDoubt();
  const ran = await at(`${reconcile} --accepted 1=G4V`);
  const { error } = JSON.parse(ran.err);
  expect([ran.code, error.hint]).toEqual([2, expect.stringMatching(/--accepted 1=G4V\w{5}/)]);
  expect(error.details[0].text).toMatch(/group G4V\w+ of .*, 2 messages, 40 won$/);
});

test("--not-sent is taken only when no copy can arrive any more; then --resume sends the rows", async () => {
  const at = await callInDoubt();
  const early = await at(`${reconcile} --not-sent 1`);
  expect([early.code, JSON.parse(early.err).error.code]).toEqual([7, "TooEarly"]);
  const both = await at(`${reconcile} --accepted 1 --not-sent 1`, { now: minutes(17) });
  expect([both.code, both.err]).toEqual([2, expect.stringContaining("one part is named twice")]);
  const ran = await at(`${reconcile} --not-sent 1`, { now: minutes(17) });
  expect([ran.code, ran.json()]).toEqual([0, expect.objectContaining({ notSent: 2, unknown: 0 })]);
  expect(await shown(at)).toMatchObject({ state: "open", notSent: 2, unknown: 0 });
});

test("where the service cannot be asked, the outcome stays unknown: it is not called not sent", async () => {
  const at = await callInDoubt();
  await fault(at, "GET *", "status:503");
  for (const words of [reconcile, `${reconcile} --dry-run`]) {
    const ran = await at(words);
    const { error } = JSON.parse(ran.err.trim().split("\n").at(-1) ?? "");
    expect([ran.code, error.outcome]).toEqual([11, "unknown"]);
    expect(error.message).toMatch(/^2 messages remain unclear: .*503/);
  }
});

test("where messages cannot be listed after the time is over, it ends, and the outcome stays unknown", async () => {
  const at = shell(hurried());
  await fault(at, "POST /messages/v4/send-many", "drop-before");
  const line = "send-many - --sandbox --from 0200000000 --text x --direct --settle 0";
  expect((await at(line, { stdin: "to\n01000000001\n" })).code).toBe(11);
  await fault(at, "GET /messages/v4/list", "status:503");
  const ran = await at("send-many --resume last --sandbox --settle 0", { now: minutes(23) });
  expect(ran.code, ran.err).toBe(11);
  const reconciled = await at(reconcile, { now: minutes(23) });
  expect(reconciled.code, reconciled.err).toBe(11);
});

test("a run with --direct that cannot learn the time says what it has sent, and sends nothing", async () => {
  const at = shell(hurried());
  const rows = "to\n01000000001\n01000009999\n01000000003\n";
  const line = "send-many - --sandbox --text x --from 0200000000 --direct --chunk 1 --json";
  const first = await at(`${line} --concurrency 1 --settle 0 --no-tag`, { stdin: rows });
  expect([first.code, first.json()]).toMatchObject([11, { accepted: 1, unknown: 1, notSent: 1 }]);
  await fault(at, "GET /cash/v1/balance", "status:503");
  const resumed = await at("send-many --resume last --sandbox --json --settle 0");
  const { error } = JSON.parse(resumed.err.trim().split("\n").at(-1) ?? "");
  expect([resumed.code, error.outcome]).toEqual([11, "unknown"]);
  expect(await shown(at)).toMatchObject({ accepted: 1, unknown: 1, notSent: 1 });
});

test("a clock that was years ahead and is right now does not keep a person from saying it", async () => {
  const at = shell();
  const years = 4 * 365 * 24 * 60;
  const wrong = minutes(years);
  await at(`sandbox clock skew -${years}m --sandbox`, { now: wrong });
  await fault(at, "POST /messages/v4/send-many", "drop-before");
  const line = "send-many - --sandbox --text x --from 0200000000 --direct --settle 0 --json";
  expect((await at(line, { stdin: "to\n01000000001\n", now: wrong })).code).toBe(11);
  await at("sandbox clock skew 0s --sandbox");
  const early = await at(`${reconcile} --not-sent 1`);
  expect([early.code, early.err]).toEqual([7, expect.stringContaining("TooEarly")]);
  const ran = await at(`${reconcile} --not-sent 1`, { now: minutes(22) });
  expect([ran.code, ran.json()]).toEqual([0, expect.objectContaining({ notSent: 1, unknown: 0 })]);
  await at("sandbox fault clear --sandbox");
  const resumed = await at("send-many --resume last --sandbox --json", { now: minutes(23) });
  expect([resumed.code, resumed.json()]).toMatchObject([0, { accepted: 1, state: "done" }]);
});

test("a group that holds other rows of the run is none that a part could be", async () => {
  const at = shell();
  // With clocks that differ so much there is no fence: what is in doubt is looked for only.
  await at("sandbox clock skew 6m --sandbox");
  await fault(at, "POST /messages/v4/send-many", "drop-before", "--times", "1");
  const line = "send-many - --sandbox --from 0200000000 --text x --direct --chunk 1 --dedupe off";
  const stdin = "to\n01000000001\n01000000001\n";
  expect((await at(`${line} --settle 0`, { stdin })).code).toBe(11);
  expect(await shown(at)).toMatchObject({ accepted: 1, unknown: 1 });
  const [{ groupId }] = await groupsOf(at);
  const { code, err } = await at(reconcile);
  const said = err.split("\n").find((it) => it.startsWith("{")) ?? "";
  expect([code, JSON.parse(said).error.details]).toEqual([
    11,
    [
      expect.objectContaining({
        text: expect.stringMatching(/: the service shows no group that it could be$/),
      }),
    ],
  ]);
  const other = await at(`${reconcile} --accepted 1=${groupId}`);
  expect([other.code, other.err]).toEqual([2, expect.stringContaining("cannot be part 1")]);
});

test("a group of somebody else that is open, or deleted, was not sent: no part is accepted because of it", async () => {
  const at = shell();
  await fault(at, "POST /messages/v4/send-many", "drop-before", "--times", "1");
  const stdin = "to\n01000000001\n01000000002\n";
  const line = "send-many - --sandbox --text x --from 0200000000 --no-tag --direct --settle 0";
  expect((await at(line, { stdin })).code).toBe(11);
  const { groupId } = JSON.parse((await at("group create --sandbox --json")).out);
  await at(`group add ${groupId} - --sandbox --from 0200000000 --text y`, { stdin });
  for (const step of ["get", "delete"] as const) {
    expect((await at(`group ${step} ${groupId} --sandbox -y`)).code).toBe(0);
    const ran = await at(`${reconcile} --accepted 1=${groupId}`);
    expect([ran.code, ran.err]).toEqual([2, expect.stringContaining("cannot be part 1")]);
  }
  expect(await shown(at)).toMatchObject({ unknown: 2, accepted: 0 });
});

test("a group of another run is none that a part without a tag could be", async () => {
  const at = shell();
  await fault(at, "POST /messages/v4/send-many", "drop-before", "--times", "1");
  const line = "send-many - --sandbox --text x --from 0200000000 --no-tag --direct --settle 0";
  expect((await at(line, { stdin: "to\n01000000001\n" })).code).toBe(11);
  const send = "send --to 01000000001 --from 0200000000 --text x --sandbox --json";
  const { groupId } = JSON.parse((await at(send)).out);
  const ran = await at(`${reconcile} --accepted 1=${groupId}`);
  expect([ran.code, ran.err]).toEqual([2, expect.stringContaining("cannot be part 1")]);
});

test("two parts that are alike, of which one arrived: its group is taken for one of them, and for no other", async () => {
  const at = shell(hurriedWorld());
  // No fence, so that both stay in doubt.
  await at("sandbox clock skew 6m --sandbox");
  for (const lost of ["drop-after", "drop-before"])
    await fault(at, "POST /messages/v4/send-many", lost, "--times", "1");
  const words = "send-many - --sandbox --text x --from 0200000000 --no-tag --direct --chunk 1";
  const stdin = "to\n01000000001\n01000000001\n";
  expect((await at(`${words} --dedupe off --settle 0`, { stdin })).code).toBe(11);
  const [{ groupId }] = await groupsOf(at);
  const both = await at(`${reconcile} --accepted 1 --accepted 2`);
  expect([both.code, both.err]).toEqual([2, expect.stringContaining("cannot be two parts")]);
  const twice = await at(reconcile, { tty: 100, answers: [groupId, groupId] });
  expect(twice.err).toContain(`${groupId} is not offered: What became of part 2?`);
  const asked = await at(reconcile, { tty: 100, answers: [groupId, "leave"] });
  expect(asked.code, asked.err).toBe(11);
  const other = await at(`${reconcile} --accepted 2=${groupId}`);
  expect([other.code, other.err]).toEqual([2, expect.stringContaining("cannot be part 2")]);
  expect(await shown(at)).toMatchObject({ accepted: 1, unknown: 1 });
  expect((await at(`${reconcile} --accepted 2`)).json()).toMatchObject({ accepted: 2, cost: null });
  // What the group of one part cost is not the cost of both.
  const watched = await at("run watch last --sandbox --json");
  const records = watched.out
    .trimEnd()
    .split("\n")
    .map((it) => JSON.parse(it));
  expect([watched.code, records.at(-1)]).toMatchObject([8, { cost: null }]);
});

test("rows that are fed back without a mark do not carry that of the run they come from", async () => {
  const at = shell();
  await fault(at, "POST /messages/v4/send-many", "drop-before", "--times", "1");
  const line = "send-many - --sandbox --text x --from 0200000000";
  expect((await at(`${line} --direct --settle 0`, { stdin: "to\n01000000001\n" })).code).toBe(11);
  const { run } = JSON.parse((await at("run show last --sandbox --json")).out);
  const customFields = { "msg.run": run, "msg.row": "1", order: "7" };
  const fed = JSON.stringify([{ to: "01000000001", text: "y", customFields }]);
  expect((await at(`${line} --no-tag`, { stdin: fed })).code).toBe(0);
  const [message] = JSON.parse((await at("message list --sandbox --json")).out);
  expect(message.customFields).toEqual({ order: "7" });
  const ran = await at(`run reconcile ${run} --sandbox --settle 0 --json`);
  expect([ran.code, ran.json()]).toMatchObject([11, { accepted: 0, unknown: 1 }]);
});

/** This machine's clock, and how far the service's is ahead of it. */
const clocks: readonly (readonly [string, number, string, boolean])[] = [
  ["is fast: by the service's a copy may still arrive", 24, "-14m", false],
  ["is fast, and the time is over by the service's too", 32, "-14m", true],
  ["is slow: by it a copy may still arrive, whatever time the answers tell", 6, "14m", false],
  ["is slow, and the time is over by both", 17, "14m", true],
  ["is slow: by neither the time is over", 1, "14m", false],
];
test.each(clocks)("this machine's clock %s", async (_, ahead, skew, isOver) => {
  const at = await callInDoubt();
  await at(["sandbox", "clock", "skew", skew, "--sandbox"]);
  const now = minutes(ahead);
  const asked = await at(reconcile, { tty: 100, answers: ["leave"], now });
  expect(asked.err.includes("a copy of it may still arrive")).toBe(!isOver);
  const told = await at(`${reconcile} --not-sent 1`, { now });
  expect(told.code, told.err).toBe(isOver ? 0 : 7);
  expect(await shown(at)).toMatchObject(
    isOver ? { notSent: 2, unknown: 0 } : { notSent: 0, unknown: 2 },
  );
});

test("a person is asked for each part; leaving it open changes nothing", async () => {
  const at = await callInDoubt();
  const open = await at(reconcile, { tty: 100, answers: ["leave"] });
  expect([open.code, open.questions]).toEqual([11, ["What became of part 1?"]]);
  const [{ groupId }] = await groupsOf(at);
  const settled = await at(reconcile, { tty: 100, answers: [groupId] });
  expect([settled.code, settled.json()]).toEqual([0, expect.objectContaining({ accepted: 2 })]);
});

const wrong: readonly (readonly [string, string])[] = [
  ["--accepted 2", "outcome unknown: 1"],
  ["--accepted 1=G4V0", "cannot be part 1"],
  ["--accepted 1 --not-sent x", "has no unknown outcome"],
];
test.each(wrong)("%s is refused, and nothing is settled", async (flags, words) => {
  const at = await callInDoubt();
  const ran = await at(`${reconcile} ${flags}`);
  expect([ran.code, ran.err]).toEqual([2, expect.stringContaining(words)]);
  expect(await shown(at)).toMatchObject({ unknown: 2 });
});

test("a run that was never begun, or is over, has nothing to settle: shown as it is", async () => {
  const at = shell();
  const line = "send-many - --sandbox --from 0200000000 --text x --max-recipients 1";
  await at(line, { stdin: "to\n01000009999\n01000000002\n" });
  const planned = await at(reconcile);
  expect([planned.code, planned.json()]).toEqual([
    0,
    expect.objectContaining({ state: "planned" }),
  ]);
  expect(planned.err).toMatch(/^nothing is unclear; nothing was sent: msg send-many --resume/m);
  await at("send-many --resume last --max-recipients 2 --sandbox --settle 5s");
  expect((await at(reconcile)).json()).toMatchObject({ state: "done", accepted: 2 });
});

test("the account that is asked must be the run's own: exit 2, nothing is taken as not sent", async () => {
  const at = await callInDoubt();
  const other = await at("run reconcile last -p sandbox:unverified --json");
  expect(other.code).toBe(6);
  const run = JSON.parse((await at("run show last --sandbox --json")).out).run;
  const named = await at(`run reconcile ${run} -p sandbox:unverified --json`);
  expect([named.code, JSON.parse(named.err).error.code]).toEqual([2, "OtherProfile"]);
});

test("another msg settles a part while a person thinks: what the person says then settles nothing, exit 7", async () => {
  const at = await callInDoubt();
  const now = minutes(17);
  const paste = async (): Promise<string> => {
    expect((await at(`${reconcile} --accepted 1`, { now })).code).toBe(0);
    return "not sent";
  };
  const { code, err } = await at(reconcile, { tty: 100, now, paste });
  expect([code, err], err).toEqual([7, expect.stringContaining("RunChanged")]);
  expect(await shown(at)).toMatchObject({ state: "done", accepted: 2, notSent: 0, unknown: 0 });
});

test("what was called accepted without a group cannot be cancelled, and no hint has a gap", async () => {
  const at = shell();
  await fault(at, "POST /messages/v4/send-many", "drop-before");
  const line = "send-many - --sandbox --from 0200000000 --text x --no-tag --direct --settle 0";
  expect((await at(line, { stdin: "to\n01000000001\n" })).code).toBe(11);
  await at(`${reconcile} --accepted 1`);
  const ran = await at("run cancel last --sandbox");
  expect([ran.code, ran.err]).toEqual([
    10,
    expect.stringContaining("see what became of it: msg --sandbox message list"),
  ]);
});
