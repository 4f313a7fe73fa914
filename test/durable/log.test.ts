/** The log: what is appended is there, what was interrupted is cut, what is damaged is refused. */
import { appendFileSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { diskFiles, type Files } from "../../src/durable/files.ts";
import { createLog, logLine, openLog, readLog } from "../../src/durable/log.ts";
import { faulty, freshFolder, fullDisk, systemError } from "./faulty.ts";

const records = [{ t: "RUN" }, { t: "A", text: "안녕" }, { t: "B", n: [1, 2] }, { t: "END" }];
const bytes = Buffer.from(records.map(logLine).join(""));

const pathIn = (): string => join(freshFolder(), "journal.log");

test("records are read back in order, whatever they hold; the file is the owner's alone", () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue(), { maxLength: 20 }), (values) => {
      const content = readLog(Buffer.from(values.map(logLine).join("")), "j");
      expect(JSON.stringify(content.records)).toBe(JSON.stringify(values));
    }),
  );
  const path = pathIn();
  const log = createLog(diskFiles, path);
  log.append(records.slice(0, 2));
  log.append(records.slice(2));
  log.close();
  expect(openLog(diskFiles, path).records).toEqual(records);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("D03 cut at every byte: the whole records before the cut are there, and the rest is cut off", () => {
  for (let length = 0; length <= bytes.length; length += 1) {
    const { records: left, good } = readLog(bytes.subarray(0, length), "j");
    expect(left).toEqual(records.slice(0, left.length));
    expect(good).toBeLessThanOrEqual(length);
    expect(length - good).toBeLessThan(Buffer.byteLength(logLine(records[left.length] ?? "")));
  }
});

test("D04 zeros behind an unfinished record, as a file system leaves them, are cut off too", () => {
  for (let length = 0; length < bytes.length; length += 1) {
    const torn = Buffer.concat([bytes.subarray(0, length), Buffer.alloc(64)]);
    const { records: left } = readLog(torn, "j");
    expect(left).toEqual(records.slice(0, left.length));
  }
});

test("D03 a log that was cut goes on behind its last whole record", () => {
  const path = pathIn();
  writeFileSync(path, bytes.subarray(0, bytes.length - 3));
  const log = openLog(diskFiles, path);
  log.append([{ t: "NEXT" }]);
  log.close();
  expect(openLog(diskFiles, path).records).toEqual([...records.slice(0, 3), { t: "NEXT" }]);
});

test("D05 a flipped bit in any byte is refused with exit 2, in the last record too, and nothing is changed", () => {
  for (let at = 0; at < bytes.length; at += 1)
    for (const bit of [1, 8, 128]) {
      const flipped = Buffer.from(bytes);
      flipped[at] = (flipped[at] ?? 0) ^ bit;
      expect(() => readLog(flipped, "j"), `byte ${at} bit ${bit}`).toThrow(/damaged at record/);
    }
  const path = pathIn();
  const flipped = Buffer.from(bytes);
  flipped[40] = 0x00;
  writeFileSync(path, flipped);
  expect(() => openLog(diskFiles, path)).toThrow(expect.objectContaining({ exitCode: 2 }));
  expect(readFileSync(path)).toEqual(flipped);
});

test("D10 a disk that becomes full takes no part of a record; with room again the same record fits", () => {
  for (let room = 0; room < 60; room += 1) {
    const path = pathIn();
    const log = createLog(diskFiles, path);
    log.append([records[0]]);
    log.close();
    const log2 = openLog(fullDisk(room), path);
    const add = () => log2.append([{ t: "LONG", text: "x".repeat(100) }]);
    expect(add).toThrow(/no space is left/);
    expect(readFileSync(path).toString()).toBe(logLine(records[0]));
    log2.close();
    appendFileSync(path, logLine({ t: "AFTER" }));
    expect(openLog(diskFiles, path).records).toHaveLength(2);
  }
});

test("D01 D02 every call may fail: an error with exit 2, and what was acknowledged before is there", () => {
  for (let at = 1; ; at += 1) {
    const path = pathIn();
    const { files, calls } = faulty({ at, with: "EIO" });
    const acknowledged: unknown[] = [];
    const attempt = () => {
      const log = createLog(files, path);
      for (const record of records) {
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
      const there = openLog(diskFiles, path).records;
      expect(there.slice(0, acknowledged.length)).toEqual(acknowledged);
    }
    if (calls.length < at) break;
  }
});

test("D03 the name of a new log is on the disk before its first record: a run that was begun stays begun", () => {
  const { files, calls } = faulty({ at: 0, with: "EIO" });
  createLog(files, pathIn()).append([{ t: "RUN" }]);
  const folder = calls.indexOf("openFolder");
  expect(calls.slice(folder, folder + 2)).toEqual(["openFolder", "sync"]);
  expect(calls.indexOf("syncData")).toBeGreaterThan(folder);
});

test.each(["setMode", "sync"] as const)(
  "D02 a log whose name may not outlive a power cut is not there: %s fails, and the next try makes it",
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
    expect(() => createLog(files, path)).toThrow(/disk reported an error/);
    expect({ open: open.count, there: existsSync(path) }).toEqual({ open: 0, there: false });
    createLog(diskFiles, path).close();
  },
);

test("D08 what closing says changes nothing: every record is on the disk", () => {
  const disk = { isBad: false };
  const close = (descriptor: number): void => {
    diskFiles.close(descriptor);
    if (disk.isBad) throw systemError("EIO");
  };
  const log = createLog({ ...diskFiles, close }, pathIn());
  log.append([{ t: "SENT" }]);
  disk.isBad = true;
  expect(() => log.close()).not.toThrow();
});

test("D02 after a failed sync nothing is written to that file any more", () => {
  const path = pathIn();
  const syncs = { failed: 0 };
  const files: Files = {
    ...diskFiles,
    syncData: () => {
      syncs.failed += 1;
      throw systemError("EIO");
    },
  };
  const log = createLog(files, path);
  expect(() => log.append([{ t: "A" }])).toThrow(/disk reported an error/);
  expect(() => log.append([{ t: "A" }])).toThrow(/lost a record/);
  expect(syncs.failed).toBe(1);
});
