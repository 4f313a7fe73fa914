import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { diskFiles } from "../../src/durable/files.ts";
import { withLock } from "../../src/durable/lock.ts";
import { faulty, freshFolder, owner, processes, random } from "./faulty.ts";

const noWait = async (): Promise<void> => undefined;
const lockFile = (): string => join(freshFolder(), ".lock");
const by = (
  pid: string,
  gone: readonly string[] = [],
  wait: (ms: number) => Promise<void> = noWait,
) => ({
  processes: processes(pid, gone),
  random,
  wait,
});

describe("one at a time", () => {
  test("the lock names its process, and is gone afterwards", async () => {
    const path = lockFile();
    const answer = await withLock(diskFiles, path, by("7"), () => readFileSync(path, "utf8"));
    expect(answer).toMatch(new RegExp(`^${owner("7")} [0-9a-f]{16}\n$`));
    expect(existsSync(path)).toBe(false);
  });

  test("a lock that could not be made takes none away that another holds", async () => {
    const path = lockFile();
    const { files } = faulty({ at: 1, with: "EMFILE" });
    await withLock(diskFiles, path, by("7"), async () => {
      const second = withLock(files, path, by("8"), () => undefined);
      await expect(second).rejects.toMatchObject({ exitCode: 2, where: `${path} (EMFILE)` });
      expect(existsSync(path)).toBe(true);
    });
  });

  test("a failure releases it too", async () => {
    const path = lockFile();
    const failing = withLock(diskFiles, path, by("7"), () => Promise.reject(new Error("inside")));
    await expect(failing).rejects.toThrow("inside");
    expect(existsSync(path)).toBe(false);
  });

  test("the second waits until the first is done", async () => {
    const path = lockFile();
    const order: string[] = [];
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const first = withLock(diskFiles, path, by("7"), async () => {
      await gate;
      order.push("first");
    });
    const waiting = async (): Promise<void> => {
      release();
      await first;
    };
    await withLock(diskFiles, path, by("8", [], waiting), () => order.push("second"));
    expect(order).toEqual(["first", "second"]);
  });

  test("who waits too long is told who holds it and where", async () => {
    const path = lockFile();
    const waits: number[] = [];
    const counting = async (ms: number): Promise<void> => void waits.push(ms);
    await withLock(diskFiles, path, by("7"), async () => {
      const second = withLock(diskFiles, path, by("8", [], counting), () => undefined);
      await expect(second).rejects.toMatchObject({ code: "Locked", exitCode: 2, where: path });
      await expect(second).rejects.toThrow("process 7");
    });
    expect(waits.reduce((sum, ms) => sum + ms, 0)).toBe(5_000);
  });
});

describe("locks that are left over", () => {
  test("that of a dead process is taken over at once", async () => {
    const path = lockFile();
    writeFileSync(path, `${owner("7")} aaaa\n`);
    const never = (): Promise<void> => Promise.reject(new Error("waited"));
    expect(await withLock(diskFiles, path, by("8", ["7"], never), () => "done")).toBe("done");
    expect(readdirSync(join(path, ".."))).toEqual([]);
  });

  test("an empty one belongs to a process that died while making it", async () => {
    const path = lockFile();
    writeFileSync(path, "");
    expect(await withLock(diskFiles, path, by("8"), () => "done")).toBe("done");
  });

  test("a lock made by another process during the take-over is put back", async () => {
    const path = lockFile();
    writeFileSync(path, `${owner("7")} aaaa\n`);
    const racing = {
      ...diskFiles,
      rename: (from: string, to: string) => {
        // Process 9 was faster: it took the dead lock away and made its own.
        if (from === path) writeFileSync(path, `${owner("9")} bbbb\n`);
        diskFiles.rename(from, to);
      },
    };
    const third = withLock(racing, path, by("8", ["7"]), () => "done");
    await expect(third).rejects.toMatchObject({ code: "Locked" });
    expect(readFileSync(path, "utf8")).toBe(`${owner("9")} bbbb\n`);
    expect(readdirSync(join(path, ".."))).toEqual([".lock"]);
  });

  test("a fault at every call ends with a usage error or with the work done, and no lock stays", async () => {
    for (let at = 1; at <= 12; at += 1) {
      const path = lockFile();
      const { files } = faulty({ at, with: "EIO" });
      const ended = await withLock(files, path, by("7"), () => "done").catch((error) => error);
      if (ended !== "done") expect(ended, `call ${at}`).toMatchObject({ exitCode: 2 });
      expect(await withLock(diskFiles, path, by("8", ["7"]), () => "next")).toBe("next");
    }
  });
});
