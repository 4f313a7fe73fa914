/** A run whose files are damaged is never "nothing was sent": it is rebuilt from the service, and each row goes out once. */
import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { freshFolder } from "../e2e/program.ts";
import { hurried } from "../support/clock.ts";
import { shell } from "../support/msg.ts";
import { envFor, numbersOf, openService, rowsOf, sending } from "./books.ts";
import { openLine, type Passing } from "./line.ts";

const rows = 6;
const paths = {
  groups: ["--staged", "--chunk", "1", "--group-size", "2"],
  direct: ["--direct", "--chunk", "2", "--concurrency", "1"],
} as const;
type Path = keyof typeof paths;

const isSend = ({ method, path }: Passing): boolean =>
  method === "POST" && /\/send(-many)?$/.test(path);

/** Notes may stand before it. */
const errorIn = (err: string) => JSON.parse(err.slice(err.indexOf('{"error"'))).error;

const isLost = (name: string): boolean => name.includes("journal.log");

const serviceAlone = async (now = () => new Date()) => {
  const service = await openService(freshFolder(), now);
  onTestFinished(() => service.stop());
  return { service, env: envFor(service) };
};

/** A run whose second request that sends never arrives: some rows are sent, and its process has ended. */
const halfSent = async (path: Path, ...more: readonly string[]) => {
  const sends = { count: 0 };
  const clock = { aheadMs: 0 };
  const now = () => new Date(Date.now() + clock.aheadMs);
  const { service, env } = await serviceAlone(now);
  const line = await openLine({
    to: service.baseUrl,
    harm: (passing) => {
      if (isSend(passing)) sends.count += 1;
      return isSend(passing) && sends.count > 1 ? "dropBefore" : undefined;
    },
  });
  const at = shell({ env: envFor(line), ...hurried() });
  const ran = await at(sending(...paths[path], ...more, "--settle", "0", "--json"), {
    stdin: rowsOf(rows),
  });
  await line.stop();
  expect(ran.code, ran.err).toBe(11);
  const runs = join(at.folder, "state/runs");
  const [run = ""] = readdirSync(runs).filter((it) => /^\d/.test(it));
  const counts = () => service.countsOf(numbersOf(rows));
  expect(counts()).toEqual([1, 1, 0, 0, 0, 0]);
  const over = (words: string) => at(words, { env, now });
  return { run, clock, counts, over, folder: join(runs, run) };
};

const journalIn = (folder: string): string => join(folder, "journal.log");

const flip = (folder: string): void => {
  const bytes = readFileSync(journalIn(folder));
  const at = bytes.lastIndexOf("_INTENT");
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
  writeFileSync(journalIn(folder), bytes);
};

const changeRun = (folder: string, from: string, to: string): void => {
  const path = join(folder, "run.json");
  writeFileSync(path, readFileSync(path, "utf8").replace(from, to));
};

const damages: Readonly<Record<string, (folder: string) => void>> = {
  "journal.log emptied": (it) => writeFileSync(journalIn(it), ""),
  "journal.log filled with zeros": (it) =>
    writeFileSync(journalIn(it), Buffer.alloc(readFileSync(journalIn(it)).length)),
  "journal.log cut in its first record": (it) => truncateSync(journalIn(it), 40),
  "journal.log appended to itself": (it) =>
    writeFileSync(journalIn(it), readFileSync(journalIn(it), "utf8").repeat(2)),
  "a bit of journal.log flipped": flip,
  "journal.log removed": (it) => rmSync(journalIn(it)),
  "run.json removed": (it) => rmSync(join(it, "run.json")),
  "a letter of run.json changed": (it) => changeRun(it, '"digest":"', '"digest":"f'),
  "the hour of run.json changed": (it) =>
    changeRun(it, '"total":', '"scheduledDate":"2030-01-01T09:00:00.000Z","total":'),
  "the place of a body in run.json changed": (it) => changeRun(it, '"rows":', '"rows":1'),
  "run.json cut": (it) => truncateSync(join(it, "run.json"), 100),
  "run.json removed and a bit of journal.log flipped": (it) => {
    rmSync(join(it, "run.json"));
    flip(it);
  },
};

describe.each(Object.entries(damages))("%s", (name, harm) => {
  test.each(["groups", "direct"] as const)(
    "path %s: it is not known what was sent; rebuilt and resumed: each row once, the counts add up",
    async (path) => {
      const { run, clock, counts, over, folder } = await halfSent(path);
      harm(folder);
      expect((await over("run list --json")).json()).toMatchObject([
        { run, state: "damaged", total: rows, accepted: 0, notSent: 0, unknown: rows },
      ]);
      const resumed = await over(`send-many --resume ${run} --json`);
      expect([resumed.code, JSON.parse(resumed.err).error.outcome]).toEqual([11, "unknown"]);
      expect(resumed.err).toContain(`msg run reconcile ${run} rebuilds it`);
      expect(resumed.err).not.toContain("nothing was sent");
      // A call may still be on its way; what a group became is known at once.
      const needsTime = path === "direct" && isLost(name);
      if (needsTime) {
        const early = await over(`run reconcile ${run} --json`);
        expect([early.code, errorIn(early.err).code]).toEqual([11, "TooEarly"]);
        expect(early.err).toMatch(/msg run reconcile \S+ rebuilds it after \d{4}-/);
        clock.aheadMs = 17 * 60_000;
      }
      const rebuilt = await over(`run reconcile ${run} --settle 0 --json`);
      expect(counts()).toEqual([1, 1, 0, 0, 0, 0]);
      if (isLost(name)) {
        expect([rebuilt.code, rebuilt.json()], rebuilt.err).toMatchObject([
          0,
          { state: "open", accepted: 2, notSent: 4, unknown: 0 },
        ]);
        expect(rebuilt.err).toContain("2 accepted, 0 refused, 4 not sent");
      }
      clock.aheadMs = 17 * 60_000;
      const last = await over(`send-many --resume ${run} --json`);
      expect([last.code, counts()], last.err).toEqual([0, [1, 1, 1, 1, 1, 1]]);
      expect(last.json()).toMatchObject({ accepted: rows, notSent: 0, unknown: 0 });
      expect((await over("run list --json")).json()).toMatchObject([{ run, state: "done" }]);
    },
  );
});

test("of a direct run that lost the end of its journal nothing is sent while a call may be under way", async () => {
  const { run, clock, counts, over, folder } = await halfSent("direct");
  truncateSync(journalIn(folder), readFileSync(journalIn(folder)).lastIndexOf("_INTENT"));
  const resumed = await over(`send-many --resume ${run} --json`);
  expect([resumed.code, JSON.parse(resumed.err).error.message]).toEqual([
    11,
    `the journal has lost its end: it is not known what of run ${run} was sent`,
  ]);
  const early = await over(`run reconcile ${run} --json`);
  expect([early.code, errorIn(early.err).code]).toEqual([11, "TooEarly"]);
  expect(counts()).toEqual([1, 1, 0, 0, 0, 0]);
  clock.aheadMs = 17 * 60_000;
  await over(`run reconcile ${run} --settle 0 --json`);
  const last = await over(`send-many --resume ${run} --json`);
  expect([last.code, counts()], last.err).toEqual([0, [1, 1, 1, 1, 1, 1]]);
});

test("of a run with groups the end of the journal may be lost: each of them is sent once", async () => {
  const { run, counts, over, folder } = await halfSent("groups");
  truncateSync(journalIn(folder), readFileSync(journalIn(folder)).lastIndexOf("_INTENT"));
  const last = await over(`send-many --resume ${run} --json`);
  expect([last.code, counts()], last.err).toEqual([0, [1, 1, 1, 1, 1, 1]]);
});

test("what neither the journal nor the plan can tell is said clearly, with where to look: exit 11", async () => {
  const { run, counts, over, folder } = await halfSent("groups");
  rmSync(join(folder, "run.json"));
  writeFileSync(journalIn(folder), "");
  for (const verb of [`run show ${run}`, `send-many --resume ${run}`, `run reconcile ${run}`]) {
    const { code, err } = await over(`${verb} --json`);
    expect([code, JSON.parse(err).error.outcome]).toEqual([11, "unknown"]);
    expect(err).toContain(`it is not known what of run ${run} was sent`);
  }
  const { error } = JSON.parse((await over(`run reconcile ${run} --json`)).err);
  expect(error).toMatchObject({ code: "CannotRebuild" });
  expect(error.hint).toContain(`msg.run ${run}`);
  const listed = await over("run list --json");
  expect([listed.code, errorIn(listed.err).outcome]).toEqual([2, "unknown"]);
  expect(counts()).toEqual([1, 1, 0, 0, 0, 0]);
});

test("a run without marks cannot be found at the service: it is said so, and nothing is sent", async () => {
  const { run, counts, over, folder } = await halfSent("groups", "--no-tag");
  writeFileSync(journalIn(folder), "");
  const { code, err } = await over(`run reconcile ${run} --json`);
  expect([code, JSON.parse(err).error.code]).toEqual([11, "CannotRebuild"]);
  expect(err).toContain("--no-tag");
  expect(counts()).toEqual([1, 1, 0, 0, 0, 0]);
});

test("a service that cannot be asked leaves it unknown what was sent, and the journal as it is", async () => {
  const { run, over, folder } = await halfSent("direct");
  writeFileSync(journalIn(folder), "");
  const line = await openLine({ to: "http://127.0.0.1:9", harm: () => "failBefore" });
  const { code, err } = await over(`run reconcile ${run} --json --base-url ${line.baseUrl}`);
  await line.stop();
  expect([code, errorIn(err).outcome], err).toEqual([11, "unknown"]);
  expect(errorIn(err).hint).toContain(`run reconcile ${run}`);
  expect(readFileSync(journalIn(folder), "utf8")).toBe("");
});

test("a rehearsal rebuilds nothing", async () => {
  const { run, over, folder } = await halfSent("groups");
  writeFileSync(journalIn(folder), "");
  const ran = await over(`run reconcile ${run} -n --json`);
  expect([ran.code, ran.json()]).toMatchObject([0, { state: "damaged", unknown: rows }]);
  expect(readFileSync(journalIn(folder), "utf8")).toBe("");
});

test("the journal that was damaged is kept beside the new one, each under a name of its own", async () => {
  const { run, over, folder } = await halfSent("groups");
  for (const text of ["first", "second"]) {
    writeFileSync(journalIn(folder), text);
    expect((await over(`run reconcile ${run} --settle 0`)).code).toBe(0);
  }
  const kept = (nth: number) => readFileSync(join(folder, `journal.damaged-${nth}.log`), "utf8");
  expect([kept(1), kept(2)]).toEqual(["first", "second"]);
});

test("send --once whose journal is damaged sends nothing more until it is rebuilt", async () => {
  const { service, env } = await serviceAlone();
  const at = shell({ env, ...hurried() });
  const send = "send --to 01050000000 --from 0200000000 --text x --once order-1 --json";
  expect((await at(send)).code).toBe(0);
  const runs = join(at.folder, "state/runs");
  const [run = ""] = readdirSync(runs).filter((it) => /^[0-9a-f]{32}$/.test(it));
  writeFileSync(journalIn(join(runs, run)), "");
  const again = await at(send);
  expect([again.code, JSON.parse(again.err).error.outcome]).toEqual([11, "unknown"]);
  expect((await at("run reconcile order-1 --json")).json()).toMatchObject({ accepted: 1 });
  expect([(await at(send)).code, service.books().get("01050000000")]).toEqual([0, 1]);
});

test("a journal that cannot be rebuilt for the line is broken: exit 11, and it is not said that nothing was changed", async () => {
  const { run, counts, over, folder } = await halfSent("direct");
  writeFileSync(journalIn(folder), "");
  const reconciled = await over(`run reconcile ${run} --base-url http://127.0.0.1:1 --json`);
  const { outcome, message } = errorIn(reconciled.err);
  expect([reconciled.code, outcome], reconciled.err).toEqual([11, "unknown"]);
  expect(message).not.toContain("nothing was");
  expect(counts()).toEqual([1, 1, 0, 0, 0, 0]);
});

test.each([
  ["were sent", undefined, 0, rows],
  ["may still be", "dropBefore", 11, 0],
] as const)(
  "a list of groups without those of the run, which %s, as the answer to another request, has no row called not sent",
  async (_, harmOfSends, code, accepted) => {
    const { service, env } = await serviceAlone();
    const at = shell({ env, ...hurried() });
    const sendsOver = await openLine({
      to: service.baseUrl,
      harm: (passing) => (isSend(passing) ? harmOfSends : undefined),
    });
    const words = sending(...paths.groups, "--settle", "0", "--json");
    const ran = await at(words, { stdin: rowsOf(rows), env: envFor(sendsOver) });
    await sendsOver.stop();
    expect(ran.code, ran.err).toBe(code);
    const runs = join(at.folder, "state/runs");
    const [run = ""] = readdirSync(runs).filter((it) => /^\d/.test(it));
    writeFileSync(journalIn(join(runs, run)), "");
    const rewrite = (body: string) => JSON.stringify({ ...JSON.parse(body), groupList: {} });
    const line = await openLine({
      to: service.baseUrl,
      harm: ({ path }) => (/\/groups(\?|$)/.test(path) ? { rewrite } : undefined),
    });
    const misled = await at(`run reconcile ${run} --json`, { env: envFor(line) });
    await line.stop();
    expect([misled.code, errorIn(misled.err).outcome], misled.err).toEqual([11, "unknown"]);
    expect((await at(`run reconcile ${run} --json`)).json()).toMatchObject({ accepted });
  },
);
