/** Runs that cannot be read: they are named, hide no other run, and are never removed. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readableRuns } from "../../../src/commands/run/readable.ts";
import { diskFiles, type Files } from "../../../src/durable/files.ts";
import { processes, random } from "../../durable/faulty.ts";
import { simulated } from "../../support/clock.ts";
import { shell } from "../../support/msg.ts";

const line = "send-many - --sandbox --from 0200000000 --text";
const stdin = "to\n01000000001\n";

/** Two runs that are over, the older one of them harmed. */
const harmed = async (harm: (folder: string) => void) => {
  const at = shell();
  await at(`${line} first`, { stdin });
  const runs = join(at.folder, "state/runs");
  const [older = ""] = readdirSync(runs).filter((it) => /^\d/.test(it));
  await at(`${line} second`, { stdin });
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

const damages: readonly (readonly [string, (folder: string) => void, string])[] = [
  ["run.json is cut", (it) => writeFileSync(join(it, "run.json"), '{"version":1,'), "is damaged"],
  ["run.json is of a newer msg", (it) => changeRun(it, '"version":1', '"version":2'), "newer msg"],
  ["run.json is another run's", (it) => changeRun(it, /"run":"\d+/, '"run":"2025'), "is damaged"],
  ["run.json is a folder", (it) => replaced(join(it, "run.json")), "a folder where a file"],
  ["run.json is gone", (it) => rmSync(join(it, "run.json")), "ENOENT"],
  ["a record of the journal is bad", flipped, "damaged"],
];

describe.each(damages)("%s", (_, harm, words) => {
  test("run list shows the others and names it: exit 2", async () => {
    const { at, older } = await harmed(harm);
    const { code, json, err } = await at("run list --json");
    expect([code, json()]).toEqual([2, [expect.objectContaining({ state: "done" })]]);
    expect(JSON.parse(err).error).toMatchObject({
      code: "RunNotReadable",
      outcome: "not_sent",
      details: [{ field: `run ${older}`, text: expect.stringContaining(words) }],
    });
  });

  test("run purge removes the others and leaves it: exit 2", async () => {
    const { at, runs, older } = await harmed(harm);
    const { code, json } = await at("run purge --older 0 --json");
    expect([code, json()]).toEqual([2, [expect.objectContaining({ state: "done" })]]);
    expect(readdirSync(runs).filter((it) => /^\d/.test(it))).toEqual([older]);
  });

  test("by its name it is an error that says where; the newest run is shown", async () => {
    const { at, older } = await harmed(harm);
    const named = await at(`run show ${older} --sandbox`);
    expect([named.code, named.err]).toEqual([2, expect.stringContaining(older)]);
    expect((await at("run show last --sandbox --json")).json()).toMatchObject({ state: "done" });
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

test("a person reads which it is, why, and what to do", async () => {
  const { at, runs, older } = await harmed(flipped);
  const { out, err } = await at("run list");
  expect(out).toMatch(/\tdone\n$/);
  expect(err.replaceAll(runs, "…")).toMatch(
    new RegExp(
      `^error: one run cannot be read; all others can\n {2}…\n {2}run ${older}: .*\n {2}look`,
    ),
  );
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
  const left = () => readdirSync(runs).filter((it) => /^\d/.test(it));
  const rehearsed = await at("run purge --older 0 -n");
  expect([rehearsed.code, left()]).toEqual([0, [old, young]]);
  const { code, err } = await at("run purge --older 0");
  expect([code, left()]).toEqual([0, [young]]);
  expect(err).toContain("planning that never ended, which were removed: 1");
});

test("a run that another msg removes while it is read is none that cannot be read", async () => {
  const { runs, older } = await harmed(() => undefined);
  const read: Files["read"] = (path) => {
    if (path.includes(older)) rmSync(join(runs, older), { recursive: true, force: true });
    return diskFiles.read(path);
  };
  const files = { ...diskFiles, read };
  const own = { processes: processes("7"), user: process.getuid?.(), random };
  const store = { files, folder: runs, ...own, ...simulated() };
  const { runs: found, ending } = readableRuns(store);
  expect([found.map(({ row }) => row.state), ending]).toEqual([["done"], undefined]);
});
