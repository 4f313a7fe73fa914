/** `send-many --resume` on a terminal: what is left is shown and asked for, as for a new run. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fault } from "../../commands/run/in-doubt.ts";
import { hurried } from "../../support/clock.ts";
import { type Shell, shell } from "../../support/msg.ts";

const rows = (count: number): string =>
  `to\n${Array.from({ length: count }, (_, at) => `0100001${String(at).padStart(4, "0")}`).join("\n")}\n`;
const line = "send-many - --sandbox --from 0200000000 --text x";
const resume = "send-many --resume last --sandbox";
const tty = 100;

const planned = async (count: number) => {
  const at = shell();
  expect((await at(`${line} --max-cost 1`, { stdin: rows(count) })).code).toBe(7);
  return at;
};
const sent = async (at: Awaited<ReturnType<typeof planned>>) =>
  (await at("message list --sandbox --all --json")).json();

test("a run that a ceiling stopped is shown and asked for before it is sent after all", async () => {
  const at = await planned(2);
  const ran = await at(`${resume} --max-cost 100`, { tty, answers: ["y"] });
  expect([ran.code, ran.questions], ran.err).toEqual([0, ["Send 2 messages for 40 won?"]]);
  expect(ran.err).toContain("source    standard input\nto send   2 of 2\n");
  expect(ran.err).toContain("cost      40 won, ceiling 100 won\n");
  expect(ran.err).toContain("first     to 01000010000: x\n");
});

test("a no sends nothing, exit 7, and the run stays", async () => {
  const at = await planned(2);
  const ran = await at(`${resume} --max-cost 100`, { tty, answers: ["n"] });
  expect([ran.code, await sent(at)], ran.err).toEqual([7, []]);
  expect((await at(`${resume} --max-cost 100`)).code).toBe(0);
});

test("a run that sends rows again, and was stopped, is resumed without a second --again", async () => {
  const at = shell();
  const words = `${line} --direct --chunk 1 --rate 1`;
  const wait = async (): Promise<void> => undefined;
  expect((await at(words, { stdin: rows(2), wait })).code).toBe(0);
  const stop = new AbortController();
  const stopped = { stdin: rows(2), signal: stop.signal, wait: async () => stop.abort() };
  // Dates have whole seconds.
  const later = () => new Date(Date.now() + 2_000);
  expect((await at(`${words} --again`, { ...stopped, now: later })).code).toBe(130);
  const resumed = await at(resume, { wait, now: later });
  expect([resumed.code, resumed.err]).toEqual([0, ""]);
});

test("more than 1,000 messages are typed as a number", async () => {
  const at = await planned(1_001);
  const ran = await at(`${resume} --max-cost 90000`, { tty, answers: ["y"] });
  expect([ran.code, ran.questions, await sent(at)]).toEqual([
    7,
    ["Send 1,001 messages for 20,020 won? Type 1001 to send:"],
    [],
  ]);
});

test("-y and a pipe are not asked", async () => {
  for (const options of [{ tty, answers: ["n"] }, {}]) {
    const at = await planned(2);
    const ran = await at(`${resume} --max-cost 100${"tty" in options ? " -y" : ""}`, options);
    expect([ran.code, ran.questions], ran.err).toEqual([0, []]);
  }
});

/** Two parts of a call each; the operator stops it behind the first. */
const half = async () => {
  const at = shell();
  const stop = new AbortController();
  const wait = async (): Promise<void> => stop.abort();
  const words = `${line} --direct --chunk 2 --concurrency 1 --rate 1 --json`;
  const ran = await at(words, { stdin: rows(4), wait, signal: stop.signal });
  expect([ran.code, ran.json()]).toMatchObject([130, { accepted: 2, notSent: 2 }]);
  return at;
};

test("of a run that was sent in part the rest is asked for, and a no tells what was sent", async () => {
  const at = await half();
  const no = await at(resume, { tty, answers: ["n"] });
  expect(no.questions).toEqual(["Send the 2 messages not sent yet for at most 40 won?"]);
  expect([no.code, no.err]).toEqual([7, expect.stringContaining("before    2 accepted\n")]);
  expect(no.err).toContain("nothing more was sent;");
  const yes = await at(resume, { tty, answers: ["y"] });
  expect([yes.code, await sent(at)], yes.err).toMatchObject([0, { length: 4 }]);
});

test("a run that is over is shown, and nothing is asked", async () => {
  const at = shell();
  await at(line, { stdin: rows(2) });
  const ran = await at(resume, { tty, answers: ["y"] });
  expect([ran.code, ran.questions], ran.err).toEqual([0, []]);
});

test("what was sent before is refused without a question, of a new run and of one that is gone on with", async () => {
  const at = await planned(2);
  expect((await at(line, { stdin: rows(2) })).code).toBe(0);
  for (const words of [line, `${resume.replace("last", await oldest(at))} --max-cost 100`]) {
    const ran = await at(words, { stdin: rows(2), tty, answers: ["y"] });
    expect([ran.code, ran.questions], ran.err).toEqual([7, []]);
    expect(ran.err).toContain("the same rows are in run");
  }
  const again = await at(`${line} --again`, { stdin: rows(2), tty, answers: ["y"] });
  expect([again.code, again.questions.length], again.err).toEqual([0, 1]);
});

const oldest = async (at: Awaited<ReturnType<typeof planned>>): Promise<string> =>
  (await at("run list --no-header --fields run")).out.trim().split("\n").at(-1) ?? "";

test.each([
  ["--balance 39 --point 0", "40 won needed, the balance is 39 won", "--balance 40"],
  ["--quota 1", "2 needed, 1 of the daily quota left", "--quota 2"],
])("what stopped a run (%s) is looked at again where it is resumed", async (short, why, enough) => {
  const at = shell();
  await at(`sandbox set ${short}`);
  for (const words of [line, resume, `${resume} -n`]) {
    const ran = await at(words, { stdin: rows(2) });
    expect([ran.code, ran.err.split("\n")[0]]).toEqual([7, `error: ${why}`]);
  }
  expect((await at("group list --sandbox --json")).json()).toEqual([]);
  await at(`sandbox set ${enough}`);
  expect((await at(resume)).code).toBe(0);
});

test.each([
  ["--max-cost 39", "this would cost 40 won, above the ceiling of 39 won"],
  ["--max-recipients 1", "too many recipients: 2; allowed: 1"],
  ["", "40 won needed, the balance is 39 won"],
])("--estimate and -n show the cost, and end as the run would (%s), exit 7", async (flags, why) => {
  const at = shell();
  await at("sandbox set --balance 39 --point 0");
  const ran = await at(`${line} --estimate ${flags}`.trim(), { stdin: rows(2) });
  expect([ran.code, ran.err.split("\n")[0]]).toEqual([7, `error: ${why}`]);
  expect(ran.out).toContain("\t40\t");
  // There is no run to go on with.
  expect(ran.err).not.toContain("--resume");
  const dry = await at(`${line} -n ${flags}`.trim(), { stdin: rows(2) });
  expect([dry.code, dry.err.split("\n")[0]]).toEqual([7, `error: ${why}`]);
  expect(dry.out).toContain("cost\t40 won");
  expect((await at("run list --json")).json()).toEqual([]);
});

/** How long a run takes that is resumed with these flags, by a clock that goes forward where it is waited. */
const resumed = async (at: Shell, flags: string): Promise<{ code: number; ms: number }> => {
  const clock = hurried();
  const from = clock.ticks();
  const { code } = await at(`${resume} --max-cost 1000 ${flags}`.trim(), clock);
  return { code, ms: clock.ticks() - from };
};

const plannedWith = async (flags: string): Promise<Shell> => {
  const at = shell();
  expect((await at(`${line} ${flags} --max-cost 1`, { stdin: rows(4) })).code).toBe(7);
  return at;
};

test.each([
  ["--rate 0.01 --direct --chunk 1", "", 100_000],
  ["--rate 0.01 --direct --chunk 1", "--rate 1000", 0],
])("a run of %s that is resumed with '%s' takes as long as that says", async (made, flags, ms) => {
  const ran = await resumed(await plannedWith(made), flags);
  expect(ran.code).toBe(0);
  expect(ran.ms).toBeGreaterThanOrEqual(ms);
  expect(ran.ms).toBeLessThan(ms + 400_000);
});

test.each([
  ["", 120_000],
  ["--settle 5m", 300_000],
])(
  "a run of --settle 2m that is resumed with '%s' settles as long as that says",
  async (flags, ms) => {
    const at = await plannedWith("--direct --no-tag --settle 2m");
    await fault(at, "POST /messages/v4/send-many*", "drop-before", "--times", "1000");
    const ran = await resumed(at, flags);
    expect(ran.code).toBe(11);
    expect(ran.ms).toBeGreaterThanOrEqual(ms);
    expect(ran.ms).toBeLessThan(ms + 100_000);
  },
);

test.each([
  ["", 3],
  ["--concurrency 1", 1],
])(
  "a run of --concurrency 3 that is resumed with '%s' has %d requests out at once",
  async (flags, most) => {
    const at = await plannedWith("--direct --chunk 1 --concurrency 3");
    expect((await at(`${resume} --max-cost 1000 ${flags}`.trim())).code).toBe(0);
    const runs = join(at.folder, "state", "runs");
    const [run = ""] = readdirSync(runs).filter((name) => !name.startsWith("."));
    const journal = readFileSync(join(runs, run, "journal.log"), "utf8");
    const [before = ""] = journal.split("POST_OK");
    expect(before.match(/POST_INTENT/g)).toHaveLength(most);
  },
);
