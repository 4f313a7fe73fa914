/** The same rows twice: whoever sends them, and whatever of the account can be read, --again is asked for. */
import { readdirSync, rmSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hurried, testClock } from "../../support/clock.ts";
import { meanwhile } from "../../support/money.ts";
import { type Options, type Shell, shell } from "../../support/msg.ts";

const stdin = "to\n01000000001\n01000000002\n";
const line = "send-many - --sandbox --from 0200000000 --text x -y --json";

const codeOf = (err: string): unknown => /"code":"(\w+)"/.exec(err)?.[1];

/** Messages that the service has. */
const held = async (at: Shell): Promise<number> =>
  JSON.parse((await at("message list --sandbox --json")).out).length;

const unreadable =
  'sandbox fault add --sandbox --on "GET /cash/v1/balance" --do status:400 --times 1';

test.each(["first", "second"])(
  "the balance cannot be read the %s time: whose rows they are is not known, and they are not sent again",
  async (time) => {
    const at = shell();
    if (time === "first") await at(unreadable);
    expect((await at(line, { stdin })).code).toBe(0);
    if (time === "second") await at(unreadable);
    const twice = await at(line, { stdin });
    expect([twice.code, codeOf(twice.err)]).toEqual([7, "SentBefore"]);
    expect(await held(at)).toBe(2);
  },
);

test("the balance cannot be read: two parts of one list are different rows", async () => {
  const at = shell();
  const numbers = Array.from({ length: 8 }, (_, it) => `0100000000${it}`);
  for (const part of ["1/2", "2/2"]) {
    await at(unreadable);
    const ran = await at(`${line} --part ${part}`, { stdin: ["to", ...numbers].join("\n") });
    expect(ran.code, ran.err).toBe(0);
  }
  expect(await held(at)).toBe(8);
});

test("a rehearsal and an estimate end as the send would: 7 for the same rows, 2 for other rows under a key", async () => {
  const at = shell();
  expect((await at(line, { stdin })).code).toBe(0);
  expect((await at(`${line} --again --once key`, { stdin })).code).toBe(2);
  expect((await at(`${line} --once key`, { stdin })).code).toBe(0);
  const codes = async (more: string) => {
    const ran = [`${line} ${more} -n`, `${line} ${more} --estimate`, `${line} ${more}`];
    return Promise.all(ran.map(async (it) => (await at(it, { stdin })).code));
  };
  expect(await codes("")).toEqual([7, 7, 7]);
  expect(await codes("--once key --subject other")).toEqual([2, 2, 2]);
  const keyed = await at(`${line} --once key -n`, { stdin });
  expect([keyed.code, keyed.err]).toEqual([
    0,
    expect.stringMatching(/belongs to run \S+: nothing/),
  ]);
  const again = await at(`${line} --again -n`, { stdin });
  expect([again.code, await held(at)]).toEqual([0, 4]);
});

test("a key takes other messages if nothing was sent with it, and none while that is unclear", async () => {
  // Before it takes over the rows of a run that stopped, another waits for a minute.
  const at = shell(hurried());
  const once = line.replace("-y", "--once july");
  const poor = await at(once, { stdin, ...meanwhile(at, "--balance 0 --point 0") });
  expect(poor.code, poor.err).toBe(10);
  await at("sandbox set --sandbox --balance 1000");
  const sends = "POST /messages/v4/groups/*/send";
  await at(`sandbox fault add --sandbox --on "${sends}" --do drop-before --times 1`);
  expect((await at(`${once} --subject y --settle 0`, { stdin })).code).toBe(11);
  const other = await at(`${once} --subject z`, { stdin });
  expect([other.code, codeOf(other.err)]).toEqual([2, "OtherContent"]);
});

test("a key whose group failed as a whole, or of whose rows others sent a part, sends the rest", async () => {
  const at = shell(hurried());
  const once = `${line.replace("-y", "--once may")} --group-size 1 --chunk 1`;
  const failed = await at(once, { stdin, ...meanwhile(at, "--quota 0") });
  expect(failed.code, failed.err).toBe(10);
  await at("sandbox set --sandbox --quota 1000");
  const poor = await at(once, { stdin, ...meanwhile(at, "--balance 20 --point 0") });
  expect([poor.code, poor.json()], poor.err).toMatchObject([10, { accepted: 1 }]);
  await at("sandbox set --sandbox --balance 1000");
  rmSync(join(at.folder, "state/runs"), { recursive: true });
  const later = { stdin, now: () => new Date(Date.now() + 120_000) };
  const dear = await at(`${once} --max-recipients 1`, later);
  expect([dear.code, codeOf(dear.err)], dear.err).toEqual([7, "TooManyRecipients"]);
  const rest = await at(once, later);
  expect([rest.code, rest.json()], rest.err).toMatchObject([0, { accepted: 2 }]);
});

test("a key is looked for at the service as far back as --once-within says", async () => {
  const at = shell();
  const once = `${line} --once march --once-within 7d`;
  expect((await at(once, { stdin })).code).toBe(0);
  rmSync(join(at.folder, "state/runs"), { recursive: true });
  const now = () => new Date(Date.now() + 3 * 24 * 3_600_000);
  const again = await at(once, { stdin, now });
  expect([again.code, await held(at)], again.err).toEqual([0, 2]);
});

test("--again of the same rows, stopped before its first group: run reconcile looks, exit 0", async () => {
  const at = shell();
  expect((await at(line, { stdin })).code).toBe(0);
  await at('sandbox fault add --sandbox --on "GET /messages/v4/groups" --do status:400');
  const again = await at(`${line} --again --settle 0`, { stdin });
  await at("sandbox fault clear --sandbox");
  expect([again.code, await held(at)], again.err).toEqual([10, 2]);
  const looked = await at("run reconcile last --sandbox --json");
  expect([looked.code, looked.json()], looked.err).toMatchObject([
    0,
    { state: "open", notSent: 2 },
  ]);
});

test("while it is unknown or damaged, the hint for the same rows names no flag that sends them again", async () => {
  const at = shell(hurried());
  await at(
    'sandbox fault add --sandbox --on "POST /messages/v4/groups/*/send" --do drop-before --times 99',
  );
  expect((await at(`${line} --settle 0`, { stdin })).code).toBe(11);
  const runs = join(at.folder, "state/runs");
  const [run = ""] = readdirSync(runs).filter((it) => /^\d/.test(it));
  const hint = async (): Promise<unknown> => {
    const { code, err } = await at(line, { stdin });
    expect([code, codeOf(err)], err).toEqual([7, "SentBefore"]);
    return JSON.parse(err).error.hint;
  };
  const asked = `msg run reconcile ${run}`;
  expect(await hint()).toBe(`nothing was sent now; ${asked} checks what became of it`);
  truncateSync(join(runs, run, "journal.log"), 30);
  expect(await hint()).toMatch(new RegExp(`, ${asked} rebuilds it$`));
});

test("what the run of the same rows sent cannot be read: exit 2, and no other run is left that --resume last finds", async () => {
  const at = shell();
  expect((await at(line, { stdin })).code).toBe(0);
  const runs = join(at.folder, "state/runs");
  const [run = ""] = readdirSync(runs).filter((it) => /^\d/.test(it));
  truncateSync(join(runs, run, "run.json"), 100);
  const twice = await at(line, { stdin });
  expect([twice.code, codeOf(twice.err)], twice.err).toEqual([2, "RunNotReadable"]);
  expect(JSON.parse((await at("run list --json")).out)).toMatchObject([{ run }]);
  expect(await held(at)).toBe(2);
});

test("the same rows with their columns in another order, with Korea named, or as JSON, are the same rows", async () => {
  const at = shell();
  const first = "to,text,subject\n01000000001,a,b\n01000000002,c,d\n";
  const others = [
    "subject,to,text\nb,01000000001,a\nd,01000000002,c\n",
    "to,text,subject,country\n01000000001,a,b,82\n01000000002,c,d,\n",
    '{"subject":"b","text":"a","to":"010-0000-0001"}\n{"text":"c","subject":"d","to":"01000000002"}',
  ];
  expect((await at(line, { stdin: first })).code).toBe(0);
  for (const other of others) {
    const twice = await at(line, { stdin: other });
    expect([twice.code, codeOf(twice.err)]).toEqual([7, "SentBefore"]);
  }
  const unset = await at([...line.split(" "), "--country", ""], { stdin: first });
  expect([unset.code, codeOf(unset.err)]).toEqual([7, "SentBefore"]);
  expect(await held(at)).toBe(2);
});

test("the same rows in another order are the same rows", async () => {
  const at = shell();
  expect((await at(line, { stdin })).code).toBe(0);
  const turned = await at(line, { stdin: "to\n01000000002\n01000000001\n" });
  expect([turned.code, codeOf(turned.err)]).toEqual([7, "SentBefore"]);
  const other = await at(line, { stdin: "to\n01000000002\n01000000003\n" });
  expect([other.code, await held(at)], other.err).toEqual([0, 4]);
});

/** Sends the rows from an account whose money is gone when the groups are filled. */
const sendWithoutMoney = (at: Shell, flags: string, options: Options = {}) =>
  at(`${line.replace(" -y", "")} ${flags}`, {
    ...{ stdin, ...options },
    ...meanwhile(at, "--balance 0 --point 0"),
  });

/** A run of the rows that is begun and stands still. */
const stopped = async (): Promise<{ readonly at: Shell; readonly run: string }> => {
  const at = shell();
  const { code, err } = await sendWithoutMoney(at, "--staged");
  expect(code, err).toBe(10);
  const [{ run }] = JSON.parse((await at("run list --json")).out);
  return { at, run };
};

test("a run that was left open, and its rows sent by another since, is gone on with by --again alone", async () => {
  const { at, run } = await stopped();
  await at("sandbox set --sandbox --balance 100000");
  expect((await at(`${line} --staged --again`, { stdin })).code).toBe(0);
  const resumed = await at(`send-many --resume ${run} --sandbox --json`);
  expect([resumed.code, codeOf(resumed.err)]).toEqual([7, "SentBefore"]);
  expect((await at(`run show ${run} --sandbox --json`)).json()).toMatchObject({
    state: "open",
    notSent: 2,
  });
  const again = await at(`send-many --resume ${run} --sandbox --again --json`);
  expect(again.code, again.err).toBe(0);
});

test("a run that somebody cancels while its question stands open sends nothing, and says so: exit 7", async () => {
  const at = shell();
  const many = Array.from({ length: 1_001 }, (_, row) => `0100000${String(row).padStart(4, "0")}`);
  const paste = async (): Promise<string> => {
    expect((await at("run cancel last --sandbox --json")).code).toBe(0);
    return "1001";
  };
  const typed = line.replace(" -y", "");
  const ran = await at(typed, { stdin: `to\n${many.join("\n")}\n`, tty: 80, paste });
  expect([ran.code, codeOf(ran.err)], ran.err).toEqual([7, "Cancelled"]);
  expect(ran.json()).toMatchObject({ state: "cancelled", accepted: 0, notSent: 1_001 });
  expect(await held(at)).toBe(0);
});

test("a run whose rows an older one sent since, which was filled before and sent only then, is gone on with by --again alone", async () => {
  const { at, run } = await stopped();
  await at("sandbox set --sandbox --balance 1000");
  // Filled, and stopped by the request that sends it.
  const now = () => new Date(Date.now() + 60_000);
  const filled = await sendWithoutMoney(at, "--staged --again", { now });
  expect(filled.code, filled.err).toBe(10);
  const other = (await at("run list --json")).json();
  const [later] = Array.isArray(other) ? other.map((it) => it.run).filter((id) => id !== run) : [];
  await at("sandbox set --sandbox --balance 100000");
  const much = () => new Date(Date.now() + 120_000);
  const sent = await at(`send-many --resume ${run} --sandbox --again --json`, { now: much });
  expect(sent.code, sent.err).toBe(0);
  const twice = await at(`send-many --resume ${later} --sandbox --json`, { now: much });
  expect([twice.code, codeOf(twice.err)]).toEqual([7, "SentBefore"]);
  expect((await at(`run show ${later} --sandbox --json`)).json()).toMatchObject({
    state: "open",
    notSent: 2,
  });
});

test("a run that a guard stopped, and its rows sent by another two days before it is gone on with, sends nothing", async () => {
  const at = shell();
  const days = (count: number) => () => new Date(Date.now() + count * 86_400_000);
  const stopped = await at(`${line} --max-recipients 1`, { stdin });
  expect(stopped.code).toBe(7);
  const [{ run }] = JSON.parse((await at("run list --json")).out);
  const other = await at(line, { stdin, now: days(1) });
  expect(other.code, other.err).toBe(0);
  const words = `send-many --resume ${run} --sandbox --max-recipients 2 --json`;
  const late = await at(words, { now: days(3) });
  expect([late.code, codeOf(late.err)]).toEqual([7, "SentBefore"]);
  expect(await held(at)).toBe(2);
  expect((await at(`${words} --again`, { now: days(3) })).code).toBe(0);
});

test.each([
  ["path", "--staged"],
  ["path", "--direct"],
  ["option", "--strict"],
  ["option", "--allow-duplicates"],
])("the same rows by another %s (%s) are the same rows", async (_, flag) => {
  const at = shell();
  expect((await at(line, { stdin })).code).toBe(0);
  const twice = await at(`${line} ${flag}`, { stdin });
  expect([twice.code, codeOf(twice.err)], twice.err).toEqual([7, "SentBefore"]);
  expect(await held(at)).toBe(2);
});

test("the same rows for another hour are other messages", async () => {
  const at = shell();
  expect((await at(line, { stdin })).code).toBe(0);
  const later = await at(`${line} --at ${new Date(Date.now() + 7_200_000).toISOString()}`, {
    stdin,
  });
  expect(later.code, later.err).toBe(0);
});

test("while it is unclear whether rows were scheduled, they are not for another hour", async () => {
  const at = shell(hurried());
  const inMinutes = (count: number) => `${line} --at +${count}m --settle 0`;
  await at(
    'sandbox fault add --sandbox --on "POST /messages/v4/groups/*/schedule" --do drop-before',
  );
  expect((await at(inMinutes(30), { stdin })).code).toBe(11);
  await at("sandbox fault clear --sandbox");
  const next = await at(inMinutes(31), { stdin });
  expect([next.code, codeOf(next.err)], next.err).toEqual([7, "SentBefore"]);
  const known = await at("send-many --resume last --sandbox --json");
  expect([known.code, known.json()], known.err).toMatchObject([0, { state: "scheduled" }]);
  expect((await at(inMinutes(31), { stdin })).code).toBe(0);
});

test("a run whose rows an older one sent since, which was in doubt before and sent only then, is gone on with by --again alone", async () => {
  const at = shell({ ...hurried() });
  const clear = () => at("sandbox fault clear --sandbox");
  const after = (seconds: number) => () => new Date(Date.now() + seconds * 1_000);
  const fail = (what: string) =>
    at(`sandbox fault add --sandbox --on "POST /messages/v4/groups/*/send" --do ${what}`);
  const newest = async (): Promise<string> =>
    JSON.parse((await at("run show last --sandbox --json")).out).run;
  await fail("drop-before");
  expect((await at(`${line} --staged --settle 0`, { stdin })).code).toBe(11);
  await clear();
  const run = await newest();
  await fail("rate-limit");
  const other = await at(`${line} --staged --again`, { stdin, now: after(60) });
  expect(other.code, other.err).toBe(10);
  await clear();
  const later = await newest();
  const sent = await at(`send-many --resume ${run} --sandbox --again --json`, { now: after(120) });
  expect(sent.json(), sent.err).toMatchObject({ state: "done", accepted: 2 });
  const twice = await at(`send-many --resume ${later} --sandbox --json`, { now: after(180) });
  expect([twice.code, codeOf(twice.err)], twice.err).toEqual([7, "SentBefore"]);
});

/** The clock of the machine was days ahead when the run was planned, or begun, and is right again. */
test.each([
  ["planned", "--max-recipients 1", 7],
  ["begun", "--max-recipients 2", 10],
])(
  "a run that was %s with the clock days ahead, and its rows sent by another long before it is gone on with, sends nothing",
  async (_, ceiling, code) => {
    const at = shell({ ...hurried() });
    const days = (count: number) => () => new Date(Date.now() + count * 86_400_000);
    await at(`sandbox fault add --sandbox --on "PUT *" --do rate-limit`);
    const ahead = await at(`${line} --staged ${ceiling}`, { stdin, now: days(5) });
    expect(ahead.code, ahead.err).toBe(code);
    const [{ run }] = JSON.parse((await at("run list --json")).out);
    await at("sandbox fault clear --sandbox");
    const other = await at(`${line} --staged --again`, { stdin });
    expect(other.code, other.err).toBe(0);
    const resume = `send-many --resume ${run} --sandbox --max-recipients 2 --json`;
    for (const later of [1, 3]) {
      const late = await at(resume, { now: days(later) });
      expect([later, late.code, codeOf(late.err)], late.err).toEqual([later, 7, "SentBefore"]);
    }
    expect(await held(at)).toBe(2);
  },
);

const hourMs = 3_600_000;

test("a run that a guard stopped an hour behind another with its rows sends nothing a day later", async () => {
  const clock = testClock();
  const at = shell(clock);
  expect((await at(`${line} --direct`, { stdin })).code).toBe(0);
  clock.pass(hourMs);
  const stopped = await at(`${line} --direct --max-cost 1`, { stdin });
  expect([stopped.code, codeOf(stopped.err)]).toEqual([7, "CostAboveCeiling"]);
  clock.pass(24 * hourMs);
  const late = await at("send-many --resume last --sandbox --max-cost 100 -y --json");
  expect([late.code, codeOf(late.err)], late.err).toEqual([7, "SentBefore"]);
  expect(await held(at)).toBe(2);
});

test("a day counts from when the rows were sent, not from the date that was signed for them", async () => {
  const clock = testClock();
  const at = shell(clock);
  await at(`${line} --direct --max-cost 1`, { stdin });
  clock.pass(6 * hourMs);
  const sent = await at("send-many --resume last --sandbox --max-cost 100 -y --json");
  expect(sent.code, sent.err).toBe(0);
  clock.pass(24 * hourMs - 120_000);
  const soon = await at(`${line} --direct`, { stdin });
  expect([soon.code, codeOf(soon.err)], soon.err).toEqual([7, "SentBefore"]);
  clock.pass(240_000);
  expect((await at(`${line} --direct`, { stdin })).code).toBe(0);
});
