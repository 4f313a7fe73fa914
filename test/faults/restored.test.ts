/**
 * A state folder that is restored from a copy, made at any moment of a run: no row goes out twice. Of the
 * moments of runs that broke off `npm test` plays every second one, others at each place; `EVERY=1` all.
 */
import { cpSync, readdirSync, readFileSync, rmSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { freshFolder } from "../e2e/program.ts";
import { hurried } from "../support/clock.ts";
import { shell } from "../support/msg.ts";
import { share } from "../support/share.ts";
import { envFor, numbersOf, rowsOf, sending } from "./books.ts";
import { type Harm, openLine, type Passing } from "./line.ts";
import { oneService } from "./one-service.ts";
import { several } from "./several.ts";
import { answeringForAnother } from "./strangers.ts";

const { opened, nextBatch } = oneService();

const rows = 6;
const flags = ["--staged", "--chunk", "1", "--group-size", "2", "--concurrency", "1"];

const isSend = ({ method, path }: Passing): boolean => method === "POST" && /\/send$/.test(path);

/** The n-th request that sends, and all behind it, never arrive. */
const breaksAt = (nth: number) => {
  const sends = { count: 0 };
  return (passing: Passing): Harm | undefined => {
    if (isSend(passing)) sends.count += 1;
    return isSend(passing) && sends.count >= nth ? "dropBefore" : undefined;
  };
};

/** A run, and its runs folder as it was at each moment of its requests. */
const copied = async (harm: (passing: Passing) => Harm | undefined) => {
  const first = nextBatch();
  const copies: string[] = [];
  const runs = (folder: string) => join(folder, "state/runs");
  const at = shell({ ...hurried() });
  const line = await openLine({
    to: opened().baseUrl,
    harm,
    on: ({ method }, moment) => {
      if (moment !== "performed" || (copies.length === 0 && method === "GET")) return;
      const copy = freshFolder();
      cpSync(runs(at.folder), copy, { recursive: true });
      copies.push(copy);
    },
  });
  await at(sending(...flags, "--settle", "0", "--json"), {
    stdin: rowsOf(rows, first),
    env: envFor(line),
  });
  await line.stop();
  const counts = () => opened().countsOf(numbersOf(rows, first));
  /** The copy in place of what is there; nobody works on it any more. */
  const restore = (copy: string): void => {
    rmSync(runs(at.folder), { recursive: true });
    cpSync(copy, runs(at.folder), { recursive: true });
    for (const run of readdirSync(runs(at.folder)).filter((it) => !it.startsWith(".")))
      for (const name of readdirSync(join(runs(at.folder), run)))
        if (name.startsWith("lock")) rmSync(join(runs(at.folder), run, name), { recursive: true });
  };
  // An answer may take its time.
  const wait = async (ms: number) => delay(ms);
  const over = (words: string) => at(words, { env: envFor(opened()), wait });
  return { at, copies, restore, counts, over };
};

const done = { state: "done", total: rows, accepted: rows, notSent: 0, unknown: 0 };
const once = Array.from({ length: rows }, () => 1);

test.each([
  ["over", () => undefined, 0],
  ["broken off at its second send", breaksAt(2), rows - 2],
])(
  "restored to any moment of a run that is %s: an export names no row that was sent",
  async (_, harm, unsent) => {
    const { copies, restore, over } = await copied(harm);
    for (const [at, copy] of copies.entries()) {
      restore(copy);
      const { out, code, err } = await over(
        "run export last --status not-sent -o tsv --no-header --fields to",
      );
      const named = out.split("\n").filter(Boolean);
      const sent = opened()
        .countsOf(named)
        .filter((count) => count > 0);
      expect({ at, code, sent, isRight: named.length <= unsent }, err).toEqual({
        ...{ at, code: 0, sent: [], isRight: true },
      });
    }
  },
  120_000,
);

test("restored to any moment of a run that is over: resumed, it sends nothing more and says what was sent", async () => {
  const { copies, restore, counts, over } = await copied(() => undefined);
  expect(counts()).toEqual(once);
  expect(copies.length).toBeGreaterThan(10);
  for (const [at, copy] of copies.entries()) {
    restore(copy);
    const { code, json, err } = await over("send-many --resume last --json");
    expect({ at, code, counts: counts(), said: json() }, err).toMatchObject({
      ...{ at, code: 0, counts: once, said: done },
    });
    expect((await over("run show last --json")).json()).toMatchObject(done);
  }
}, 120_000);

test.each([2, 3])(
  "restored to any moment of a run that broke off at its send %i: resumed, each row goes out once",
  async (nth) => {
    const { copies } = await copied(breaksAt(nth));
    await several(share([...copies.keys()], 2, nth), async (at) => {
      const it = await copied(breaksAt(nth));
      it.restore(it.copies[at] ?? "");
      const { code, json, err } = await it.over("send-many --resume last --json");
      expect([at, code], err).toEqual([at, 0]);
      expect({ at, counts: it.counts(), said: json() }, err).toMatchObject({
        ...{ at, counts: once, said: done },
      });
    });
  },
  120_000,
);

test("restored to before it was begun: the first look finds it, in one line, and nothing is sent twice", async () => {
  const at = shell({ env: envFor(opened()) });
  const first = nextBatch();
  const stdin = rowsOf(rows, first);
  const runs = join(at.folder, "state/runs");
  expect((await at(sending("--staged", "--max-recipients", "1"), { stdin })).code).toBe(7);
  const copy = freshFolder();
  cpSync(runs, copy, { recursive: true });
  const resume = "send-many --resume last --max-recipients 9 --json";
  expect((await at(resume)).code).toBe(0);
  rmSync(runs, { recursive: true });
  cpSync(copy, runs, { recursive: true });
  const { code, json, err } = await at(resume);
  expect([code, json()], err).toMatchObject([0, done]);
  expect(err).toMatch(/^the journal of run \S+ was older than what the service holds .*$/m);
  expect(opened().countsOf(numbersOf(rows, first))).toEqual(once);
});

test("a run that is gone on with makes one read for this, and a new one none", async () => {
  const first = nextBatch();
  const at = shell({ ...hurried() });
  const lists = (requests: readonly Passing[]) =>
    requests.filter(({ path }) => path.startsWith("/messages/v4/list")).length;
  const broken = await openLine({ to: opened().baseUrl, harm: breaksAt(1) });
  const stdin = rowsOf(rows, first);
  const words = sending("--staged", "--settle", "0");
  expect((await at(words, { stdin, env: envFor(broken) })).code).toBe(11);
  await broken.stop();
  const whole = await openLine({ to: opened().baseUrl });
  expect((await at("send-many --resume last", { env: envFor(whole) })).code).toBe(0);
  await whole.stop();
  expect([lists(broken.requests), lists(whole.requests)]).toEqual([0, 1]);
});

test("where the look gets no answer nothing is sent", async () => {
  const at = shell({ ...hurried() });
  const broken = await openLine({ to: opened().baseUrl, harm: breaksAt(1) });
  const stdin = rowsOf(rows, nextBatch());
  const words = sending("--staged", "--settle", "0");
  expect((await at(words, { stdin, env: envFor(broken) })).code).toBe(11);
  await broken.stop();
  const blind = await openLine({
    to: opened().baseUrl,
    harm: ({ path }) => (path.startsWith("/messages/v4/list") ? "failBefore" : undefined),
  });
  const { code, err } = await at("send-many --resume last --json", { env: envFor(blind) });
  await blind.stop();
  expect([code, JSON.parse(err).error.outcome]).toEqual([11, "unknown"]);
  expect(blind.requests.filter(({ method }) => method !== "GET")).toEqual([]);
});

test("a journal that is known to be older, and cannot be rebuilt now, is no proof of anything: exit 11", async () => {
  const { copies, restore, counts, at } = await copied(() => undefined);
  restore(copies[2] ?? "");
  const blind = await openLine({
    to: opened().baseUrl,
    harm: ({ path }) => (/\/groups(\?|$)/.test(path) ? "failBefore" : undefined),
  });
  const { code, err } = await at("send-many --resume last --json", { env: envFor(blind) });
  await blind.stop();
  expect([code, JSON.parse(err).error.outcome]).toEqual([11, "unknown"]);
  expect(err).toContain("is older than what the service holds");
  expect([err.includes("nothing was sent"), counts()]).toEqual([false, once]);
});

test("--direct, the records of the journal lost: a list that answers another request does not send again", async () => {
  const first = nextBatch();
  const { arm, ...answers } = answeringForAnother("list", true, 0);
  const line = await openLine({ to: opened().baseUrl, ...answers });
  const at = shell({ ...hurried(), env: envFor(line) });
  const [nobody = ""] = numbersOf(1, nextBatch());
  expect((await at(`message list --to ${nobody} --json`)).code).toBe(0);
  const flags = ["--direct", "--chunk", "2", "--concurrency", "1", "--json"];
  expect((await at(sending(...flags), { stdin: rowsOf(rows, first) })).code).toBe(0);
  const [run = ""] = readdirSync(join(at.folder, "state/runs")).filter((it) => /^\d/.test(it));
  const journal = join(at.folder, "state/runs", run, "journal.log");
  truncateSync(journal, readFileSync(journal).indexOf("\n") + 1);

  arm(1);
  const { code, json, err } = await at("send-many --resume last --json");
  await line.stop();
  const counts = opened().countsOf(numbersOf(rows, first));
  expect({ code, counts, said: json() }, err).toMatchObject({ code: 0, counts: once, said: done });
});
