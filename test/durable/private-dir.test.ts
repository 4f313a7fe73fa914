import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ensurePrivateDir } from "../../src/durable/atomic-write.ts";
import { diskFiles } from "../../src/durable/files.ts";
import { diceFor } from "../simulation/dice.ts";
import { createDisk, user as simulatedUser } from "../simulation/disk.ts";
import { freshFolder, systemError } from "./faulty.ts";

const user = process.getuid?.();
const modeOf = (path: string): number => statSync(path).mode & 0o777;
const refusal = (path: string, files = diskFiles) => {
  try {
    ensurePrivateDir(files, path, user);
  } catch (error) {
    return error;
  }
  return undefined;
};

const attempt = (action: () => void): boolean => {
  try {
    action();
    return true;
  } catch {
    return false;
  }
};

describe("D06, D07 folders of settings and state", () => {
  test("a missing one is made with its parents, 0700", () => {
    const path = join(freshFolder(), "a", "b");
    ensurePrivateDir(diskFiles, path, user);
    expect(modeOf(path)).toBe(0o700);
  });

  test("whoever made it and died by that: for the next process it outlives a power cut", () => {
    const path = "/u/a/b";
    const moments = [1, 2, 3, 4, 5, 6].map((moment) => {
      const disk = createDisk();
      const dying = { changes: 0 };
      const filesOf = (onChange: () => void) =>
        disk.filesFor({ onChange, now: () => 0, system: () => undefined });
      const isDone = attempt(() => {
        const files = filesOf(() => {
          dying.changes += 1;
          if (dying.changes >= moment) throw new Error("killed");
        });
        ensurePrivateDir(files, path, simulatedUser);
      });
      const files = filesOf(() => undefined);
      ensurePrivateDir(files, path, simulatedUser);
      disk.cutPower({ ...diceFor("all is lost"), chance: () => false });
      return { isDone, isThere: files.lstat(path) !== undefined };
    });
    expect(moments.map(({ isThere }) => isThere)).toEqual(moments.map(() => true));
    expect(moments[0]?.isDone).toBe(false);
  });

  test("where the folder that it is in cannot be read, it is used as it is", () => {
    const path = join(freshFolder(), "a");
    mkdirSync(path);
    const openFolder = () => {
      throw systemError("EACCES");
    };
    expect(refusal(path, { ...diskFiles, openFolder })).toBeUndefined();
  });

  test.each([0o755, 0o777, 0o750])("one with mode %o is tightened", (mode) => {
    const path = join(freshFolder(), "open");
    mkdirSync(path);
    chmodSync(path, mode);
    ensurePrivateDir(diskFiles, path, user);
    expect(modeOf(path)).toBe(0o700);
  });

  test("a link to a folder is a folder", () => {
    const folder = freshFolder();
    mkdirSync(join(folder, "real"));
    symlinkSync(join(folder, "real"), join(folder, "link"));
    expect(refusal(join(folder, "link"))).toBeUndefined();
  });

  test("a file in its place is refused with its name", () => {
    const path = join(freshFolder(), "file");
    writeFileSync(path, "");
    expect(refusal(path)).toMatchObject({ exitCode: 2, where: expect.stringContaining(path) });
    expect(refusal(join(path, "below"))).toMatchObject({ exitCode: 2 });
  });

  test("a folder that all users share, like /tmp, is refused and left as it is", () => {
    const path = join(freshFolder(), "shared");
    mkdirSync(path);
    chmodSync(path, 0o1777);
    expect(refusal(path)).toMatchObject({ exitCode: 2 });
    expect(modeOf(path)).toBe(0o777);
  });

  test("another user's is refused", () => {
    const others = {
      ...diskFiles,
      stat: () => ({ kind: "folder", mode: 0o700, owner: 4711, changedMs: 0 }) as const,
    };
    expect(String(refusal(freshFolder(), others))).toContain("belongs to another user");
  });

  test("a read-only disk is told with what to do", () => {
    const readOnly = {
      ...diskFiles,
      makeFolder: () => {
        throw systemError("EROFS");
      },
    };
    expect(refusal("/x/y", readOnly)).toMatchObject({
      exitCode: 2,
      message: expect.stringContaining("read-only"),
      todo: expect.stringContaining("MSG_STATE_DIR"),
    });
  });
});
