/** `run list`, `show`, `purge` and the flags that name a run, as an operator meets them. */
import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { meanwhile } from "../../support/money.ts";
import { type Shell, shell } from "../../support/msg.ts";
import { rewriteRun } from "../../support/run-files.ts";

const rows = "to,from\n01000000001,0200000000\n01000000002,0299999999\n";
const line = "send-many - --sandbox --text x";
const show = (at: Shell) => at("run show last --sandbox --json");

/** One run that a guard stopped, then one that was refused a row. */
const twoRuns = async (): Promise<Shell> => {
  const at = shell();
  await at(`${line} --max-recipients 1`, { stdin: rows });
  await at(line, { stdin: rows });
  return at;
};

test("run list --state tells runs apart, the newest first", async () => {
  const at = await twoRuns();
  const states = async (flags: string) =>
    (await at(`run list --no-header --fields state ${flags}`)).out.trim().split("\n");
  expect(await states("")).toEqual(["done", "planned"]);
  expect(await states("--state planned")).toEqual(["planned"]);
  expect(await states("--state unknown")).toEqual([""]);
  expect((await at("run list --state lost")).code).toBe(2);
});

test("run show adds up and says what to do next", async () => {
  const at = shell();
  await at(`${line} --max-recipients 1`, { stdin: rows });
  expect((await show(at)).err).toMatch(/^nothing was sent: msg send-many --resume \S+ sends it$/m);
  await at(line, { stdin: rows });
  const shown = await show(at);
  expect(shown.json()).toMatchObject({ total: 2, accepted: 1, refused: 1, notSent: 0 });
  expect(shown.err).toMatch(/^1 refused: .*--status refused.*--retry-refused/);
  expect((await at("run show last --sandbox -q")).err).toBe("");
});

test("run show tells how long a run took that is over, as the run itself did", async () => {
  const at = shell();
  const clock = { ms: 0 };
  const ticks = (): number => {
    clock.ms += 7;
    return clock.ms;
  };
  const ran = await at(`${line} --json`, { stdin: rows, ticks });
  const told = Number(/"elapsedMs": (\d+)/.exec(ran.out)?.[1]);
  expect(told).toBeGreaterThan(0);
  expect((await show(at)).json()).toMatchObject({ elapsedMs: told });
  expect((await at("send-many --resume last --sandbox --json")).json()).toMatchObject({
    elapsedMs: told,
  });
});

test("run show of a terminal lists its groups as words", async () => {
  const at = await twoRuns();
  const { out } = await at("run show last --sandbox --no-color", { tty: 100 });
  expect(out).toMatch(/^groups\s+G4V\w+$/m);
});

test("a run that another process works on is shown as running", async () => {
  const at = shell();
  const seen: unknown[] = [];
  const wait = async (): Promise<void> => {
    const { out, err } = await show(at);
    seen.push([JSON.parse(out).state, err]);
  };
  const both = "to,from\n01000000001,0200000000\n01000000002,0200000000\n";
  await at(`${line} --direct --chunk 1 --rate 1`, { stdin: both, wait });
  expect(seen[0]).toEqual(["running", expect.stringContaining("another msg is working on it")]);
  expect((await show(at)).json()).toMatchObject({ state: "done", accepted: 2 });
});

test("who looks at a run leaves a record alone that its process is only writing now", async () => {
  const at = await twoRuns();
  const runs = join(at.folder, "state/runs");
  const newest = readdirSync(runs)
    .filter((name) => /^\d/.test(name))
    .sort()
    .at(-1);
  const journal = join(runs, newest ?? "", "journal.log");
  appendFileSync(journal, '0a1b2c3d 40 {"t":"POST_INTENT","ch');
  const before = readFileSync(journal, "utf8");
  for (const typed of ["run list", "run show last --sandbox", "run purge --older 30d -n"])
    expect((await at(typed)).code).toBe(0);
  expect(readFileSync(journal, "utf8")).toBe(before);
});

test("last is the profile's own; the error for one that has none names the newest", async () => {
  const at = await twoRuns();
  const { code, err } = await at("run show last");
  const [id] = (await at("run list --no-header --fields run")).out.split("\n");
  const newest = expect.stringContaining(`the newest, run ${id}, is of -p sandbox`);
  expect([code, err]).toEqual([6, newest]);
});

test("which run last is, is said to a person, and to a script where another profile has a newer one", async () => {
  const at = await twoRuns();
  const shown = { tty: 100 };
  const [id, older] = (await at("run list --no-header --fields run")).out.split("\n");
  expect((await at("run show last --sandbox", shown)).err).toContain(`last is run ${id}\n`);
  expect((await at("run show last --sandbox -q", shown)).err).not.toContain("last is");
  expect((await at("run show last --sandbox")).err).not.toContain("last is");
  const folder = join(at.folder, "state", "runs", `${id}`);
  rewriteRun(folder, (text) => text.replace('"sandbox"', '"work"'));
  expect((await at("run show last --sandbox")).err).toContain(
    `last is run ${older}; the newest, run ${id}, is of -p work\n`,
  );
});

test("run purge keeps what is not over and says so; -n removes nothing", async () => {
  const at = shell();
  await at(`${line} --staged`, { stdin: rows, ...meanwhile(at, "--balance 0 --point 0") });
  await at(`${line} --max-recipients 1`, { stdin: rows });
  const rehearsed = await at("run purge --older 0 -n --json");
  expect([rehearsed.json(), rehearsed.err]).toEqual([
    [expect.anything()],
    expect.stringMatching(/^runs that would be removed: 1$/m),
  ]);
  const purged = await at("run purge --older 0 --json");
  expect(purged.json()).toMatchObject([{ state: "planned" }]);
  expect(purged.err).toMatch(/^runs removed: 1$/m);
  expect(purged.err).toContain("1 unfinished, and kept");
  expect((await at("run list --json")).json()).toMatchObject([{ state: "open" }]);
  expect((await at("run purge --older soon")).code).toBe(2);
});

test("after run purge the groups at the service still keep rows of today", async () => {
  const at = shell();
  expect((await at(line, { stdin: rows })).code).toBe(3);
  expect((await at("run purge --older 0")).err).toBe("runs removed: 1\n");
  const again = await at(line, { stdin: rows });
  expect([again.code, again.err]).toEqual([
    7,
    expect.stringContaining("the same rows were sent by run"),
  ]);
});

test("run purge says that rows of today are not known any more where no group keeps them", async () => {
  const at = shell();
  const direct = `${line} --direct`;
  expect((await at(direct, { stdin: rows })).code).toBe(3);
  expect((await at(direct, { stdin: rows })).code).toBe(7);
  const purged = await at("run purge --older 0");
  expect(purged.err).toContain("1 of them began within 24 hours without groups");
  expect((await at(direct, { stdin: rows })).code).toBe(3);
  const later = { now: () => new Date(Date.now() + 25 * 3_600_000) };
  expect((await at("run purge --older 0", later)).err).toBe("runs removed: 1\n");
});

describe("what a resumed run would pass over is refused", () => {
  const wrong: readonly (readonly [string, string])[] = [
    ["send-many --resume last --text y", "--text and --resume exclude each other"],
    ["send-many --resume last --retry-refused last", "--retry-refused and --resume exclude"],
    ["send-many rows.csv --retry-refused last", "'rows.csv' is also given"],
    ["send-many --retry-refused last --map to=x", "--map and --retry-refused exclude"],
    ["send-many --retry-refused last --text y", "--text and --retry-refused exclude"],
    [
      "send-many --retry-refused last --from 0200000000",
      "msg --sandbox run export last --status refused",
    ],
  ];
  test.each(wrong)("%s", async (typed, words) => {
    const at = await twoRuns();
    const { code, err } = await at(`${typed} --sandbox`);
    expect([code, err]).toEqual([2, expect.stringContaining(words)]);
  });
});

test("a run that the service stopped is gone on with: nobody is told to run the command again", async () => {
  const at = shell();
  const { code, err } = await at(`${line} --staged`, {
    stdin: rows.replace("0299999999", "0200000000"),
    ...meanwhile(at, "--balance 30 --point 0"),
  });
  expect([code, err]).toEqual([
    10,
    expect.stringMatching(
      /^ {2}top up the balance \(msg .*balance shows it\), then resume: msg send-many --resume \S+$/m,
    ),
  ]);
  expect(err).not.toMatch(/run it again|\.;/);
});

describe("--fields of a run", () => {
  const verbs = ["list", "show last", "reconcile last", "cancel last", "export last", "purge"];

  test.each(verbs)("run %s: another name is refused, with those that are known", async (verb) => {
    const at = await twoRuns();
    const { code, err } = await at(`run ${verb} --sandbox --fields bogus`);
    expect([code, err]).toEqual([2, expect.stringContaining("unknown field 'bogus'")]);
    expect(err).toMatch(/valid names: /);
  });

  test.each(verbs)("run %s: whatever its JSON holds can be named", async (verb) => {
    const at = await twoRuns();
    const flags = verb === "purge" ? "--older 0 -n" : "";
    const withoutDate = (value: unknown) =>
      JSON.parse(JSON.stringify(value), (name, it) => (name === "dateRead" ? null : it));
    const shown = (await at(`run ${verb} ${flags} --sandbox --json`)).json();
    const fields = [...new Set([shown].flat().flatMap((it) => Object.keys(it ?? {})))].join(",");
    const named = await at(`run ${verb} ${flags} --sandbox --json --fields ${fields}`);
    expect([fields === "", withoutDate(named.json())], named.err).toEqual([
      false,
      withoutDate(shown),
    ]);
  });
});

test("a run that was kept, and whose rows another run has sent since: exit 7; it stays, and --again sends it", async () => {
  const at = shell();
  await at(`${line} --max-recipients 1`, { stdin: rows });
  const [{ run }] = JSON.parse((await at("run list --json")).out);
  expect((await at(line, { stdin: rows })).code).toBe(3);
  const resume = `send-many --resume ${run} --max-recipients 2 --sandbox --json`;
  const first = await at(resume);
  expect([first.code, JSON.parse(first.err).error.code]).toEqual([7, "SentBefore"]);
  const again = await at(`${resume} --again`);
  expect([again.code, again.json()]).toEqual([3, expect.objectContaining({ accepted: 1 })]);
});

test("a new run with the rows of another one is not kept", async () => {
  const at = shell();
  await at(line, { stdin: rows });
  expect((await at(line, { stdin: rows })).code).toBe(7);
  expect((await at("run list --json")).json()).toHaveLength(1);
});
