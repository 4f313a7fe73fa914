/** Messages of `send --once` among the runs: listed, named by their key, settled, cancelled, purged. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Shell, shell } from "../../support/msg.ts";
import { fault } from "./in-doubt.ts";

const send = "send --sandbox --to 01000000001 --from 0200000000 --text x --once order-1 --json";
/** The answer to this recipient is lost; without the mark nothing proves what became of it. */
const doubtful = `${send.replace("01000000001", "01000009999")} --no-tag --settle 0`;
const show = async (at: Shell) => at("run show order-1 --sandbox --json");
const groups = async (at: Shell) => (await at("group list --sandbox --json")).json();

/** Planned and not sent: the account has no money. */
const unsent = async (): Promise<Shell> => {
  const at = shell();
  await at("sandbox set --sandbox --balance 0 --point 0");
  expect((await at(send)).code).toBe(10);
  return at;
};

test("run list tells it from the runs of send-many by its source; last stays one of send-many", async () => {
  const at = shell();
  await at("send-many - --sandbox --from 0200000000 --text x", { stdin: "to\n01000000002\n" });
  await at(send);
  expect((await at("run list --json")).json()).toMatchObject([
    { source: "send --once order-1", state: "done", total: 1, accepted: 1, cost: 20 },
    { source: "standard input", state: "done" },
  ]);
  expect((await at("run show last --sandbox --json")).json()).toMatchObject({
    source: "standard input",
  });
});

test("what is left of a run whose run.json is gone is no answer to another message: exit 11, nothing is sent", async () => {
  const at = shell();
  await at(send);
  const [{ run }] = JSON.parse((await at("run list --json")).out);
  rmSync(join(at.folder, "state/runs", run, "run.json"));
  const other = await at(send.replace("--text x", "--text y"));
  expect([other.code, other.out]).toEqual([11, ""]);
  expect(await groups(at)).toHaveLength(1);
});

test("run show and export take its key or its id; the key of another profile is unknown", async () => {
  const at = shell();
  await at(send);
  await at("run watch last --sandbox");
  const shown = (await show(at)).json();
  expect(shown).toMatchObject({ state: "done", accepted: 1, source: "send --once order-1" });
  const [{ run }] = JSON.parse((await at("run list --json")).out);
  const byId = (await at(`run show ${run} --json`)).json();
  expect(byId).toEqual({ ...Object(shown), dateRead: expect.any(String) });
  expect((await at("run show order-1 --json")).code).toBe(6);
  expect((await at("run export order-1 --sandbox --json")).json()).toEqual([
    expect.objectContaining({ to: "01000000001", from: "0200000000", text: "x" }),
  ]);
});

test("one that was not sent says which command sends it; a run is no way to go on with it", async () => {
  const at = await unsent();
  const shown = await show(at);
  expect(shown.json()).toMatchObject({ state: "open", accepted: 0, notSent: 1 });
  expect(shown.err).toContain("not sent: the same msg --sandbox send --once order-1 sends it");
  const resumed = await at("send-many --resume order-1 --sandbox");
  expect([resumed.code, resumed.err]).toEqual([2, expect.stringContaining("repeat that command")]);
  expect((await at("run export order-1 --sandbox --status not-sent --json")).json()).toHaveLength(
    1,
  );
});

test("one that was cancelled is never sent with its key: exit 7", async () => {
  const at = await unsent();
  const ended = await at("run cancel order-1 --sandbox --json");
  expect([ended.code, ended.json()]).toEqual([
    0,
    expect.objectContaining({ state: "cancelled", notSent: 1 }),
  ]);
  await at("sandbox set --sandbox --balance 1000");
  const before = await groups(at);
  const again = await at(send);
  expect([again.code, JSON.parse(again.err).error.code]).toEqual([7, "Cancelled"]);
  expect(await groups(at)).toEqual(before);
});

test("one in doubt names the command that settles it; the operator's word counts for its key", async () => {
  const at = shell();
  const sent = await at(doubtful);
  expect([sent.code, sent.err]).toEqual([
    11,
    expect.stringContaining("msg --sandbox run reconcile order-1"),
  ]);
  expect((await show(at)).err).toContain(
    "outcome unknown: the same msg --sandbox send --once order-1 checks it",
  );
  const looked = await at("run reconcile order-1 --sandbox --settle 0 --json");
  expect(looked.code).toBe(11);
  expect(JSON.parse(looked.err).error.details).toMatchObject([
    { field: "part 1", text: expect.stringMatching(/group G4V\w+ of .*, 1 message, 20 won$/) },
  ]);
  expect(JSON.parse(looked.err).error.hint).toContain(
    "msg --sandbox run reconcile order-1 --accepted 1",
  );
  const settled = await at("run reconcile order-1 --sandbox --settle 0 --accepted 1 --json");
  expect([settled.code, settled.json()]).toEqual([
    0,
    expect.objectContaining({ state: "done", accepted: 1 }),
  ]);
  const again = await at(doubtful);
  expect([again.code, again.json()]).toEqual([0, expect.objectContaining({ to: "01000009999" })]);
  expect(await groups(at)).toHaveLength(1);
});

test("of one that was accepted in a group that nobody knows, the same key shows the message itself", async () => {
  const at = shell();
  expect((await at(doubtful)).code).toBe(11);
  // The service's time runs on by seven months: it keeps no message that long.
  await at("sandbox clock advance 210d --sandbox");
  const settled = await at("run reconcile order-1 --sandbox --settle 0 --accepted 1 --json");
  expect([settled.code, settled.err]).toEqual([0, expect.stringMatching(/^nothing is unclear$/m)]);
  const again = await at(doubtful);
  expect([again.code, again.json()]).toEqual([0, expect.objectContaining({ to: "01000009999" })]);
});

test("of a group in doubt it is the same command that sends it once, not --resume", async () => {
  const at = shell();
  await fault(at, "POST /messages/v4/groups/*/send", "drop-before");
  expect((await at(`${send} --settle 0`)).code).toBe(11);
  // That its group cannot be read says nothing of its send.
  await fault(at, "GET /messages/v4/groups/*", "status:403", "--times", "2");
  expect((await at(`${send} --settle 0`)).code).toBe(11);
  await at("sandbox fault clear --sandbox");
  const said = await at("run reconcile order-1 --sandbox --settle 0 --not-sent 1 --json");
  expect([said.code, said.err]).toEqual([2, expect.stringContaining("the same msg")]);
  expect(said.err).not.toContain("--resume");
  const paste = async (): Promise<string> => "leave";
  const asked = await at("run reconcile order-1 --sandbox --settle 0", { tty: 100, paste });
  expect(asked.err).not.toContain("--resume");
});

test("run purge removes it when it is over, and says where its key is looked for then", async () => {
  const at = shell();
  await at(doubtful);
  const kept = await at("run purge --older 0 --json");
  expect([kept.json(), kept.err]).toEqual([[], expect.stringContaining("1 unfinished, and kept")]);
  await at("run reconcile order-1 --sandbox --settle 0 --accepted 1");
  const gone = await at("run purge --older 0 --json");
  expect(gone.json()).toMatchObject([{ source: "send --once order-1" }]);
  expect(gone.err).toContain("their keys are now looked up at the service");
  expect((await show(at)).code).toBe(6);
});

test("what stands in the way of a send keeps nobody from seeing what was sent: exit 0, the same message", async () => {
  const at = shell();
  const ad = send.replace("--text x", "--text '(광고) 세일 무료수신거부 0801234567' --ad");
  await at("sandbox clock set 2027-01-05T10:00:00+09:00 --sandbox");
  const first = await at(ad);
  expect(first.code, first.err).toBe(0);
  const dear = await at(`${ad} --max-cost 1`);
  expect([dear.code, dear.out], dear.err).toEqual([0, first.out]);
  await at("sandbox clock set 2027-01-05T22:00:00+09:00 --sandbox");
  const night = await at(ad);
  expect([night.code, night.out], night.err).toEqual([0, first.out]);
  const other = ad.replace("order-1", "order-2");
  expect((await at(other)).code).toBe(7);
  expect(await groups(at)).toHaveLength(1);
});

test("no other message goes out by a key that sent one, nor is it called sent: exit 2", async () => {
  const at = shell();
  expect((await at(send)).code).toBe(0);
  const other = await at(send.replace("--text x", "--text y"));
  expect([other.code, other.out]).toEqual([2, ""]);
  expect(JSON.parse(other.err).error.code).toBe("OtherContent");
  expect(await groups(at)).toHaveLength(1);
});

test("a message that the service refused leaves its key to the one that puts it right", async () => {
  const at = shell();
  const refused = send.replace("0200000000", "0299999999");
  for (const _ of [1, 2]) expect((await at(refused)).code).toBe(10);
  expect((await at(send)).code).toBe(0);
});

test("a guard that stops the first send leaves its key to another message", async () => {
  const at = shell();
  expect((await at(`${send} --max-cost 1`)).code).toBe(7);
  expect((await at("run list --json")).json()).toEqual([]);
  expect((await at(send.replace("--text x", "--text y"))).code).toBe(0);
});
