/** Where runs live: a process that dies at any call leaves a run that is whole, or none. */
import { existsSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { diskFiles, type Files } from "../../../src/durable/files.ts";
import { timeoutMs } from "../../../src/durable/lease.ts";
import { findSameRuns } from "../../../src/send/claims/same-rows.ts";
import type { Entry } from "../../../src/send/protocol/entries.ts";
import { openJournal } from "../../../src/send/store/journal.ts";
import type { RunFile } from "../../../src/send/store/run-file.ts";
import {
  createRunFolder,
  fileOf,
  findRun,
  isBegun,
  isPlanned,
  listRunIds,
  newRunId,
  type RunStore,
  readRun,
  writeRun,
} from "../../../src/send/store/run-folder.ts";
import { withRunLock } from "../../../src/send/store/run-lock.ts";
import {
  halfPlanned,
  removeGoneRuns,
  removeIdleRun,
  removeRun,
} from "../../../src/send/store/run-removal.ts";
import {
  faulty,
  freshFolder,
  leaseOf,
  processes,
  random,
  systemError,
} from "../../durable/faulty.ts";
import { simulated } from "../../support/clock.ts";

const storeIn = (folder: string, files: Files = diskFiles): RunStore => ({
  files,
  folder: join(folder, "runs"),
  user: process.getuid?.(),
  random,
  now: () => new Date(),
  ...inTime(),
});

const owner = (profile: string) => ({
  profile,
  owns: (it: { readonly profile: string }): boolean => it.profile === profile,
});

const inTime = () => {
  const { ticks, wait, every } = simulated();
  return { ticks, wait, processes: processes("7", [], every) };
};

const id = "20260115-093000000-4f1c2a";
const run: RunFile = {
  ...{ version: 2, run: id, started: "2026-01-15T09:30:00.000Z", profile: "p", account: "a" },
  ...{ key: null, baseUrl: null, source: "s", digest: "d", path: "S", call: "send-many" },
  ...{ width: 1, concurrency: 1, tagged: true, strict: false, allowDuplicates: false },
  ...{ total: 1, skipped: 0, messages: 1, price: null, maxCost: null, chunks: [] },
};

test("P03 a process that dies at the n-th call on the file system leaves a whole run or none, for every n", () => {
  for (let at = 1; ; at += 1) {
    const folder = freshFolder();
    const { files, calls } = faulty({ at, with: "kill" });
    const store = storeIn(folder, files);
    const acknowledged: string[] = [];
    try {
      createRunFolder(store, id);
      writeRun(store, run);
      acknowledged.push("run");
      const journal = openJournal(files, fileOf(store, id, "journal.log"));
      journal.append([{ t: "START" }]);
      acknowledged.push("begun");
      journal.append([{ t: "CANCEL" }]);
      acknowledged.push("entry");
    } catch {
      // The process is gone.
    }
    const left = storeIn(folder);
    const found = listRunIds(left);
    if (acknowledged.includes("run")) expect(found).toEqual([id]);
    for (const one of found) expect(readRun(left, one)).toEqual(run);
    expect(isBegun(left, id) || !acknowledged.includes("begun")).toBe(true);
    if (found.length > 0) {
      const { entries } = openJournal(diskFiles, fileOf(left, id, "journal.log"));
      expect(entries[0]).toMatchObject({ t: "RUN", run: id });
      if (acknowledged.includes("begun")) expect(entries[1]?.t).toBe("START");
      if (acknowledged.includes("entry")) expect(entries[2]?.t).toBe("CANCEL");
    }
    if (calls.length < at) break;
  }
});

test("ids sort by time and say nothing of a person; last is the newest run of the profile", () => {
  const older = newRunId(new Date("2026-01-15T09:30:00Z"), random);
  const newer = newRunId(new Date("2026-01-15T09:30:01Z"), random);
  expect([newer, older].sort()).toEqual([older, newer]);
  const store = storeIn(freshFolder());
  for (const [one, profile] of [
    [older, "p"],
    [newer, "q"],
  ] as const) {
    createRunFolder(store, one);
    writeRun(store, { ...run, run: one, profile });
  }
  expect(findRun(store, "last", owner("p")).run).toBe(older);
  expect(() => findRun(store, "last", owner("r"))).toThrow(
    expect.objectContaining({ exitCode: 6 }),
  );
});

test("last is the newest run although its run.json is gone: no older one is taken for it", () => {
  const store = storeIn(freshFolder());
  begunRun(store, { ...run, run: newRunId(new Date("2026-01-01T09:30:00Z"), random) });
  begunRun(store, run);
  rmSync(fileOf(store, id, "run.json"));
  expect(() => findRun(store, "last", owner(run.profile))).toThrow(
    expect.objectContaining({ code: "RunNotReadable", exitCode: 11 }),
  );
});

test("P03 a lease that was damaged is taken over, not held for ever", async () => {
  const store = storeIn(freshFolder());
  createRunFolder(store, id);
  diskFiles.close(diskFiles.create(fileOf(store, id, "lock")));
  expect(await withRunLock(store, id, async () => "worked on")).toBe("worked on");
});

test("a run is removed while nobody works on it, and while it is what it was taken for", async () => {
  const store = storeIn(freshFolder());
  createRunFolder(store, id);
  writeRun(store, run);
  const isIdle = () => !isBegun(store, id);
  await withRunLock(store, id, async () =>
    expect(await removeIdleRun(store, id, isIdle)).toBe(false),
  );
  const journal = openJournal(diskFiles, fileOf(store, id, "journal.log"));
  journal.append([{ t: "START" }]);
  journal.close();
  expect(await removeIdleRun(store, id, isIdle)).toBe(false);
  expect(readRun(store, id)).toEqual(run);
  expect(await removeIdleRun(store, id, () => true)).toBe(true);
  expect(listRunIds(store)).toEqual([]);
});

test("D06 a run on a disk that is read-only is not called removed", async () => {
  const folder = freshFolder();
  createRunFolder(storeIn(folder), id);
  writeRun(storeIn(folder), run);
  const refuse = (): never => {
    throw systemError("EROFS");
  };
  const isReadOnly = { create: refuse, rename: refuse, remove: refuse };
  const store = storeIn(folder, { ...diskFiles, ...isReadOnly });
  expect(await removeIdleRun(store, id, () => true)).toBe(false);
  expect(removeRun(store, id)).toBe(false);
  expect(readRun(store, id)).toEqual(run);
});

/** A run of these rows that was begun, and what its journal holds. */
const begunRun = (store: RunStore, one: RunFile, entries: readonly Entry[] = []): void => {
  createRunFolder(store, one.run);
  writeRun(store, one);
  const journal = openJournal(diskFiles, fileOf(store, one.run, "journal.log"));
  journal.append([{ t: "START" }, ...entries]);
  journal.close();
};

test("P03 a process that dies while it removes a run leaves none that was never begun; the rest goes with the next purge", () => {
  const folder = freshFolder();
  begunRun(storeIn(folder), run);
  const remove = (path: string): void => {
    diskFiles.remove(join(path, "journal.log"));
    if (diskFiles.lstat(path)) throw new Error("killed");
  };
  removeRun(storeIn(folder, { ...diskFiles, remove }), id);
  const left = storeIn(folder);
  expect([listRunIds(left), isPlanned(left, id)]).toEqual([[], false]);
  expect(diskFiles.list(left.folder)).toHaveLength(1);
  removeGoneRuns(left);
  expect(diskFiles.list(left.folder)).toEqual([]);
});

/** Both clocks show it. */
const at = (time: string) => ({ here: Date.parse(time), earliest: Date.parse(time) });

test("the same rows are in a run that was planned days ago and resumed an hour ago", () => {
  const store = storeIn(freshFolder());
  const sent = { t: "POST_INTENT", chunk: 0, date: "2026-01-18T09:30:00Z", salt: "ab" } as const;
  begunRun(store, run, [sent]);
  const started = "2026-01-18T10:30:00.000Z";
  const again = { ...run, run: "20260118-103000000-4f1c2b", started };
  expect(findSameRuns(store, again, at("2026-01-18T10:30:00Z")).map((it) => it.run)).toEqual([id]);
  // It may stand still for a day: what was sent on the day before it was planned counts.
  expect(findSameRuns(store, again, at("2026-01-19T10:30:00Z")).map((it) => it.run)).toEqual([id]);
  const nextDay = { ...again, started: "2026-01-19T10:30:00.000Z" };
  expect(findSameRuns(store, nextDay, at("2026-01-19T10:30:00Z"))).toEqual([]);
});

test("P13 a run that cannot be read keeps others from being sent for a day, and no longer", () => {
  const store = storeIn(freshFolder());
  begunRun(store, run);
  writeFileSync(fileOf(store, id, "run.json"), "{}");
  const other = { ...run, run: "20260118-103000000-4f1c2b", digest: "e" };
  expect(() => findSameRuns(store, other, at("2026-01-15T20:00:00Z"))).toThrow(
    expect.objectContaining({ code: "RunNotReadable" }),
  );
  const later = { ...other, started: "2026-01-18T10:30:00.000Z" };
  expect(findSameRuns(store, later, at("2026-01-18T10:30:00Z"))).toEqual([]);
});

test("a run.json whose address is none any more is damaged", () => {
  const store = storeIn(freshFolder());
  begunRun(store, run);
  const damaged = { ...run, baseUrl: "ittps//service.example" };
  writeFileSync(fileOf(store, id, "run.json"), JSON.stringify(damaged));
  expect(() => readRun(store, id)).toThrow(expect.objectContaining({ code: "RunNotReadable" }));
});

test("a run that was moved to another disk and linked is listed, and removed with what it holds", () => {
  const [folder, other] = [freshFolder(), freshFolder()];
  const store = storeIn(folder);
  begunRun(store, run);
  renameSync(join(store.folder, id), join(other, id));
  symlinkSync(join(other, id), join(store.folder, id));
  expect(listRunIds(store)).toEqual([id]);
  expect([removeRun(store, id), existsSync(join(other, id))]).toEqual([true, false]);
  expect(listRunIds(store)).toEqual([]);
});

test("D07 a run that another user left, and that cannot be looked into, bars nobody from the others", () => {
  const folder = freshFolder();
  const other = { ...run, run: "20260118-103000000-4f1c2b", started: "2026-01-18T10:30:00.000Z" };
  for (const one of [run, other]) begunRun(storeIn(folder), one);
  const look: Files["lstat"] = (path) => {
    if (path.includes(`${id}/`)) throw systemError("EACCES");
    return diskFiles.lstat(path);
  };
  const store = storeIn(folder, { ...diskFiles, lstat: look });
  expect(listRunIds(store)).toEqual([id, other.run]);
  expect(findRun(store, other.run, owner("p"))).toEqual(other);
  expect(findRun(store, "last", owner("p"))).toEqual(other);
  expect(halfPlanned(store, Date.parse("2026-02-01T00:00:00Z"))).toEqual([]);
  const third = { ...other, run: "20260118-103000000-4f1c2c" };
  const later = at("2026-01-18T10:30:00Z");
  expect(findSameRuns(store, third, later).map((it) => it.run)).toEqual([other.run]);
  const young = at("2026-01-15T10:30:00Z");
  expect(() => findSameRuns(store, { ...third, started: run.started }, young)).toThrow(
    expect.objectContaining({ code: "FileProblem" }),
  );
});

test("P09 a run that a process of another machine worked on is free when its lease has timed out", async () => {
  const said: string[] = [];
  const store = { ...storeIn(freshFolder()), note: (line: string) => void said.push(line) };
  createRunFolder(store, id);
  writeFileSync(fileOf(store, id, "lock"), leaseOf("99"));
  expect(await withRunLock(store, id, async ({ number }) => number)).toBe(2);
  expect(store.ticks()).toBeGreaterThanOrEqual(timeoutMs);
  expect(said).toEqual([expect.stringContaining(`waiting for another msg`)]);
});

test("P08 a run whose process is seen to work is refused within moments: exit 7", async () => {
  const store = storeIn(freshFolder());
  createRunFolder(store, id);
  await withRunLock(store, id, async () => {
    const second = withRunLock(store, id, async () => "worked on");
    await expect(second).rejects.toMatchObject({ exitCode: 7, code: "RunInUse" });
    expect(store.ticks()).toBeLessThan(2_000);
  });
});

test("P05 Ctrl-C ends waiting for a run: exit 130", async () => {
  const stop = new AbortController();
  const store = { ...storeIn(freshFolder()), signal: stop.signal };
  createRunFolder(store, id);
  writeFileSync(fileOf(store, id, "lock"), leaseOf("99"));
  const waiting = withRunLock(store, id, async () => "worked on");
  stop.abort();
  await expect(waiting).rejects.toMatchObject({ exitCode: 130, outcome: "not_sent" });
});

test("a changed character of run.json is noticed where the journal has lost its beginning, too", () => {
  const store = storeIn(freshFolder());
  begunRun(store, run);
  const path = fileOf(store, id, "run.json");
  writeFileSync(fileOf(store, id, "journal.log"), "");
  expect(readRun(store, id)).toEqual(run);
  const text = readFileSync(path, "utf8");
  for (const at of [text.indexOf('"digest":"') + 10, text.indexOf('"started":"') + 12]) {
    const changed = String.fromCharCode(text.charCodeAt(at) ^ 1);
    writeFileSync(path, text.slice(0, at) + changed + text.slice(at + 1));
    expect(() => readRun(store, id)).toThrow(expect.objectContaining({ code: "RunNotReadable" }));
  }
});
