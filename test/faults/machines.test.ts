/** Machines that know nothing of each other send the same list, as containers and laptops do: each row once. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { ended, program } from "../e2e/program.ts";
import { hurried } from "../support/clock.ts";
import { shell } from "../support/msg.ts";
import { countOf } from "../support/share.ts";
import { atHome } from "./at-home.ts";
import { envFor, numbersOf, rowsOf, sending } from "./books.ts";
import { type Line, openLine, type Passing } from "./line.ts";
import { oneService } from "./one-service.ts";

const { opened, nextBatch } = oneService();
const rows = 6;
const words = sending("--chunk", "2", "--group-size", "2", "--json");

const isSend = ({ method, path }: Passing): boolean => method === "POST" && path.endsWith("/send");

const list = () => {
  const first = nextBatch();
  const sent = (): number[] => opened().countsOf(numbersOf(rows, first));
  return { stdin: rowsOf(rows, first), sent };
};

/** A line on which it is two minutes later: whoever was at work before has stopped. */
const laterLine = (): Promise<Line> =>
  openLine({ to: opened().baseUrl, date: () => new Date(Date.now() + 120_000) });

const once = Array.from({ length: rows }, () => 1);
const errorOf = (err: string): unknown => JSON.parse(err.trim().split("\n").at(-1) ?? "{}").error;

test.each([
  ["is empty", '"nextKey":""'],
  ["is left out", '"limit":500'],
])("nextKey of a last page of groups %s: rows are sent, and by one machine", async (_, end) => {
  const { stdin, sent } = list();
  const rewrite = (body: string) => body.replace('"nextKey":null', end);
  const line = await openLine({
    to: opened().baseUrl,
    harm: ({ method, path }) =>
      method === "GET" && path === "/messages/v4/groups" ? { rewrite } : undefined,
  });
  const first = await shell()(words, { stdin, env: envFor(line) });
  expect([first.code, sent()], first.err).toEqual([0, once]);
  const other = await shell()(words, { stdin, env: envFor(line) });
  expect([other.code, sent()], other.err).toEqual([7, once]);
  await line.stop();
});

test("the state folder is lost behind the run: the same command sends nothing, and names what did", async () => {
  const { stdin, sent } = list();
  const env = envFor(opened());
  const first = await shell()(words, { stdin, env });
  expect(first.code, first.err).toBe(0);
  const again = await shell()(words, { stdin, env });
  expect([again.code, again.out, sent()], again.err).toEqual([7, "", once]);
  const { groups } = JSON.parse(first.out);
  const error = errorOf(again.err);
  expect(error).toMatchObject({ code: "SentBefore", exitCode: 7 });
  for (const group of groups) expect(JSON.stringify(error)).toContain(group);
});

test("groups count from when they were sent: the same list a day behind that is another sending", async () => {
  const { stdin, sent } = list();
  const env = envFor(opened());
  const first = await shell()(words, { stdin, env });
  expect(first.code, first.err).toBe(0);
  // Of its three groups, by thirty hours.
  const back = (column: string): void => {
    const newest = "seq > (SELECT max(seq) - 3 FROM groups)";
    opened().rows(`UPDATE groups SET ${column} = ${column} - 108000000 WHERE ${newest}`);
  };
  back("created");
  const soon = await shell()(words, { stdin, env });
  expect([soon.code, sent()], soon.err).toEqual([7, once]);
  back("sent");
  const nextDay = await shell()(words, { stdin, env });
  expect([nextDay.code, sent()], nextDay.err).toEqual([0, once.map((it) => it + 1)]);
});

test.each(["arrived", "performed"] as const)(
  "killed when its second send has %s, its state folder lost: another machine sends what is left, exit 0",
  async (at) => {
    const { stdin, sent } = list();
    const sends = { count: 0 };
    const killing: { kill?: () => void } = {};
    const line = await openLine({
      to: opened().baseUrl,
      on: (passing, moment) => {
        if (isSend(passing) && moment === "arrived") sends.count += 1;
        if (isSend(passing) && moment === at && sends.count === 2) killing.kill?.();
      },
    });
    const single = [...words, "--concurrency", "1"];
    const child = program().start(single, { stdin, env: envFor(line) });
    killing.kill = () => child.kill("SIGKILL");
    await ended(child);
    await line.stop();
    expect(sent()).toEqual(once.map((_, row) => (row < 4 ? 1 : 0)));
    const later = await laterLine();
    const { code, out, err } = await shell()(words, { stdin, env: envFor(later) });
    await later.stop();
    expect([code, sent()], err).toEqual([0, once]);
    expect(JSON.parse(out)).toMatchObject({ state: "done", accepted: rows });
  },
);

test("killed before its second group is verified, another machine sends all: resumed it ends, exit 7", async () => {
  const { stdin, sent } = list();
  const reads = { count: 0 };
  const killing: { kill?: () => void } = {};
  const line = await openLine({
    to: opened().baseUrl,
    on: ({ method, path }, moment) => {
      if (method !== "GET" || !/\/groups\/\w+$/.test(path) || moment !== "arrived") return;
      reads.count += 1;
      if (reads.count === 2) killing.kill?.();
    },
  });
  const msg = atHome();
  const child = msg.start(words, { stdin, env: envFor(line) });
  killing.kill = () => child.kill("SIGKILL");
  await ended(child);
  await line.stop();
  const later = await laterLine();
  const other = await shell()(words, { stdin, env: envFor(later) });
  await later.stop();
  expect([other.code, sent()], other.err).toEqual([0, once]);
  const { code, err } = await msg(["send-many", "--resume", "last", "--json"], {
    env: envFor(opened()),
  });
  expect([code, sent()], err).toEqual([7, once]);
});

test("two machines at once: one of them sends, or each a part, and both say what is true", async () => {
  for (let round = 0; round < countOf(3, 1); round += 1) {
    const { stdin, sent } = list();
    const env = envFor(opened());
    const both = await Promise.all([program(), program()].map((msg) => msg(words, { stdin, env })));
    const told = both.map(({ err }) => err).join("\n");
    expect(sent(), told).toEqual(once);
    const codes = both.map(({ code }) => code).sort();
    expect(
      [
        [0, 0],
        [0, 7],
      ],
      told,
    ).toContainEqual(codes);
  }
}, 120_000);

test("--no-wait: a machine that is at work on the same rows is not waited for, exit 7", async () => {
  const { stdin, sent } = list();
  const second: { ran?: Promise<unknown> } = {};
  const line = await openLine({
    to: opened().baseUrl,
    on: async (passing, moment) => {
      if (!isSend(passing) || moment !== "arrived" || second.ran) return;
      const ran = program()([...words, "--no-wait"], { stdin, env: envFor(opened()) });
      second.ran = ran;
      expect(errorOf((await ran).err)).toMatchObject({ code: "SentElsewhere", exitCode: 7 });
    },
  });
  const { code, err } = await shell()(words, { stdin, env: envFor(line) });
  await line.stop();
  expect([code, sent()], err).toEqual([0, once]);
  expect(second.ran).toBeDefined();
});

test("a run lists the groups of others twice, however many it makes of its own", async () => {
  const { stdin, sent } = list();
  const line = await openLine({ to: opened().baseUrl });
  const { code, err } = await shell()(words, { stdin, env: envFor(line) });
  await line.stop();
  expect([code, sent()], err).toEqual([0, once]);
  const lists = line.requests.filter(
    ({ method, path }) => method === "GET" && path === "/messages/v4/groups",
  );
  // One more is that of the quota: what is being sent counts as used.
  expect(lists).toHaveLength(3);
});

test("--again sends the rows once more, whoever sent them", async () => {
  const { stdin, sent } = list();
  const env = envFor(opened());
  for (const more of [[], ["--again"]]) {
    const { code, err } = await shell()([...words, ...more], { stdin, env });
    expect(code, err).toBe(0);
  }
  expect(sent()).toEqual(once.map(() => 2));
});

test("a chunk that another machine has sent in part: the rows that were not sent are the others alone", async () => {
  const { stdin, sent } = list();
  const sends = { count: 0 };
  // The first send is answered, all behind it are lost.
  const harm = (passing: Passing) => {
    if (isSend(passing)) sends.count += 1;
    return isSend(passing) && sends.count > 1 ? ("dropBefore" as const) : undefined;
  };
  const line = await openLine({ to: opened().baseUrl, harm });
  await shell(hurried())([...words, "--settle", "1s"], { stdin, env: envFor(line) });
  await line.stop();
  const date = () => new Date(Date.now() + 120_000);
  const later = await openLine({ to: opened().baseUrl, date, harm });
  const other = shell({ ...hurried(), env: envFor(later) });
  expect((await other(sending("--settle", "1s"), { stdin })).code).toBe(11);
  const exported = async (status: string) =>
    (await other(`run export last --status ${status} -o csv --fields to`)).out.split("\n");
  expect(await exported("unknown")).toEqual(["to", ...stdin.split("\n").slice(3)]);
  const cancelled = await other("run cancel last --json");
  expect(cancelled.json()).toMatchObject({ accepted: 2, notSent: 4 });
  await later.stop();
  expect(sent()).toEqual([1, 1, 0, 0, 0, 0]);
  expect(await exported("not-sent")).toEqual(["to", ...stdin.split("\n").slice(3)]);
});

test.each([
  ["no group", /\/groups$/],
  ["an empty group", /\/messages$/],
])(
  "a run that had made %s is cancelled when another machine has sent its rows: exit 10, none is not sent",
  async (_, path) => {
    const { stdin, sent } = list();
    const line = await openLine({
      to: opened().baseUrl,
      harm: (it) => (it.method !== "GET" && path.test(it.path) ? "dropBefore" : undefined),
    });
    const first = shell({ ...hurried(), env: envFor(line) });
    expect((await first([...words, "--settle", "1s"], { stdin })).code).toBe(10);
    await line.stop();
    const later = await laterLine();
    const other = await shell()(words, { stdin, env: envFor(later) });
    await later.stop();
    expect([other.code, sent()], other.err).toEqual([0, once]);
    const cancelled = await first("run cancel last --json", { env: envFor(opened()) });
    expect([cancelled.code, cancelled.json()], cancelled.err).toMatchObject([
      10,
      { state: "done", accepted: rows, notSent: 0 },
    ]);
    expect((await first("run export last --status not-sent -o jsonl")).out).toBe("");
  },
);

test("a cancelled run of a plan that another machine has begun to send since: its export warns", async () => {
  const line = await openLine({
    to: opened().baseUrl,
    harm: ({ path }) => (path.endsWith("/send") ? "dropBefore" : undefined),
  });
  const [first, other] = [0, 1].map(() => shell({ ...hurried(), env: envFor(line) }));
  if (!first || !other) throw new Error("there are two machines");
  const plan = join(first.folder, "july.msgplan");
  expect((await first([...words, "--plan-out", plan], { stdin: list().stdin })).code).toBe(0);
  const send = ["send-many", "--plan", plan, "--settle", "1s"];
  expect((await first(send)).code).toBe(11);
  expect((await first("run cancel last")).code).toBe(0);
  expect((await other(send)).code).toBe(11);
  const rest = await first("run export last --status not-sent -o jsonl");
  await line.stop();
  expect(rest.err).toContain("cannot rule out that others have sent, or are sending");
});

test.each([
  ["sends", []],
  ["schedules", ["--at", new Date(Date.now() + 3 * 3_600_000).toISOString()]],
])(
  "a cancelled run whose rows another machine %s since: they are exported as accepted, and offline with a warning",
  async (_, how) => {
    const planned = [...words, ...how];
    const { stdin } = list();
    const line = await openLine({
      to: opened().baseUrl,
      harm: ({ method, path }) =>
        method === "POST" && /\/(send|schedule)$/.test(path) ? "dropBefore" : undefined,
    });
    const first = shell({ ...hurried(), env: envFor(line) });
    expect((await first([...planned, "--settle", "1s"], { stdin })).code).toBe(11);
    const cancelled = await first("run cancel last --json");
    expect(cancelled.json(), cancelled.err).toMatchObject({ state: "cancelled", notSent: rows });
    await line.stop();
    const other = await shell()(planned, { stdin, env: envFor(opened()) });
    expect(other.code, other.err).toBe(0);
    const status = "run export last --status not-sent -o jsonl";
    const rest = await first(status, { env: envFor(opened()) });
    expect([rest.code, rest.out], rest.err).toEqual([0, ""]);
    const offline = await first(status);
    expect([offline.code, offline.out.trim().split("\n")], offline.err).toMatchObject([
      0,
      { length: rows },
    ]);
    expect(offline.err).toContain(
      "cannot rule out that others have sent, or are sending, some of the unsent",
    );
    const whole = await first("run export last -o csv --fields status", { env: envFor(opened()) });
    expect(whole.out.split("\n")).toEqual(["status", ...once.map(() => "accepted"), ""]);
  },
);
