/** Runs that cannot be read: they are named, hide no other run, and are never removed. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { diskFiles, type Files } from "../../../src/durable/files.ts";
import { logLine, readLog } from "../../../src/durable/log.ts";
import { listReadableRuns, runRecord } from "../../../src/send/report/run-record.ts";
import { readRun } from "../../../src/send/store/run-folder.ts";
import { leaseOf, processes, random } from "../../durable/faulty.ts";
import { simulated } from "../../support/clock.ts";
import { shell } from "../../support/msg.ts";

const line = "send-many - --sandbox --from 0200000000 --text";
const stdin = "to\n01000000001\n";

/** What two runs that are over leave behind; each test has a copy. */
const left = { state: "", older: "" };
beforeAll(async () => {
  const at = shell();
  left.state = join(at.folder, "state");
  await at(`${line} first`, { stdin });
  left.older = readdirSync(join(left.state, "runs")).find((it) => /^\d/.test(it)) ?? "";
  await at(`${line} second`, { stdin });
});

/** Two runs that are over, the older one of them harmed. */
const harmed = async (harm: (folder: string) => void) => {
  const at = shell();
  const { state, older } = left;
  cpSync(state, join(at.folder, "state"), { recursive: true });
  const runs = join(at.folder, "state/runs");
  harm(join(runs, older));
  return { at, runs, older };
};

const changeRun = (folder: string, from: string | RegExp, to: string): void => {
  const path = join(folder, "run.json");
  writeFileSync(path, readFileSync(path, "utf8").replace(from, to));
};

const replaced = (path: string): void => {
  rmSync(path);
  mkdirSync(path);
};

/** One letter of the first record is another: what follows it is whole. */
const flipped = (folder: string): void => {
  const path = join(folder, "journal.log");
  writeFileSync(path, readFileSync(path, "utf8").replace("RUN", "RUM"));
};

const twice = (folder: string): void => {
  const path = join(folder, "journal.log");
  writeFileSync(path, `${readFileSync(path, "utf8").repeat(2)}`);
};

/** Its own id is in every record of the journal that names one: that of another run has whole records too. */
const renamed = (folder: string): void => {
  const path = join(folder, "journal.log");
  const [first, ...others] = readLog(readFileSync(path), path).records;
  const other = { ...Object(first), run: "20250101-090000000-aaaaaa" };
  writeFileSync(path, [other, ...others].map(logLine).join(""));
};

type Harm = readonly [string, (folder: string) => void];

const damages: readonly Harm[] = [
  ["run.json is cut", (it) => writeFileSync(join(it, "run.json"), '{"version":1,')],
  ["run.json is another run's", (it) => changeRun(it, /"run":"\d+/, '"run":"2025')],
  ["run.json is a folder", (it) => replaced(join(it, "run.json"))],
  ["run.json is gone", (it) => rmSync(join(it, "run.json"))],
  ["a record of the journal is bad", flipped],
  ["the journal is empty", (it) => writeFileSync(join(it, "journal.log"), "")],
  ["the journal is gone", (it) => rmSync(join(it, "journal.log"))],
  ["the journal was cut in its first record", (it) => truncateSync(join(it, "journal.log"), 30)],
  ["the journal was appended to itself", twice],
  ["the journal belongs to another run", (it) => renamed(it)],
];

describe.each(damages)("%s", (_, harm) => {
  test("run list shows it as damaged, all of its rows unknown, beside the others", async () => {
    const { at, older } = await harmed(harm);
    const { code, json } = await at("run list --json");
    const unknown = { accepted: 0, refused: 0, skipped: 0, notSent: 0, unknown: 1, total: 1 };
    expect([code, json()]).toEqual([
      0,
      [
        expect.objectContaining({ state: "done" }),
        expect.objectContaining({ run: older, state: "damaged", ...unknown, cost: null }),
      ],
    ]);
    expect((await at("run list --state damaged --json")).json()).toHaveLength(1);
  });

  test("run show says that it is not known what was sent, and names run reconcile", async () => {
    const { at, older } = await harmed(harm);
    const { code, json, err } = await at(`run show ${older} --sandbox --json`);
    expect([code, json()]).toEqual([0, expect.objectContaining({ state: "damaged", unknown: 1 })]);
    expect(err).toContain(`msg run reconcile ${older} rebuilds it`);
    expect((await at("run show last --sandbox --json")).json()).toMatchObject({ state: "done" });
  });

  test("run purge removes the others and leaves it", async () => {
    const { at, runs, older } = await harmed(harm);
    const { code, json } = await at("run purge --older 0 --json");
    expect([code, json()]).toEqual([0, [expect.objectContaining({ state: "done" })]]);
    expect(readdirSync(runs).filter((it) => /^\d/.test(it))).toEqual([older]);
  });

  test("whoever goes on with it, cancels it or exports its rows is told so: exit 11, outcome unknown", async () => {
    const { at, older } = await harmed(harm);
    for (const verb of [
      `send-many --resume ${older}`,
      `send-many --retry-refused ${older}`,
      `run cancel ${older}`,
      `run export ${older}`,
    ]) {
      const ran = await at(`${verb} --sandbox --json`);
      expect(ran.code, ran.err).toBe(11);
      const { error } = JSON.parse(ran.err);
      expect(error).toMatchObject({ outcome: "unknown" });
      expect(error.message).toContain(`it is not known what of run ${older} was sent`);
      expect(error.hint).toContain(`msg run reconcile ${older}`);
      expect(ran.err).not.toContain("nothing was sent");
    }
    expect((await at("message list --sandbox --json")).json()).toHaveLength(2);
  });

  test("the same rows are not sent by another run: it sends nothing, and says why", async () => {
    const { at, older } = await harmed(harm);
    const again = await at(`${line} first --json`, { stdin });
    expect([2, 7]).toContain(again.code);
    const { error } = JSON.parse(again.err);
    expect(error).toMatchObject({ outcome: "not_sent" });
    expect(error.hint).toContain(`msg run reconcile ${older} rebuilds it`);
    expect((await at("message list --sandbox --json")).json()).toHaveLength(2);
  });
});

describe("run.json is of a newer msg", () => {
  const newer = (folder: string) => changeRun(folder, '"version":2', '"version":3');

  test("run list shows the others and names it: exit 2", async () => {
    const { at, older } = await harmed(newer);
    const { code, json, err } = await at("run list --json");
    expect([code, json()]).toEqual([2, [expect.objectContaining({ state: "done" })]]);
    expect(JSON.parse(err).error).toMatchObject({
      code: "RunNotReadable",
      outcome: "unknown",
      details: [{ field: `run ${older}`, text: expect.stringContaining("newer msg") }],
    });
  });

  test("by its name it is an error that says where; it is not removed", async () => {
    const { at, runs, older } = await harmed(newer);
    const named = await at(`run show ${older} --sandbox`);
    expect([named.code, named.err]).toEqual([2, expect.stringContaining(older)]);
    expect((await at("run purge --older 0 --json")).code).toBe(2);
    expect(readdirSync(runs).filter((it) => /^\d/.test(it))).toEqual([older]);
  });

  test("a person reads which it is, why, and what to do", async () => {
    const { at, runs, older } = await harmed(newer);
    const { out, err } = await at("run list");
    expect(out).toMatch(/\tdone\tsandbox\n$/);
    expect(err.replaceAll(runs, "…")).toMatch(
      new RegExp(
        `^error: 1 run cannot be read; all others can\n {2}…\n {2}run ${older}: .*\n {2}do not send`,
      ),
    );
  });
});

test("what is not ours in the folder of runs is passed over", async () => {
  const { at, runs } = await harmed(() => undefined);
  writeFileSync(join(runs, "notes.txt"), "x");
  writeFileSync(join(runs, "20260101-090000000-aaaaaa"), "a file, not a folder");
  mkdirSync(join(runs, "20260101-090000000-bbbbbb"));
  mkdirSync(join(runs, "backup"));
  const { code, json, err } = await at("run list --json");
  expect([code, json(), err]).toEqual([0, [expect.anything(), expect.anything()], ""]);
  expect((await at("run purge --older 0 --json")).code).toBe(0);
  expect((await at(`${line} third`, { stdin })).code).toBe(0);
  expect(existsSync(join(runs, "notes.txt"))).toBe(true);
});

test("run purge removes what is left of planning that never ended; what may still be under way stays", async () => {
  const at = shell();
  const runs = join(at.folder, "state/runs");
  await at(`${line} x`, { stdin });
  const [young = ""] = readdirSync(runs).filter((it) => /^\d/.test(it));
  rmSync(join(runs, young, "run.json"));
  rmSync(join(runs, young, "journal.log"));
  const old = "20250101-090000000-aaaaaa";
  mkdirSync(join(runs, old));
  writeFileSync(join(runs, old, "plan.jsonl"), "{}\n");
  const remaining = () => readdirSync(runs).filter((it) => /^\d/.test(it));
  const rehearsed = await at("run purge --older 0 -n");
  expect([rehearsed.code, remaining()]).toEqual([0, [old, young]]);
  const { code, err } = await at("run purge --older 0");
  expect([code, remaining()]).toEqual([0, [young]]);
  expect(err).toContain("unfinished plans removed: 1");
});

/** The folder of the runs, whose files are read by `read`. */
const storeAt = (runs: string, read: Files["read"]) => {
  const now = () => new Date();
  const own = { processes: processes("7"), user: process.getuid?.(), random, now };
  return { files: { ...diskFiles, read }, folder: runs, ...own, ...simulated() };
};

test("a run that another msg removes while it is read is none that cannot be read", async () => {
  const { runs, older } = await harmed(() => undefined);
  const store = storeAt(runs, (path) => {
    if (path.includes(older)) rmSync(join(runs, older), { recursive: true, force: true });
    return diskFiles.read(path);
  });
  const { runs: found, ending } = listReadableRuns(store);
  expect([found.map(({ row }) => row.state), ending]).toEqual([["done"], undefined]);
});

test("a run that ends while its journal is read is running, not one of an unknown outcome", async () => {
  const { runs, older } = await harmed(() => undefined);
  const [journal, lock] = [join(runs, older, "journal.log"), join(runs, older, "lock")];
  const [whole, free] = [readFileSync(journal, "utf8"), readFileSync(lock, "utf8")];
  writeFileSync(journal, whole.slice(0, whole.lastIndexOf("\n", whole.indexOf('"ADD_OK"')) + 1));
  writeFileSync(lock, leaseOf("6"));
  const ending: Files["read"] = (path) => {
    const bytes = diskFiles.read(path);
    if (path === journal) writeFileSync(journal, whole);
    if (path === journal) writeFileSync(lock, free);
    return bytes;
  };
  const store = storeAt(runs, ending);
  const stateOf = () => runRecord(store, readRun(store, older)).state;
  expect([stateOf(), stateOf()]).toEqual(["running", "done"]);
});

test("a run whose process a power cut ended is running no more, once its lease has been silent for long", async () => {
  const { runs, older } = await harmed(() => undefined);
  const lock = join(runs, older, "lock");
  writeFileSync(lock, leaseOf("6"));
  const store = storeAt(runs, diskFiles.read);
  const stateAt = (secondsAgo: number): string => {
    const changed = Date.now() / 1000 - secondsAgo;
    utimesSync(lock, changed, changed);
    return runRecord(store, readRun(store, older)).state;
  };
  expect([stateAt(5), stateAt(120), stateAt(-120)]).toEqual(["running", "done", "done"]);
});
