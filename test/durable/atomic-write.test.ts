import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { writeAtomically } from "../../src/durable/atomic-write.ts";
import { diskFiles } from "../../src/durable/files.ts";
import { MsgError } from "../../src/errors.ts";
import { faulty, freshFolder, fullDisk, owner, processes, random } from "./faulty.ts";

const old = Buffer.from("the old content\n");
const fresh = Buffer.from(`the new content ${"x".repeat(9_000)}\n`);

const prepared = (): { readonly folder: string; readonly file: string } => {
  const folder = freshFolder();
  const file = join(folder, "kept.json");
  writeFileSync(file, old, { mode: 0o600 });
  return { folder, file };
};

const options = { random, processes: processes("7") };

const attempt = (run: () => void): unknown => {
  try {
    run();
    return undefined;
  } catch (error) {
    return error;
  }
};

/** How many calls a write without a fault makes. */
const allCalls = (): number => {
  const { files, calls } = faulty({ at: 0, with: "none" });
  writeAtomically(files, prepared().file, fresh, options);
  return calls.length;
};

const points = Array.from({ length: allCalls() }, (_, index) => index + 1);

describe("replacing a file", () => {
  test("the new content is there, mode 0600, and nothing beside it", () => {
    const { folder, file } = prepared();
    chmodSync(file, 0o644);
    writeAtomically(diskFiles, file, fresh, options);
    expect(readFileSync(file)).toEqual(fresh);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(["kept.json"]);
  });

  test("D03 every byte is on the disk before the name is, and then the name", () => {
    const { files, calls } = faulty({ at: 0, with: "none" });
    writeAtomically(files, prepared().file, fresh, options);
    const lasting = calls.filter((it) => ["write", "sync", "rename"].includes(it));
    expect(lasting).toEqual(["write", "sync", "rename", "sync"]);
  });

  test("a name may be as long as the system takes", () => {
    const name = `${"가".repeat(80)}.msgplan`;
    const folder = freshFolder();
    writeAtomically(diskFiles, join(folder, name), fresh, options);
    expect(readdirSync(folder)).toEqual([name]);
  });

  test("a link is replaced, not followed", () => {
    const { folder, file } = prepared();
    const link = join(folder, "link.json");
    symlinkSync(file, link);
    writeAtomically(diskFiles, link, fresh, options);
    expect(readFileSync(file)).toEqual(old);
    expect(readFileSync(link)).toEqual(fresh);
  });

  test("what dead processes left is removed, what living ones write is left alone", () => {
    const { folder, file } = prepared();
    const left = [`.kept.json.${owner("8")}.0a.tmp`, `.kept.json.${owner("9")}.0b.tmp`];
    writeFileSync(join(folder, left[0] ?? ""), "half");
    mkdirSync(join(folder, left[1] ?? ""));
    writeFileSync(join(folder, "other.tmp"), "not ours");
    writeAtomically(diskFiles, file, fresh, { random, processes: processes("7", ["8"]) });
    expect(readdirSync(folder).sort()).toEqual([left[1], "kept.json", "other.tmp"]);
  });
});

describe("C04 a fault at every call", () => {
  test.each(["EIO", "ENOSPC", "EACCES"])("%s: old or new, never a mix, nothing left", (code) => {
    const unflushed: unknown[] = [];
    for (const at of points) {
      const { folder, file } = prepared();
      const error = attempt(() =>
        writeAtomically(faulty({ at, with: code }).files, file, fresh, options),
      );
      const content = readFileSync(file);
      if (error === undefined) expect(content, `call ${at}`).toEqual(fresh);
      else {
        expect(error).toBeInstanceOf(MsgError);
        expect(error).toMatchObject({ kind: "usage", outcome: "not_sent" });
        // Behind the rename only the sync of the folder is left, and its error says what is in place.
        const replaced = String(error).includes("flush the new");
        expect(content, `call ${at}`).toEqual(replaced ? fresh : old);
        if (replaced) unflushed.push(error);
      }
      expect(readdirSync(folder), `call ${at}`).toEqual(["kept.json"]);
    }
    expect(unflushed).not.toEqual([]);
  });

  test.each([false, true])(
    "killed (after the call: %s): old or new, cleaned by the next write",
    (after) => {
      const seen = new Set<string>();
      for (const at of points) {
        const { folder, file } = prepared();
        attempt(() =>
          writeAtomically(faulty({ at, with: "kill", after }).files, file, fresh, options),
        );
        const content = readFileSync(file);
        seen.add(content.equals(old) ? "old" : "new");
        expect(
          [old, fresh].some((it) => it.equals(content)),
          `call ${at}`,
        ).toBe(true);
        for (const name of readdirSync(folder))
          expect(statSync(join(folder, name)).mode & 0o777, name).toBe(0o600);
        writeAtomically(diskFiles, file, fresh, { random, processes: processes("8", ["7"]) });
        expect(readdirSync(folder), `call ${at}`).toEqual(["kept.json"]);
      }
      expect([...seen].sort()).toEqual(["new", "old"]);
    },
  );
});

describe("D10 a disk that becomes full", () => {
  test("takes nothing, and calls that no error: the write ends with one", () => {
    const taken = [0];
    const files = { ...diskFiles, write: () => taken.pop() ?? fresh.length };
    const error = attempt(() => writeAtomically(files, prepared().file, fresh, options));
    expect(String(error)).toContain("the disk takes no more bytes");
  });

  test.each([0, 1, 4_096, 8_192, 9_016])(
    "room for %i of 9,017 bytes: the old file is intact",
    (room) => {
      const { folder, file } = prepared();
      const error = attempt(() => writeAtomically(fullDisk(room), file, fresh, options));
      expect(error).toMatchObject({ exitCode: 2, code: "FileProblem" });
      expect(String(error)).toContain("no space is left");
      expect(readFileSync(file)).toEqual(old);
      expect(readdirSync(folder)).toEqual(["kept.json"]);
    },
  );

  test("writes of any length that take a few bytes at a time arrive whole", () => {
    const { file } = prepared();
    const contents = fc.uint8Array({ maxLength: 3_000 });
    fc.assert(
      fc.property(contents, fc.integer({ min: 1, max: 500 }), (bytes, step) => {
        const slow = {
          ...diskFiles,
          write: (descriptor: number, all: Uint8Array, offset: number, at?: number) =>
            diskFiles.write(descriptor, all.subarray(0, offset + step), offset, at),
        };
        writeAtomically(slow, file, bytes, options);
        expect(new Uint8Array(readFileSync(file))).toEqual(bytes);
      }),
      { numRuns: 40 },
    );
  });
});
