import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { diskFiles, type Files } from "../../src/durable/files.ts";
import { withLock } from "../../src/durable/lock.ts";
import { faulty, freshFolder, owner, processes, random, systemError, watched } from "./faulty.ts";

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

/**
 * How many held a dead process's lock at once when process 9 came in at one file call of process 8, and
 * process 10 at a later one. Each holds what it gets until all three have tried.
 */
const mostAtOnce = async (first: number, second: number): Promise<number> => {
  const path = lockFile();
  writeFileSync(path, `${owner("7")} aaaa\n`);
  const seen = { holding: 0, most: 0 };
  const tried: Promise<unknown>[] = [];
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const come = (pid: string, files: Files): void => {
    const holds = async (): Promise<void> => {
      seen.holding += 1;
      seen.most = Math.max(seen.most, seen.holding);
      await gate;
      seen.holding -= 1;
    };
    const options = by(pid, ["7"], () => gate);
    tried.push(withLock(files, path, options, holds));
  };
  const { files } = watched((call) => {
    if (call === first) come("9", diskFiles);
    if (call === second) come("10", diskFiles);
  });
  come("8", files);
  await new Promise((resolve) => setImmediate(resolve));
  open();
  // Who comes in at the last calls is one of them only then.
  for (const it of tried) await it;
  expect(readdirSync(join(path, ".."))).toEqual([]);
  return seen.most;
};

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

  test("two that come in at any call of one that takes it over: never do two hold it", async () => {
    for (let first = 1; first <= 20; first += 1)
      for (let second = first; second <= 20; second += 1)
        expect(await mostAtOnce(first, second), `calls ${first} and ${second}`).toBe(1);
  });

  test("one that died while it took a dead lock over does not bar the way", async () => {
    for (let at = 1; at <= 20; at += 1) {
      const path = lockFile();
      writeFileSync(path, `${owner("7")} aaaa\n`);
      const { files } = faulty({ at, with: "kill" });
      await withLock(files, path, by("8", ["7"]), () => "died").catch(() => undefined);
      const third = by("9", ["7", "8"]);
      expect(await withLock(diskFiles, path, third, () => "done"), `call ${at}`).toBe("done");
      expect(existsSync(path)).toBe(false);
    }
  });

  test("it is taken over although the answer of a disk over a network was lost at any call", async () => {
    for (let at = 1; at <= 30; at += 1) {
      const path = lockFile();
      writeFileSync(path, `${owner("7")} aaaa\n`);
      const { files, calls } = faulty({ at, with: "EEXIST", after: true });
      const ended = await withLock(files, path, by("8", ["7"]), () => "done").catch(
        (error) => error,
      );
      if (calls[at - 1] === "link") expect(ended, `call ${at}`).toBe("done");
      if (ended !== "done") expect(ended, `call ${at}`).not.toMatchObject({ code: "Locked" });
    }
  });

  test("where a file cannot have two names the lock is made all the same", async () => {
    const path = lockFile();
    writeFileSync(path, `${owner("7")} aaaa\n`);
    const link = (): never => {
      throw systemError("EPERM");
    };
    const files = { ...diskFiles, link };
    expect(await withLock(files, path, by("8", ["7"]), () => "done")).toBe("done");
    expect(readdirSync(join(path, ".."))).toEqual([]);
  });

  /** A disk on which a file cannot have two names. */
  const withoutLinks = (files: Files): Files => ({
    ...files,
    link: () => {
      throw systemError("EPERM");
    },
  });

  test.each([
    ["one", [".dead"]],
    ["two in a row", [".dead", ".dead.dead"]],
  ])(
    "%s that died there while it took a dead lock over, before it wrote its name, bars nobody's way",
    async (_, ends) => {
      const path = lockFile();
      for (const lock of [`${owner("7")} aaaa\n`, ""]) {
        writeFileSync(path, lock);
        for (const end of ends) writeFileSync(`${path}${end}`, "");
        const files = withoutLinks(diskFiles);
        expect(await withLock(files, path, by("8", ["7"]), () => "done")).toBe("done");
        expect(readdirSync(join(path, ".."))).toEqual([]);
      }
    },
  );

  test("nor does one that was killed there at any call", async () => {
    for (let at = 1; at <= 20; at += 1) {
      const path = lockFile();
      writeFileSync(path, `${owner("7")} aaaa\n`);
      const { files } = faulty({ at, with: "kill" });
      const dying = withLock(withoutLinks(files), path, by("8", ["7"]), () => "died");
      await dying.catch(() => undefined);
      const third = by("9", ["7", "8"]);
      const next = withLock(withoutLinks(diskFiles), path, third, () => "done");
      expect(await next, `call ${at}`).toBe("done");
    }
  });

  test("one that is only slow to write its name keeps the lock to itself", async () => {
    const path = lockFile();
    writeFileSync(path, `${owner("7")} aaaa\n`);
    writeFileSync(`${path}.dead`, "");
    const waits = { count: 0 };
    const wait = async (): Promise<void> => {
      waits.count += 1;
      if (waits.count === 203) writeFileSync(`${path}.dead`, `${owner("9")} bbbb\n`);
    };
    const second = withLock(withoutLinks(diskFiles), path, by("8", ["7"], wait), () => "done");
    await expect(second).rejects.toMatchObject({ code: "Locked" });
    expect(readFileSync(`${path}.dead`, "utf8")).toContain(owner("9"));
  });

  test("a fault at every call ends with a usage error or with the work done, and no lock stays", async () => {
    for (let at = 1; at <= 20; at += 1) {
      const path = lockFile();
      const { files } = faulty({ at, with: "EIO" });
      const ended = await withLock(files, path, by("7"), () => "done").catch((error) => error);
      if (ended !== "done") expect(ended, `call ${at}`).toMatchObject({ exitCode: 2 });
      expect(await withLock(diskFiles, path, by("8", ["7"]), () => "next")).toBe("next");
    }
  });
});
