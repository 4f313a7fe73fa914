/** `msg send-many` and `msg run` as an operator meets them: guards, skipped rows, resume, cancel. */
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { meanwhile } from "../support/money.ts";
import { type Shell, shell } from "../support/msg.ts";

const rows = "to\n01000000001\n01000000002\n01000000003\n";
const line = "send-many - --sandbox --from 0200000000 --text x";

const runsOf = (at: Shell): string[] =>
  readdirSync(join(at.folder, "state/runs")).filter((it) => /^\d/.test(it));
const writes = async (at: Shell): Promise<number> => {
  const { out } = await at("sandbox requests --sandbox -o tsv --fields method,path --all");
  return out.split("\n").filter((it) => /^(POST|PUT|DELETE)\t\/messages/.test(it)).length;
};

describe("guards: exit 7, nothing sent, the run is kept and can be resumed", () => {
  const guards: readonly (readonly [string, string])[] = [
    ["--max-cost 10", "CostAboveCeiling"],
    ["--max-recipients 2", "TooManyRecipients"],
  ];
  test.each(guards)("%s", async (flag, code) => {
    const at = shell();
    const { code: exit, err } = await at(`${line} ${flag} --json`, { stdin: rows });
    expect(exit).toBe(7);
    expect(JSON.parse(err).error).toMatchObject({ code, outcome: "not_sent" });
    expect(await writes(at)).toBe(0);
    expect((await at("run show last --sandbox --json")).json()).toMatchObject({
      state: "planned",
      notSent: 3,
    });
  });

  test("a balance too short is seen before the first request; with money, --resume last ends it", async () => {
    const at = shell();
    await at("sandbox set --sandbox --balance 50 --point 0");
    const first = await at(`${line} --json`, { stdin: rows });
    expect(first.code).toBe(7);
    expect(await writes(at)).toBe(0);
    await at("sandbox set --sandbox --balance 1000");
    const resumed = await at("send-many --resume last --sandbox --json");
    expect(resumed.code).toBe(0);
    expect(resumed.json()).toMatchObject({ state: "done", accepted: 3, unknown: 0 });
  });

  test("a ceiling that the profile was given since holds for a run that is resumed", async () => {
    const at = shell();
    await at(`${line} --max-recipients 2`, { stdin: rows });
    await at("profile set maxCost=10 -p sandbox");
    const resumed = await at("send-many --resume last --sandbox --max-recipients 3 --json");
    expect([resumed.code, JSON.parse(resumed.err).error.code]).toEqual([7, "CostAboveCeiling"]);
    expect(await writes(at)).toBe(0);
  });

  test("--confirm with another number than would be sent stops, on any profile", async () => {
    const at = shell();
    const other = await at(`${line} --confirm 2 --json`, { stdin: rows });
    expect([other.code, JSON.parse(other.err).error.code, await writes(at)]).toEqual([
      7,
      "Declined",
      0,
    ]);
    expect((await at("send-many --resume last --sandbox --confirm 3")).code).toBe(0);
  });

  test("a protected profile sends when the number is confirmed, and only then", async () => {
    const at = shell();
    await at("profile set protected true -p sandbox");
    const without = await at(line, { stdin: rows });
    expect(without.code).toBe(7);
    const withNumber = await at(`${line} --confirm 3`, { stdin: rows });
    expect(withNumber.code).toBe(0);
  });
});

test("S09 402 at the group's send: exit 10, nothing sent; after charging --resume last sends each once", async () => {
  const at = shell();
  const spent = { stdin: rows, ...meanwhile(at, "--balance 50 --point 0") };
  const first = await at(`${line} --staged --json`, spent);
  expect([first.code, first.err]).toEqual([10, expect.stringContaining("NotEnoughBalance")]);
  expect(first.json()).toMatchObject({ accepted: 0, notSent: 3, unknown: 0 });
  const [id = ""] = runsOf(at);
  await at("sandbox set --sandbox --balance 1000");
  const charged = await at(`send-many --resume ${id} --sandbox --json`);
  expect(charged.code).toBe(0);
  expect(charged.json()).toMatchObject({ state: "done", accepted: 3 });
});

test("the same rows again within 24 hours: exit 7 with the run's id; --again sends them", async () => {
  const at = shell();
  const first = await at(`${line} --json`, { stdin: rows });
  const second = await at(`${line} --json`, { stdin: rows });
  expect(second.code).toBe(7);
  const [id = ""] = runsOf(at);
  expect(first.out).toContain(id);
  expect(second.err).toContain(id);
  expect(runsOf(at)).toHaveLength(1);
  expect((await at(`${line} --again`, { stdin: rows })).code).toBe(0);
});

test("resuming a finished run prints it, exit 0, and sends nothing", async () => {
  const at = shell();
  await at(line, { stdin: rows });
  const before = await writes(at);
  const again = await at("send-many --resume last --sandbox --json");
  expect(again.code).toBe(0);
  expect(again.json()).toMatchObject({ state: "done", accepted: 3 });
  expect(await writes(at)).toBe(before);
});

test("--estimate and -n make no request that writes and leave no run", async () => {
  const at = shell();
  const estimate = await at(`${line} --estimate --json`, { stdin: rows });
  expect(estimate.json()).toMatchObject({ run: null, state: "estimated", total: 3, cost: 60 });
  const dry = await at(`${line} -n --json`, { stdin: rows });
  expect(dry.json()).toMatchObject({
    method: "PUT",
    path: "/messages/v4/groups/:groupId/messages",
  });
  expect(await writes(at)).toBe(0);
  expect(runsOf(at)).toEqual([]);
});

test("duplicates and excluded numbers are skipped and told, and the counts add up", async () => {
  const at = shell();
  const list = join(at.folder, "no.txt");
  writeFileSync(list, "010-0000-0003\n");
  const { code, err, json } = await at(`${line} --exclude ${list} --json`, {
    stdin: `${rows}01000000001\n`,
  });
  expect(code).toBe(0);
  expect(json()).toMatchObject({ total: 4, accepted: 2, skipped: 2 });
  expect(err).toContain("skipped row 3: excluded recipient 01000000003");
  expect(err).toContain("skipped row 4: duplicate recipient 01000000001");
});

test("D07 files of a run are the owner's alone and hold no secret", async () => {
  const at = shell();
  await at(line, { stdin: rows });
  const [id = ""] = runsOf(at);
  const folder = join(at.folder, "state/runs", id);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  for (const name of readdirSync(folder)) {
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(folder, name), "utf8")).not.toMatch(/SANDBOXSECRET|signature/);
  }
});

test("D09 a results file that cannot be written is found before anything is sent", async () => {
  const at = shell();
  const { code } = await at(`${line} --results /nowhere/r.jsonl`, { stdin: rows });
  expect(code).toBe(2);
  expect(await writes(at)).toBe(0);
});

test("run list, export and purge: what was not sent comes back as rows that can be fed in", async () => {
  const at = shell();
  await at(`${line} --max-recipients 2`, { stdin: rows });
  const listed = await at("run list --json");
  expect(listed.json()).toMatchObject([{ state: "planned", total: 3 }]);
  const exported = await at("run export last --sandbox --status not-sent --as-sent -o jsonl");
  expect(exported.out.trim().split("\n")).toHaveLength(3);
  expect(exported.out).not.toContain("msg.run");
  const fed = await at("send-many - --sandbox", { stdin: exported.out });
  expect(fed.code).toBe(0);
  const later = () => new Date(Date.now() + 40 * 24 * 3_600_000);
  expect((await at("run purge --json", { now: later })).json()).toHaveLength(2);
  expect(runsOf(at)).toEqual([]);
});

test("P14 run cancel deletes groups that were not sent: proof that nothing was", async () => {
  const at = shell();
  const spent = { stdin: rows, ...meanwhile(at, "--balance 50 --point 0") };
  expect((await at(`${line} --staged`, spent)).code).toBe(10);
  const cancelled = await at("run cancel last --sandbox --json");
  expect(cancelled.code).toBe(0);
  expect(cancelled.json()).toMatchObject({
    state: "cancelled",
    accepted: 0,
    notSent: 3,
    unknown: 0,
  });
  await at("sandbox set --sandbox --balance 1000");
  expect((await at("send-many --resume last --sandbox --json")).json()).toMatchObject({
    accepted: 0,
  });
});

describe("send --once", () => {
  const send = "send --sandbox --to 01000000001 --from 0200000000 --text x --once order-1 --json";

  test("the same key sends once and prints the first result; other content is exit 2", async () => {
    const at = shell();
    const first = await at(send);
    const second = await at(send);
    expect([first.code, second.code]).toEqual([0, 0]);
    expect(second.json()).toEqual(first.json());
    const other = await at(send.replace("--text x", "--text y"));
    expect(other.code).toBe(2);
    expect(JSON.parse((await at("group list --sandbox --json")).out)).toHaveLength(1);
  });

  test("N06 a first send whose answer was lost is settled, by itself or by the second", async () => {
    const at = shell();
    const lossy = send.replace("01000000001", "01000009999");
    const first = await at(`${lossy} --settle 5s`);
    expect(first.code).toBe(0);
    expect((await at(lossy)).json()).toEqual(first.json());
  });

  test("a send that was refused is tried again with the same key", async () => {
    const at = shell();
    await at("sandbox set --sandbox --balance 0 --point 0");
    expect((await at(send)).code).toBe(10);
    await at("sandbox set --sandbox --balance 1000");
    expect((await at(send)).code).toBe(0);
  });
});

test.each([
  ["send-many -", "partial", "01000000001\n01000001060\n"],
  ["send-many -", "refused", "01000001060\n"],
  ["send-many - --direct", "refused", "01000001060\n"],
  ["send --to 01000001060 --to 01000000001 --at +1h", "partial", ""],
  ["send --to 01000001060 --at +1h", "refused", ""],
])("%s: exit 3, and its outcome is %s", async (words, outcome, rows) => {
  const line = `${words} --sandbox --from 0200000000 --text x --json`;
  const ran = await shell()(line, rows === "" ? {} : { stdin: `to\n${rows}` });
  expect([ran.code, JSON.parse(ran.err).error.outcome]).toEqual([3, outcome]);
});

test("--group-size below the rows of a request: no group has more rows than that", async () => {
  const at = shell();
  const stdin = `to\n${[1, 2, 3, 4, 5].map((it) => `0100000000${it}`).join("\n")}\n`;
  const words = "send-many - --sandbox --from 0200000000 --text x --group-size 2 --json";
  const ran = await at(words, { stdin });
  expect([ran.code, ran.json()]).toMatchObject([0, { path: "G", accepted: 5 }]);
  const listed = JSON.parse((await at("group list --sandbox --json")).out);
  const totals = listed.map((it: { count: { total: number } }) => it.count.total);
  expect(totals.sort()).toEqual([1, 2, 2]);
});
