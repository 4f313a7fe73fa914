/** Groups of a run that somebody else works on between two of its processes, as the service's console can. */
import { expect, test } from "vitest";
import { hurried } from "../../support/clock.ts";
import { type Shell, shell } from "../../support/msg.ts";

const rows = "to\n01000000001\n01000000002\n01000000003\n";
const line = "send-many - --sandbox --from 0200000000 --text x --json --staged --chunk 1".split(
  " ",
);
const sends = "POST /messages/v4/groups/*/send";

const fault = (at: Shell, on: string, what: string) =>
  at(["sandbox", "fault", "add", "--sandbox", "--on", on, "--do", what]);

/** A run that stopped before, or in doubt of, the send of its groups; and their ids. */
const stopped = async (what: string, { size = "10", settle = "9m", tag = "--tag" } = {}) => {
  const at = shell({ ...hurried() });
  await fault(at, sends, what);
  const ran = await at([...line, tag, "--group-size", size, "--settle", settle], { stdin: rows });
  await at("sandbox fault clear --sandbox");
  expect([10, 11], ran.err).toContain(ran.code);
  const { groups }: { groups: [string, string] } = JSON.parse(JSON.stringify(await shown(at)));
  return { at, groups, code: ran.code };
};

const add = async (at: Shell, id: string) => {
  const words = ["group", "add", id, "-", "--from", "0200000000", "--text", "y", "--sandbox"];
  const { code, err } = await at(words, { stdin: "to\n01000000009\n" });
  expect(code, err).toBe(0);
};
const remove = async (at: Shell, id: string) => {
  const { out } = await at(`group messages ${id} --sandbox --json`);
  const all: { to: string; messageId: string }[] = JSON.parse(out);
  const strange = all.flatMap((it) => (it.to === "01000000009" ? [it.messageId] : []));
  const words = ["group", "remove", id, ...strange, "--sandbox", "--yes"];
  const { code, err } = await at(words);
  expect(code, err).toBe(0);
};
const drop = async (at: Shell, id: string) =>
  expect((await at(`group delete ${id} --sandbox --yes`)).code).toBe(0);
const resume = (at: Shell, more = "") =>
  at(`send-many --resume last --sandbox --json ${more}`.trim());
const shown = async (at: Shell) => (await at("run show last --sandbox --json")).json();
const arrived = async (at: Shell): Promise<string[]> => {
  await at("sandbox clock advance 1m");
  const { out } = await at("sandbox inbox list -o tsv --no-header --fields to");
  return out
    .split("\n")
    .filter((it) => it !== "")
    .sort();
};
const requests = async (at: Shell, pattern: RegExp): Promise<number> => {
  const { out } = await at("sandbox requests --sandbox -o tsv --fields method,path --all");
  return out.split("\n").filter((it) => pattern.test(it)).length;
};
const all = ["01000000001", "01000000002", "01000000003"];

test("messages that somebody adds to a verified group do not go out with it: exit 10, nothing is sent", async () => {
  const { at, groups } = await stopped("rate-limit");
  await add(at, groups[0]);
  for (const _ of ["the first time", "and each time after"]) {
    const { code, err } = await resume(at);
    expect([code, JSON.parse(err).error], err).toEqual([
      10,
      expect.objectContaining({
        code: "GroupTouched",
        outcome: "not_sent",
        message: expect.stringMatching(/it holds 4 messages, and was filled with 3; nothing was/),
        hint: expect.stringMatching(/msg run cancel \S+ deletes it; .* resume: msg send-many/),
      }),
    ]);
  }
  expect(await arrived(at)).toEqual([]);
  await remove(at, groups[0]);
  expect((await resume(at)).json()).toMatchObject({ state: "done", accepted: 3 });
  expect(await arrived(at)).toEqual(all);
});

test("one of two verified groups: none of them is sent, and run cancel proves it", async () => {
  const { at, groups } = await stopped("rate-limit", { size: "2" });
  const before = await requests(at, /^POST.*\/send$/);
  await add(at, groups[1]);
  expect((await resume(at)).code).toBe(10);
  expect(await requests(at, /^POST.*\/send$/)).toBe(before);
  const cancelled = await at("run cancel last --sandbox --json --yes");
  expect(cancelled.json()).toMatchObject({ state: "cancelled", notSent: 3 });
  expect(await arrived(at)).toEqual([]);
});

test("added to a group whose send is in doubt: it is not sent again, exit 11 with the reason", async () => {
  const { at, groups, code } = await stopped("drop-before", { settle: "0" });
  expect(code).toBe(11);
  await add(at, groups[0]);
  const again = await resume(at);
  expect([again.code, JSON.parse(again.err).error], again.err).toEqual([
    11,
    expect.objectContaining({
      code: "GroupTouched",
      outcome: "unknown",
      message: expect.stringMatching(/^3 messages may or may not have been sent: someone else/),
      hint: expect.stringContaining("msg run cancel "),
    }),
  ]);
  expect([await requests(at, /^POST.*\/send$/), await arrived(at)]).toEqual([1, []]);
  await remove(at, groups[0]);
  expect((await resume(at)).json()).toMatchObject({ state: "done", accepted: 3, unknown: 0 });
  expect(await arrived(at)).toEqual(all);
});

test("untouched groups are read once each before a resumed run sends them; a run at one go reads none twice", async () => {
  const one = shell();
  expect((await one([...line, "--group-size", "2"], { stdin: rows })).code).toBe(0);
  const reads = /^GET\t\S*\/groups\/G\w+$/;
  expect(await requests(one, reads)).toBe(2);
  const { at } = await stopped("rate-limit", { size: "2" });
  // One read proved that the send which was refused did not go out.
  expect(await requests(at, reads)).toBe(3);
  expect((await resume(at)).code).toBe(0);
  expect(await requests(at, reads)).toBe(5);
});

test.each([
  ["a verified group", "10"],
  ["one of two verified groups", "2"],
])("%s that somebody deleted was never sent: --resume fills another", async (_, size) => {
  const { at, groups } = await stopped("rate-limit", { size });
  await drop(at, groups[0]);
  const again = await resume(at);
  expect([again.code, again.json()], again.err).toEqual([
    0,
    expect.objectContaining({ state: "done", accepted: 3, notSent: 0, unknown: 0 }),
  ]);
  expect(await arrived(at)).toEqual(all);
});

test.each(["--tag", "--no-tag"])(
  "a group in doubt that somebody deleted was never sent: the run ends, and gives its rows out (%s)",
  async (tag) => {
    const { at, groups } = await stopped("drop-before", { settle: "0", tag });
    await drop(at, groups[0]);
    const again = await resume(at);
    expect([again.code, JSON.parse(again.err).error.code]).toEqual([10, "GroupGone"]);
    const { code, err, out } = await resume(at);
    expect([code, err, JSON.parse(out)], err).toEqual([
      10,
      expect.stringContaining('"GroupGone"'),
      expect.objectContaining({ accepted: 0, notSent: 3 }),
    ]);
    expect(await shown(at)).toMatchObject({ state: "done", accepted: 0, notSent: 3, unknown: 0 });
    const rest = await at("run export last --sandbox --status not-sent -o jsonl");
    expect(rest.out.match(/"to":"\d+"/g)).toHaveLength(3);
  },
);
