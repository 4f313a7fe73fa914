import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ensurePrivateDir } from "../../src/durable/atomic-write.ts";
import { diskFiles, type Files } from "../../src/durable/files.ts";
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

describe("D06, D07 folders of settings and state", () => {
  test("a missing one is made with its parents, 0700", () => {
    const path = join(freshFolder(), "a", "b");
    ensurePrivateDir(diskFiles, path, user);
    expect(modeOf(path)).toBe(0o700);
  });

  test("each folder that is made outlives a power cut: the one that it is in is synchronised", () => {
    const folder = freshFolder();
    const opened = new Map<number, string>();
    const synced: string[] = [];
    const files: Files = {
      ...diskFiles,
      openFolder: (path) => {
        const descriptor = diskFiles.openFolder(path);
        opened.set(descriptor, path);
        return descriptor;
      },
      sync: (descriptor) => {
        synced.push(opened.get(descriptor) ?? "");
        diskFiles.sync(descriptor);
      },
    };
    ensurePrivateDir(files, join(folder, "a", "b"), user);
    expect(synced.sort()).toEqual([folder, join(folder, "a")]);
    ensurePrivateDir(files, join(folder, "a", "b"), user);
    expect(synced).toHaveLength(2);
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
