/** `run cancel` of a run in every state: what it says, what it changes, and its exit code. */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hurried } from "../../support/clock.ts";
import { type Shell, shell } from "../../support/msg.ts";
import { fault, groupsOf } from "./in-doubt.ts";

const rows = "to\n01000000001\n01000000002\n";
const line = "send-many - --sandbox --from 0200000000 --text x --json";
const cancel = "run cancel last --sandbox --json";
const show = async (at: Shell) => (await at("run show last --sandbox --json")).json();
const groups = async (at: Shell): Promise<{ status: string }[]> =>
  JSON.parse((await at("group list --sandbox --json")).out);

test("not begun: nothing is asked of the service, and its rows are told", async () => {
  const at = shell();
  expect((await at(`${line} --max-recipients 1`, { stdin: rows })).code).toBe(7);
  const ran = await at(cancel);
  expect([ran.code, ran.json()]).toEqual([
    0,
    expect.objectContaining({ state: "cancelled", notSent: 2, accepted: 0 }),
  ]);
  expect(ran.err).toMatch(
    /^2 messages cancelled; their rows: msg run export \S+ --status not-sent$/m,
  );
  const resumed = await at("send-many --resume last --sandbox");
  expect([resumed.code, resumed.err]).toEqual([
    7,
    expect.stringMatching(/the run was cancelled: 2 not sent[\s\S]*list the rows: msg run export/),
  ]);
  expect(await groups(at)).toEqual([]);
});

test("a table shows all counts that add up to the total", async () => {
  const at = shell();
  await at(`${line} --max-recipients 1`, { stdin: rows });
  const { out } = await at("run cancel last --sandbox -o csv");
  const [names = "", values = ""] = out.split("\n");
  const counts = Object.fromEntries(names.split(",").map((it, i) => [it, values.split(",")[i]]));
  expect(counts).toMatchObject({
    total: "2",
    accepted: "0",
    refused: "0",
    skipped: "0",
    unknown: "0",
    notSent: "2",
  });
});

test("cancelled before: the same again, exit 0; its rows may be sent by another run", async () => {
  const at = shell();
  await at(`${line} --max-recipients 1`, { stdin: rows });
  const first = await at(cancel);
  const second = await at(cancel);
  expect([second.code, second.json(), second.err]).toEqual([
    0,
    expect.objectContaining({ state: "cancelled", notSent: 2 }),
    first.err,
  ]);
  expect((await at(line, { stdin: rows })).code).toBe(0);
});

test("finished: exit 10, and it is said that it was sent before", async () => {
  const at = shell();
  await at(line, { stdin: rows });
  const ran = await at(cancel);
  expect([ran.code, JSON.parse(ran.err).error]).toEqual([
    10,
    expect.objectContaining({
      code: "TooLate",
      message: "it was already sent, and cannot be cancelled; 2 accepted",
    }),
  ]);
  expect(ran.json()).toMatchObject({ state: "done", accepted: 2 });
  expect(await show(at)).toMatchObject({ state: "done", accepted: 2 });
});

test("finished, and every row was refused: exit 0, there is nothing to cancel", async () => {
  const at = shell();
  expect((await at(line.replace("0200000000", "0299999999"), { stdin: rows })).code).toBe(3);
  const ran = await at(cancel);
  expect([ran.code, ran.err]).toEqual([0, expect.stringContaining("there is nothing to cancel")]);
  expect(ran.json()).toMatchObject({ state: "done", refused: 2 });
});

test("another process works on it: exit 7, nothing is changed, and it is said what to do", async () => {
  const at = shell();
  const seen: unknown[] = [];
  const wait = async (): Promise<void> => {
    const ran = await at(cancel);
    seen.push([ran.code, JSON.parse(ran.err).error]);
  };
  await at(`${line} --direct --chunk 1 --rate 1`, { stdin: rows, wait });
  expect(seen[0]).toEqual([
    7,
    expect.objectContaining({
      code: "RunInUse",
      hint: expect.stringMatching(/^stop that one first \(Ctrl-C\), or wait until it ends/),
    }),
  ]);
  expect(await show(at)).toMatchObject({ state: "done", accepted: 2 });
});

test("cancelled when a part was sent: the same list does not go out again", async () => {
  const at = shell();
  const stop = new AbortController();
  const stopped = { stdin: rows, signal: stop.signal, wait: async () => stop.abort() };
  const words = `${line} --direct --chunk 1 --rate 1`;
  expect((await at(words, stopped)).code).toBe(130);
  expect((await at(cancel)).json()).toMatchObject({ state: "cancelled", accepted: 1, notSent: 1 });
  const again = await at(words, { stdin: rows });
  expect([again.code, again.err]).toEqual([7, expect.stringContaining("SentBefore")]);
});

test("scheduled: every group is taken off its schedule and deleted; -n only shows the requests", async () => {
  const at = shell();
  const later = new Date(Date.now() + 86_400_000).toISOString();
  expect((await at(`${line} --at ${later}`, { stdin: rows })).code).toBe(0);
  const rehearsed = await at(`${cancel} -n`);
  expect([rehearsed.code, rehearsed.json()]).toEqual([
    0,
    [
      expect.objectContaining({ path: expect.stringMatching(/\/G4V\w+\/schedule$/) }),
      { method: "DELETE", path: expect.stringMatching(/\/groups\/G4V\w+$/), body: null },
    ],
  ]);
  expect(await show(at)).toMatchObject({ state: "scheduled", accepted: 2 });
  const ran = await at(cancel);
  expect([ran.code, ran.err]).toEqual([
    0,
    expect.stringMatching(/^2 messages cancelled; their rows: /),
  ]);
  expect(await groups(at)).toMatchObject([{ status: "DELETED" }]);
});

test("one of its groups cannot be taken off the schedule: it is not called cancelled before that", async () => {
  const at = shell(hurried());
  const later = new Date(Date.now() + 86_400_000).toISOString();
  const words = `${line} --at ${later} --chunk 1 --group-size 1 --staged`;
  expect((await at(words, { stdin: rows })).code).toBe(0);
  const [{ groupId: last }] = await groupsOf(at);
  await fault(at, `DELETE /messages/v4/groups/${last}/schedule`, "drop-before");
  const ran = await at(`${cancel} --settle 5s`);
  expect(ran.code, ran.err).toBe(10);
  expect(await show(at)).toMatchObject({ state: "open", accepted: 1, notSent: 1 });
});

test("scheduled by someone else: what the run did not know is taken off and deleted as well", async () => {
  const at = shell(hurried());
  const later = new Date(Date.now() + 86_400_000).toISOString();
  const on = "POST /messages/v4/groups/*/schedule";
  await fault(at, on, "rate-limit");
  expect((await at(`${line} --at ${later}`, { stdin: rows })).code).toBe(10);
  await at("sandbox fault clear --sandbox");
  expect(await show(at)).toMatchObject({ state: "open", notSent: 2 });
  const [{ groupId }] = await groupsOf(at);
  expect((await at(`group schedule ${groupId} ${later} --sandbox --yes`)).code).toBe(0);
  const ran = await at(cancel);
  expect([ran.code, ran.json()], ran.err).toMatchObject([0, { state: "cancelled", notSent: 2 }]);
  expect(await groupsOf(at)).toMatchObject([{ status: "DELETED" }]);
});

test("what another machine scheduled is not called sent, and the advice takes it off its schedule", async () => {
  const at = shell();
  const later = new Date(Date.now() + 86_400_000).toISOString();
  const keyed = `${line} --at ${later} --once july`;
  expect((await at(keyed, { stdin: rows })).code).toBe(0);
  // This one knows nothing of the first run.
  rmSync(join(at.folder, "state/runs"), { recursive: true });
  expect((await at(keyed, { stdin: rows })).json()).toMatchObject({ state: "scheduled" });
  for (const time of ["first", "second"]) {
    const ran = await at(cancel);
    expect([ran.code, ran.json()]).toMatchObject([10, { state: "scheduled", accepted: 2 }]);
    const { message, hint } = JSON.parse(ran.err).error;
    expect(message).toContain("another run scheduled these rows");
    const [, command = ""] = /schedule: msg (.*)$/.exec(hint) ?? [];
    if (time === "second") expect((await at(command)).code).toBe(0);
  }
  expect(await groupsOf(at)).toMatchObject([{ status: "PENDING" }]);
});

test("-n of a run that has no group asks nothing and writes nothing down", async () => {
  const at = shell();
  await at(`${line} --max-recipients 1`, { stdin: rows });
  const ran = await at(`${cancel} -n`);
  expect([ran.code, ran.json(), ran.err]).toEqual([
    0,
    [],
    expect.stringContaining("no request would be made"),
  ]);
  const { run } = JSON.parse((await at("run show last --sandbox --json")).out);
  const journal = readFileSync(join(at.folder, "state/runs", run, "journal.log"), "utf8");
  expect([...journal.matchAll(/"t":"(\w+)"/g)].map(([, type]) => type)).toEqual(["RUN"]);
});

test("a call in doubt stays in doubt: exit 11, nothing more is sent, reconcile ends it", async () => {
  const at = shell();
  const doubtful = rows.replace("01000000001", "01000009999");
  await at(`${line} --direct --no-tag --settle 0`, { stdin: doubtful });
  const ran = await at(`${cancel} --settle 0`);
  expect([ran.code, JSON.parse(ran.err).error]).toEqual([
    11,
    expect.objectContaining({ outcome: "unknown", hint: expect.stringContaining("run reconcile") }),
  ]);
  const later = { now: () => new Date(Date.now() + 17 * 60_000) };
  await at("run reconcile last --sandbox --settle 0 --not-sent 1", later);
  expect(await show(at)).toMatchObject({ state: "cancelled", notSent: 2, unknown: 0 });
});

test("a call in doubt is not made again to cancel it, though it could be", async () => {
  const at = shell(hurried());
  const lost = ["--on", "POST /messages/v4/send-many", "--do", "drop-before", "--times", "1"];
  await at(["sandbox", "fault", "add", "--sandbox", ...lost]);
  expect((await at(`${line} --direct --settle 0`, { stdin: rows })).code).toBe(11);
  expect((await at(`${cancel} --settle 5s`)).code).toBe(11);
  expect((await at("message list --sandbox --json")).json()).toEqual([]);
});

test("a group in doubt that cannot be deleted: exit 11, and cancelling again settles it", async () => {
  const at = shell();
  const fault = (on: string, what: string) =>
    at(["sandbox", "fault", "add", "--sandbox", "--on", on, "--do", what]);
  await fault("POST /messages/v4/groups/*/send", "drop-before");
  await fault("DELETE /messages/v4/groups/*", "drop-before");
  expect((await at(`${line} --staged --settle 0`, { stdin: rows })).code).toBe(11);
  const ran = await at(`${cancel} --settle 0`);
  expect([ran.code, JSON.parse(ran.err).error.hint]).toEqual([
    11,
    expect.stringMatching(
      /^nothing more of it is sent; msg run cancel \S+ checks again; msg run reconcile /,
    ),
  ]);
  await at("sandbox fault clear --sandbox");
  expect((await at("send-many --resume last --sandbox")).code).toBe(7);
  expect(await show(at)).toMatchObject({ state: "cancelled", notSent: 2, unknown: 0 });
  expect(await groups(at)).toMatchObject([{ status: "DELETED" }]);
});

test("a group whose deletion is not answered is not cancelled: exit 10, and it is asked again", async () => {
  const at = shell({ ...hurried() });
  await at("sandbox fault add --sandbox --on 'POST /messages/v4/groups/*/send' --do rate-limit");
  expect((await at(`${line} --staged`, { stdin: rows })).code).toBe(10);
  await at("sandbox fault add --sandbox --on 'DELETE /messages/v4/groups/*' --do drop-before");
  const ran = await at(`${cancel} --settle 0`);
  expect([ran.code, ran.json()], ran.err).toEqual([
    10,
    expect.objectContaining({ state: "open", notSent: 2 }),
  ]);
  expect(ran.err).toContain("got no clear answer; nothing was sent (2 not sent)");
  expect(ran.err).not.toContain("do not run it again");
  await at("sandbox fault clear --sandbox");
  const again = await at(cancel);
  expect([again.code, again.json()]).toEqual([0, expect.objectContaining({ state: "cancelled" })]);
});
