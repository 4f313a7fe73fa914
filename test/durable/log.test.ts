/** The log: what is appended is there; what was interrupted is cut. */
import { appendFileSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { diskFiles, type Files } from "../../src/durable/files.ts";
import { createLog, inspectLog, logLine, openLog } from "../../src/durable/log.ts";
import { faulty, freshFolder, fullDisk, systemError } from "./faulty.ts";

const records = [{ t: "RUN" }, { t: "A", text: "안녕" }, { t: "B", n: [1, 2] }, { t: "END" }];
const bytes = Buffer.from(records.map(logLine).join(""));
const [first] = records;
const line = Buffer.byteLength(logLine(first));
const block = 16 * 1024;

const open = (files: Files, path: string) => openLog(files, path, ({ records: found }) => found);
const recordsIn = (path: string) => inspectLog(diskFiles, path).records;
const pathIn = (): string => join(freshFolder(), "journal.log");
const sizeOf = (path: string): number => statSync(path).size;

test("records are read back in order; the file is the owner's alone, and holds nothing else when it is closed", () => {
  const path = pathIn();
  const log = createLog(diskFiles, path, records.slice(0, 1));
  log.append(records.slice(1, 2));
  log.append(records.slice(2));
  expect(recordsIn(path)).toEqual(records);
  log.close();
  expect(readFileSync(path)).toEqual(bytes);
  expect(open(diskFiles, path).content).toEqual(records);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("zeros that a power cut left at the end are cut by whoever opens the log, and it goes on", () => {
  const path = pathIn();
  createLog(diskFiles, path, [first]).append(records.slice(1));
  appendFileSync(path, Buffer.alloc(block));
  const log = open(diskFiles, path);
  expect(readFileSync(path)).toEqual(bytes);
  log.append([{ t: "NEXT" }]);
  log.close();
  expect(recordsIn(path)).toEqual([...records, { t: "NEXT" }]);
});

test("D03 a log that was cut goes on behind its last whole record", () => {
  const path = pathIn();
  writeFileSync(path, bytes.subarray(0, bytes.length - 3));
  const log = open(diskFiles, path);
  log.append([{ t: "NEXT" }]);
  log.close();
  expect(open(diskFiles, path).content).toEqual([...records.slice(0, 3), { t: "NEXT" }]);
});

test("what is cut off is known to who reads it; where that one throws, the log stays as it is", () => {
  const path = pathIn();
  const cut = bytes.subarray(0, bytes.length - 3);
  writeFileSync(path, cut);
  expect(inspectLog(diskFiles, path).isCut).toBe(true);
  const refuse = ({ isCut }: { isCut: boolean }): void => {
    if (isCut) throw new Error("it is cut");
  };
  expect(() => openLog(diskFiles, path, refuse)).toThrow("it is cut");
  expect(readFileSync(path)).toEqual(cut);
  writeFileSync(path, bytes);
  expect(inspectLog(diskFiles, path).isCut).toBe(false);
});

test("D05 a log that is damaged is refused with exit 2, and nothing is changed", () => {
  const path = pathIn();
  const flipped = Buffer.from(bytes);
  flipped[40] = 0x00;
  writeFileSync(path, flipped);
  expect(() => open(diskFiles, path)).toThrow(expect.objectContaining({ exitCode: 2 }));
  expect(() => inspectLog(diskFiles, path)).toThrow(expect.objectContaining({ exitCode: 2 }));
  expect(readFileSync(path)).toEqual(flipped);
});

test("a look at a log in the middle of a write looks again: a part of it may be there before what comes first", () => {
  const path = pathIn();
  createLog(diskFiles, path, [first]);
  const half = Buffer.concat([readFileSync(path), Buffer.alloc(block)]);
  half.write("half of a line", 100);
  const less = Buffer.from(half).fill(0, 110);
  const parts = [less, half];
  const read = (from: string): Uint8Array => parts.shift() ?? diskFiles.read(from);
  expect(inspectLog({ ...diskFiles, read }, path).records).toEqual([first]);
});

test("D10 a disk that becomes full takes no part of a record; with room again it goes on", () => {
  for (let room = 0; room < 60; room += 1) {
    const path = pathIn();
    const log = createLog(fullDisk(line + room), path, [first]);
    const add = () => log.append([{ t: "LONG", text: "x".repeat(100) }]);
    expect(add).toThrow(/no space is left/);
    expect(readFileSync(path).toString()).toBe(logLine(first));
    log.close();
    appendFileSync(path, logLine({ t: "AFTER" }));
    expect(open(diskFiles, path).content).toHaveLength(2);
  }
});

test("D10 on a full disk one record more fits whole, or not at all", () => {
  for (let more = 0; more < 2 * line; more += 1) {
    const path = pathIn();
    const log = createLog(fullDisk(line + more), path, [first]);
    const fitting = Math.floor(more / line);
    for (let count = 0; count < fitting; count += 1) log.append([first]);
    expect(() => log.append([first])).toThrow(/no space is left/);
    expect(() => log.append([first])).toThrow(/no space is left/);
    log.close();
    expect(sizeOf(path)).toBe((1 + fitting) * line);
  }
});

test("D10 a disk without room for the first record of a new log makes none: nothing is begun on it", () => {
  for (const room of [0, 5, line - 1]) {
    const path = pathIn();
    expect(() => createLog(fullDisk(room), path, [first])).toThrow(
      expect.objectContaining({ exitCode: 2 }),
    );
    expect(existsSync(path)).toBe(false);
  }
});

test("D01 D02 every call may fail: an error with exit 2, and what was acknowledged before is there", () => {
  for (let at = 1; ; at += 1) {
    const path = pathIn();
    const { files, calls } = faulty({ at, with: "EIO" });
    const acknowledged: unknown[] = [];
    const attempt = () => {
      const log = createLog(files, path, [first]);
      acknowledged.push(first);
      for (const record of records.slice(1)) {
        log.append([record]);
        acknowledged.push(record);
      }
      log.close();
    };
    if (calls.length === 0 && at > 40) break;
    try {
      attempt();
    } catch (error) {
      if (calls.at(-1) !== "close" && calls.length <= at + 2)
        expect(error).toMatchObject({ exitCode: 2 });
    }
    if (acknowledged.length > 0) {
      const there = open(diskFiles, path).content;
      expect(there.slice(0, acknowledged.length)).toEqual(acknowledged);
    }
    if (calls.length < at) break;
  }
});

test("D03 a new log and its name are on the disk when it is made: a run that was begun stays begun", () => {
  const { files, calls } = faulty({ at: 0, with: "EIO" });
  createLog(files, pathIn(), [first]);
  const folder = calls.indexOf("openFolder");
  expect(calls.slice(folder, folder + 2)).toEqual(["openFolder", "sync"]);
  expect(calls.filter((call) => call === "syncData")).toHaveLength(1);
});

test("D03 a log that is opened is a copy that is on the disk before it takes the place of the log", () => {
  const path = pathIn();
  createLog(diskFiles, path, records);
  const { files, calls } = faulty({ at: 0, with: "EIO" });
  open(files, path);
  const lasting = calls.filter((it) => ["write", "sync", "rename"].includes(it));
  expect(lasting).toEqual(["write", "sync", "rename", "sync"]);
});

test("D03 a copy that a power cut left half written is in the way of no one who opens the log", () => {
  const path = pathIn();
  createLog(diskFiles, path, records).close();
  const before = statSync(path).ino;
  writeFileSync(`${path}.copy`, "half");
  expect(open(diskFiles, path).content).toEqual(records);
  expect(statSync(path).ino).not.toBe(before);
});

test.each(["write", "syncData", "sync"] as const)(
  "D02 a log that may not outlive a power cut is not there: %s fails, and the next try makes it",
  (call) => {
    const path = pathIn();
    const open = { count: 0 };
    const files: Files = {
      ...diskFiles,
      create: (...all) => {
        open.count += 1;
        return diskFiles.create(...all);
      },
      close: (descriptor) => {
        open.count -= 1;
        diskFiles.close(descriptor);
      },
      openFolder: (folder) => {
        open.count += 1;
        return diskFiles.openFolder(folder);
      },
      [call]: () => {
        throw systemError("EIO");
      },
    };
    expect(() => createLog(files, path, [first])).toThrow(/disk reported an error/);
    expect({ open: open.count, there: existsSync(path) }).toEqual({ open: 0, there: false });
    createLog(diskFiles, path, [first]).close();
  },
);

test("D08 what closing says changes nothing: every record is on the disk", () => {
  const disk = { isBad: false };
  const close = (descriptor: number): void => {
    diskFiles.close(descriptor);
    if (disk.isBad) throw systemError("EIO");
  };
  const cut = (): void => {
    throw systemError("EIO");
  };
  const path = pathIn();
  const log = createLog({ ...diskFiles, close, cut }, path, [first]);
  log.append([{ t: "SENT" }]);
  disk.isBad = true;
  expect(() => log.close()).not.toThrow();
  expect(recordsIn(path)).toEqual([first, { t: "SENT" }]);
});

test("D02 after a failed sync nothing is written to that file any more, and what is in it stays", () => {
  const path = pathIn();
  const syncs = { failed: 0 };
  const disk = { isBad: false };
  const files: Files = {
    ...diskFiles,
    syncData: (descriptor) => {
      if (!disk.isBad) return diskFiles.syncData(descriptor);
      syncs.failed += 1;
      throw systemError("EIO");
    },
  };
  const log = createLog(files, path, [first]);
  disk.isBad = true;
  expect(() => log.append([{ t: "A" }])).toThrow(/disk reported an error/);
  expect(() => log.append([{ t: "A" }])).toThrow(/lost a record/);
  expect(syncs.failed).toBe(1);
  log.close();
  expect(recordsIn(path)).toEqual([first, { t: "A" }]);
});
