/** Rows that the service refused: exported with their codes, fed back, or sent anew. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { testClock } from "../../support/clock.ts";
import { type Shell, shell } from "../../support/msg.ts";

const rows =
  "to,from,text\n01000000001,0200000000,a\n01000000002,0299999999,b\n01000000003,0200000000,c\n";
const refusedRow = { to: "01000000002", from: "0299999999", text: "b", code: "1062" };

/** The second row was refused: its sender is not registered. */
const afterRun = async (...flags: readonly string[]): Promise<Shell> => {
  const at = shell();
  const ran = await at(["send-many", "-", "--sandbox", ...flags], { stdin: rows });
  expect(ran.code, ran.err).toBe(3);
  return at;
};
const mend = (at: Shell) => at("sandbox set --sandbox --sender 0299999999");
const retry = "send-many --retry-refused last --sandbox --json";

describe.each([[["--direct"]], [["--staged"]], [["--no-tag"]]])("a run with %s", (flags) => {
  test("run export --status refused tells each with its code, ready to be fed back", async () => {
    const at = await afterRun(...flags);
    const exported = await at("run export last --sandbox --status refused -o jsonl");
    expect(
      exported.out
        .trim()
        .split("\n")
        .map((it) => JSON.parse(it)),
    ).toEqual([expect.objectContaining(refusedRow)]);
    await mend(at);
    const fed = await at("send-many - --sandbox --json", { stdin: exported.out });
    expect(fed.json()).toMatchObject({ total: 1, accepted: 1 });
  });

  test("S10 --retry-refused sends those alone, and once", async () => {
    const at = await afterRun(...flags);
    const run = (await at("run show last --sandbox --fields run")).out.trim();
    await mend(at);
    const again = await at(retry);
    expect(again.json()).toMatchObject({ total: 1, accepted: 1, refused: 0 });
    const twice = await at(`send-many --retry-refused ${run} --sandbox --json`);
    expect([twice.code, JSON.parse(twice.err).error.code]).toEqual([7, "SentBefore"]);
    // Its folder is lost, as with a backup of before: the group shows it.
    const lost: string = JSON.parse(again.out).run;
    rmSync(join(at.folder, "state/runs", lost), { recursive: true });
    const found = await at(`send-many --retry-refused ${run} --sandbox --json`);
    expect([found.code, JSON.parse(found.err).error]).toMatchObject([
      7,
      { code: "SentBefore", message: expect.stringContaining(`were sent by run ${lost}`) },
    ]);
    const meant = await at(`send-many --retry-refused ${run} --sandbox --again --json`);
    expect(meant.json()).toMatchObject({ total: 1, accepted: 1 });
  });
});

describe("what was refused is sent anew as it was", () => {
  const refusedRun = async (objects: readonly object[], flags: string): Promise<Shell> => {
    const at = shell();
    await at("sandbox reset --seed 1");
    await at("sandbox clock set 2026-01-05T12:00:00+09:00");
    const stdin = objects.map((it) => JSON.stringify(it)).join("\n");
    const ran = await at(`send-many - --sandbox --from 0299999999 ${flags}`, { stdin });
    expect(ran.code, ran.err).toBe(3);
    await mend(at);
    return at;
  };
  const textsOf = async (at: Shell) =>
    (await at("message list --sandbox --status-code 2000 --fields text --all")).out;

  test("a text that holds what looks like a variable", async () => {
    const rowsOf = [
      { to: "01000000001", name: "#{to}" },
      { to: "01000000002", name: "#{x}" },
    ];
    const at = await refusedRun(rowsOf, "--text '#{name}!' --field 'note=#{name}'");
    expect((await at(retry)).json()).toMatchObject({ total: 2, accepted: 2 });
    expect((await textsOf(at)).trim().split("\n").sort()).toEqual(["#{to}!", "#{x}!"]);
  });

  test("several texts for one number, where they were meant", async () => {
    const rowsOf = ["a", "b"].map((text) => ({ to: "01000000001", text }));
    const at = await refusedRun(rowsOf, "--dedupe to+text");
    expect((await at(retry)).json()).toMatchObject({ total: 2, accepted: 2, skipped: 0 });
  });

  test("strictly, where that was asked for", async () => {
    const strictOf = async (more: string) => {
      const at = await refusedRun([{ to: "01000000001", text: "a" }], "--strict");
      const { code, err } = await at(`${retry} ${more}`.trim());
      expect(code, err).toBe(0);
      const [newest] = JSON.parse((await at("group list --sandbox --json")).out);
      return newest.strict;
    };
    expect(await strictOf("")).toBe(true);
    expect(await strictOf("--no-strict")).toBe(false);
  });

  test("advertising by day alone", async () => {
    const text = "(광고) 세일 무료수신거부 080-123-4567";
    const at = await refusedRun([{ to: "01000000001", text }], "--ad");
    await at("sandbox clock set 2026-01-05T21:00:00+09:00");
    const night = await at(retry);
    expect([night.code, JSON.parse(night.err).error.code]).toEqual([7, "AdQuietHours"]);
  });
});

test("where every row was refused, all of them are sent anew", async () => {
  const at = shell();
  const [, , second] = rows.split("\n");
  await at("send-many - --sandbox", { stdin: `to,from,text\n${second}\n` });
  await mend(at);
  expect((await at(retry)).json()).toMatchObject({ total: 1, accepted: 1 });
});

test("P01 a row that names a number twice: one of the two was refused, and that one alone is sent anew", async () => {
  const at = shell();
  const words = "send-many - --sandbox --from 0200000000 --text x --dedupe off";
  const stdin = JSON.stringify([{ to: ["01000000001", "01000000001"] }, { to: "01000000002" }]);
  const ran = await at(`${words} --no-allow-duplicates --json`, { stdin });
  expect([ran.code, ran.json()]).toMatchObject([3, { accepted: 2, refused: 1 }]);
  for (const [status, count] of [["refused", 1] as const, ["accepted", 2] as const])
    expect((await at(`run export last --sandbox --status ${status} --json`)).json()).toHaveLength(
      count,
    );
  const again = await at(`${retry} --dedupe off`);
  expect([again.code, again.json()]).toMatchObject([0, { total: 1, accepted: 1 }]);
});

test("a run that was refused nothing has nothing to send: exit 2", async () => {
  const at = shell();
  await at("send-many - --sandbox", { stdin: "to,from,text\n01000000001,0200000000,a\n" });
  expect((await at("run export last --sandbox --status refused")).out).toBe("");
  expect((await at(retry)).code).toBe(2);
});

test("P01 without the run's mark two messages to one recipient look alike: neither is sent anew", async () => {
  const at = shell();
  const same = "to,from,text\n01000000001,0200000000,a\n01000000001,0299999999,b\n";
  const flags = ["--no-tag", "--dedupe", "off"];
  await at(["send-many", "-", "--sandbox", ...flags], { stdin: same });
  await mend(at);
  const groups = async () => (await at("group list --sandbox --json")).json();
  const again = await at(`${retry} ${flags.join(" ")}`);
  expect([again.code, again.err]).toEqual([2, expect.stringContaining("cannot tell which")]);
  const [, look = ""] = /; msg (.*) shows them/.exec(again.err) ?? [];
  expect((await at(`${look} --json`)).json()).toHaveLength(2);
  expect(await groups()).toHaveLength(1);
});

test("a group of which every row is refused keeps none of those behind it from being sent", async () => {
  const at = shell();
  const stdin = "to,from,text\n01000000001,0299999999,a\n01000000002,0200000000,b\n";
  const flags = "--staged --chunk 1 --group-size 1 --json".split(" ");
  const ran = await at(["send-many", "-", "--sandbox", ...flags], { stdin });
  expect([ran.code, ran.json()], ran.err).toEqual([
    3,
    expect.objectContaining({ state: "done", accepted: 1, refused: 1, notSent: 0 }),
  ]);
  await mend(at);
  expect((await at(retry)).json()).toMatchObject({ total: 1, accepted: 1 });
});

test("refused rows of several groups are looked for in all of them", async () => {
  const one = await shell()("send-many - --sandbox --group-size 3", { stdin: rows });
  expect(one.err).toContain("msg --sandbox message list --group-id G4V");
  const many = await shell()("send-many - --sandbox --group-size 2", { stdin: rows });
  expect([many.code, many.err]).toEqual([
    3,
    expect.stringMatching(/msg run export \S+ --status ref/),
  ]);
});

test("a retry is known by its group for as long as the run before it is", async () => {
  const clock = testClock();
  const at = shell(clock);
  await at(["send-many", "-", "--sandbox"], { stdin: rows });
  const run = (await at("run show last --sandbox --fields run")).out.trim();
  await mend(at);
  const { run: lost } = Object((await at(retry)).json());
  rmSync(join(at.folder, "state/runs", lost), { recursive: true });
  clock.pass(40 * 24 * 3_600_000);
  const found = await at(`send-many --retry-refused ${run} --sandbox --json`);
  expect([found.code, JSON.parse(found.err).error.code], found.err).toEqual([7, "SentBefore"]);
});

test("the message of a key is not sent by a retry, beside which the key would send it once more", async () => {
  const at = shell();
  const send = "send --to 01000000001 --from 0299999999 --text x --once order-1 --sandbox";
  expect((await at(send)).code).toBe(10);
  await mend(at);
  const retried = await at("send-many --retry-refused order-1 --sandbox");
  expect([retried.code, retried.err]).toEqual([2, expect.stringContaining("repeat that command")]);
  expect([(await at(send)).code, (await at(send)).err]).toEqual([
    0,
    expect.stringContaining("not sent again"),
  ]);
});
