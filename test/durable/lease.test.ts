import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { diskFiles, type Files } from "../../src/durable/files.ts";
import {
  heartbeatMs,
  isBeating,
  type Lease,
  type LeaseOptions,
  leaseHolder,
  timeoutMs,
  withExclusiveLock,
} from "../../src/durable/lease.ts";
import { simulated } from "../support/clock.ts";
import {
  faulty,
  freshFolder,
  leaseOf,
  owner,
  processes,
  random,
  systemError,
  watched,
} from "./faulty.ts";

const leaseFile = (): string => join(freshFolder(), ".lock");

/** Processes that share one time. */
const world = () => {
  const time = simulated();
  const by = (pid: string, gone: readonly string[] = []): LeaseOptions => ({
    ...{ random, ticks: time.ticks, wait: time.wait },
    processes: processes(pid, gone, time.every),
  });
  /** One that is stopped shows nothing. */
  const stopped = (pid: string): LeaseOptions => ({ ...by(pid), processes: processes(pid) });
  return { ...time, by, stopped };
};

/** Holds a lease until it is told to end. */
const holding = async (path: string, options: LeaseOptions, files: Files = diskFiles) => {
  let end = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    end = resolve;
  });
  let begun = (_: Lease): void => undefined;
  const lease = new Promise<Lease>((resolve) => {
    begun = resolve;
  });
  const done = withExclusiveLock(files, path, options, async (it) => {
    begun(it);
    await gate;
  });
  return {
    lease: await lease,
    end: () => {
      end();
      return done;
    },
  };
};

const busy = (): never => {
  throw new Error("held by another");
};

describe("one at a time", () => {
  test("the lease names its owner and its number, and is free afterwards", async () => {
    const path = leaseFile();
    const { by } = world();
    const inside = await withExclusiveLock(diskFiles, path, by("7"), () =>
      readFileSync(path, "utf8"),
    );
    const [, word = ""] = /^\d{12} 1 [0-9a-f]{16} (\S+)\n$/.exec(inside) ?? [];
    expect(word).toBe(owner("7"));
    expect(readFileSync(path, "utf8")).toMatch(/^free {9}1 /);
    expect(readdirSync(dirname(path))).toEqual([basename(path)]);
  });

  test("the holder is told while there is one", async () => {
    const path = leaseFile();
    const { by } = world();
    const told = () => leaseHolder(diskFiles, path, processes("8"));
    expect(told()).toBeUndefined();
    expect(await withExclusiveLock(diskFiles, path, by("7"), told)).toBe("7");
    expect(told()).toBeUndefined();
    writeFileSync(path, leaseOf("7"));
    expect([told(), leaseHolder(diskFiles, path, processes("8", ["7"]))]).toEqual(["7", undefined]);
  });

  test("numbers never go back, though every lease is given back", async () => {
    const path = leaseFile();
    const { by } = world();
    const numbers: number[] = [];
    for (let at = 0; at < 12; at += 1)
      await withExclusiveLock(diskFiles, path, by(String(at)), ({ number }) =>
        numbers.push(number),
      );
    expect(numbers).toEqual(Array.from({ length: 12 }, (_, at) => at + 1));
  });

  test("a failure gives it back too", async () => {
    const path = leaseFile();
    const { by } = world();
    const failing = withExclusiveLock(diskFiles, path, by("7"), () =>
      Promise.reject(new Error("inside")),
    );
    await expect(failing).rejects.toThrow("inside");
    const second = { ...by("8"), onBusy: busy };
    expect(await withExclusiveLock(diskFiles, path, second, () => "done")).toBe("done");
  });

  test("the second waits as long as the first shows that it lives, and comes in at once then", async () => {
    const path = leaseFile();
    const { by, ticks, wait } = world();
    const first = await holding(path, by("7"));
    const order: string[] = [];
    const willing = { ...by("8"), maxWaitMs: 10 * timeoutMs };
    const second = withExclusiveLock(diskFiles, path, willing, () => order.push("second"));
    while (ticks() < 3 * timeoutMs) await wait(100);
    order.push("first");
    first.lease.assertOwned();
    await first.end();
    await second;
    expect(order).toEqual(["first", "second"]);
  });

  test("who waits too long is told who holds it and where", async () => {
    const path = leaseFile();
    const { by } = world();
    const first = await holding(path, by("7"));
    const second = withExclusiveLock(diskFiles, path, by("8"), () => undefined);
    await expect(second).rejects.toMatchObject({ code: "Locked", exitCode: 2, where: path });
    await expect(second).rejects.toThrow("process 7");
    await first.end();
  });

  test("a lease that could not be made takes none away that another holds", async () => {
    const path = leaseFile();
    const { by } = world();
    const files: Files = {
      ...diskFiles,
      create: () => {
        throw systemError("EMFILE");
      },
    };
    const failing = withExclusiveLock(files, path, by("8"), () => undefined);
    await expect(failing).rejects.toMatchObject({ exitCode: 2, where: `${path} (EMFILE)` });
    const first = await holding(path, by("7"));
    await expect(
      withExclusiveLock(files, path, { ...by("8"), onBusy: busy }, () => undefined),
    ).rejects.toThrow("held by another");
    first.lease.assertOwned();
    await first.end();
  });
});

test("who only asks whether an owner lives learns it within moments", async () => {
  const path = leaseFile();
  const { by, stopped, ticks } = world();
  const asked = () => isBeating(diskFiles, path, by("8"));
  expect(await asked()).toBe(false);
  const first = await holding(path, by("7"));
  expect(await asked()).toBe(true);
  await first.end();
  expect(await asked()).toBe(false);
  const second = await holding(path, stopped("7"));
  expect(await asked()).toBe(false);
  expect(ticks()).toBeLessThan(timeoutMs);
  await second.end();
});

describe("an owner that shows nothing", () => {
  test("it is taken over when nothing was seen of it for the time-out, and not before", async () => {
    const path = leaseFile();
    const { by, stopped, ticks } = world();
    const first = await holding(path, stopped("7"));
    const at = await withExclusiveLock(diskFiles, path, by("8"), ({ number }) => [number, ticks()]);
    expect(at[0]).toBe(2);
    expect(at[1]).toBeGreaterThanOrEqual(timeoutMs);
    expect(at[1]).toBeLessThan(timeoutMs + 2 * heartbeatMs);
    await first.end();
  });

  test("it learns of it before it does anything more, and what it writes harms nobody", async () => {
    const path = leaseFile();
    const { by, stopped } = world();
    const first = await holding(path, stopped("7"));
    const second = await withExclusiveLock(diskFiles, path, by("8"), async (lease) => {
      const before = readFileSync(path, "utf8");
      expect(first.lease.isOwned()).toBe(false);
      expect(() => first.lease.assertOwned()).toThrow(
        expect.objectContaining({ code: "LeaseLost", exitCode: 7, outcome: "unknown" }),
      );
      await first.end();
      lease.assertOwned();
      return [before, readFileSync(path, "utf8")];
    });
    expect(second[1]).toBe(second[0]);
    expect(readFileSync(path, "utf8")).toMatch(/^free {9}2 /);
  });

  test("that of another machine, container or start of the machine is free after the time-out", async () => {
    const path = leaseFile();
    writeFileSync(path, `000000000041 7 00000000000000aa 0000000a.0000000b.3.1.2\n`);
    const { by, ticks } = world();
    expect(await withExclusiveLock(diskFiles, path, by("8"), ({ number }) => number)).toBe(8);
    expect(ticks()).toBeGreaterThanOrEqual(timeoutMs);
  });

  test("a person removes its folder: it learns of that as well", async () => {
    const path = leaseFile();
    const { lease, end } = await holding(path, world().stopped("7"));
    rmSync(dirname(path), { recursive: true });
    expect(lease.assertOwned).toThrow(expect.objectContaining({ code: "LeaseLost" }));
    await end();
  });

  test("one that is certain to be gone is taken over at once", async () => {
    const path = leaseFile();
    writeFileSync(path, leaseOf("7"));
    const { by } = world();
    const never = { ...by("8", ["7"]), onBusy: busy };
    expect(await withExclusiveLock(diskFiles, path, never, ({ number }) => number)).toBe(2);
  });

  test.each([
    ["empty", ""],
    ["of other content", "00000001.00000002.7.3 aaaa\n"],
  ])("a file that is %s is one whose owner shows nothing", async (_, text) => {
    const path = leaseFile();
    writeFileSync(path, text);
    const { by, ticks } = world();
    expect(await withExclusiveLock(diskFiles, path, by("8"), () => "done")).toBe("done");
    expect(ticks()).toBeGreaterThanOrEqual(timeoutMs);
  });

  test("who looked away has seen nothing: an owner that was stopped as long as its watcher keeps its lease", async () => {
    const path = leaseFile();
    const { by, stopped, ticks } = world();
    const first = await holding(path, stopped("7"));
    const asleep = { yet: false, ms: 0 };
    const watcher = {
      ...by("8"),
      ticks: () => ticks() + asleep.ms,
      onBusy: ({ waitedMs }: { waitedMs: number }): void => {
        if (waitedMs > 1_000 && !asleep.yet) {
          asleep.yet = true;
          asleep.ms = 10 * timeoutMs;
        } else if (asleep.yet && waitedMs > 10 * timeoutMs + 5_000) busy();
      },
      maxWaitMs: Number.POSITIVE_INFINITY,
    };
    await expect(withExclusiveLock(diskFiles, path, watcher, () => "done")).rejects.toThrow("held");
    first.lease.assertOwned();
    await first.end();
  });

  test("who computes for long keeps its lease by asking whether it has it", async () => {
    const path = leaseFile();
    const { by, stopped, ticks, wait } = world();
    const first = await holding(path, stopped("7"));
    const seen = { isBeating: false };
    const second = withExclusiveLock(
      diskFiles,
      path,
      {
        ...by("8"),
        onBusy: ({ isBeating }) => {
          seen.isBeating ||= isBeating;
        },
        maxWaitMs: 10 * timeoutMs,
      },
      () => "done",
    );
    while (ticks() < 3 * timeoutMs) {
      await wait(timeoutMs / 2);
      first.lease.assertOwned();
    }
    expect(seen.isBeating).toBe(true);
    await first.end();
    expect(await second).toBe("done");
  });
});

/** How many believed to own a dead one's lease at once when others came in at two file calls of one. */
const mostAtOnce = async (first: number, second: number): Promise<number> => {
  const path = leaseFile();
  writeFileSync(path, leaseOf("7"));
  const { by, wait } = world();
  const seen = { inside: 0, most: 0, all: 0 };
  const tried: Promise<unknown>[] = [];
  const come = (pid: string, files: Files): void => {
    const options = { ...by(pid, ["7"]), maxWaitMs: 10 * timeoutMs };
    const holds = async (lease: Lease): Promise<void> => {
      seen.inside += 1;
      seen.all += 1;
      seen.most = Math.max(seen.most, seen.inside);
      for (let at = 0; at < 4; at += 1) {
        await wait(25);
        lease.assertOwned();
      }
      seen.inside -= 1;
    };
    tried.push(withExclusiveLock(files, path, options, holds));
  };
  const { files } = watched((call) => {
    if (call === first) come("9", diskFiles);
    if (call === second) come("10", diskFiles);
  });
  come("8", files);
  // Who comes in at the last calls is one of them only then.
  for (const it of tried) await it;
  expect(seen.all).toBe(tried.length);
  expect(readdirSync(dirname(path))).toEqual([basename(path)]);
  return seen.most;
};

describe("taking over", () => {
  test("a lease is on the disk before it is in its place: over a network others read it then", async () => {
    const { files, calls } = faulty({ at: 0, with: "none" });
    await withExclusiveLock(files, leaseFile(), world().by("7"), () => "done");
    const lasting = calls.filter((it) => ["write", "sync", "rename"].includes(it));
    expect(lasting.slice(0, 3)).toEqual(["write", "sync", "rename"]);
  });

  test("two that come in at any call of one that takes it over: never do two hold it", async () => {
    for (let first = 1; first <= 16; first += 1)
      for (let second = first; second <= 16; second += 1)
        expect(await mostAtOnce(first, second), `calls ${first} and ${second}`).toBe(1);
  });

  test.each([["on this machine", ["7", "8"]] as const, ["elsewhere", ["7"]] as const])(
    "one that died %s at any call while it took a lease over does not bar the way",
    async (_, gone) => {
      for (let at = 1; at <= 20; at += 1) {
        const path = leaseFile();
        writeFileSync(path, leaseOf("7"));
        const { files } = faulty({ at, with: "kill" });
        const { by } = world();
        await withExclusiveLock(files, path, by("8", ["7"]), () => "died").catch(() => undefined);
        const third = withExclusiveLock(diskFiles, path, by("9", gone), () => "done");
        expect(await third, `call ${at}`).toBe("done");
      }
    },
  );

  test("an answer of a disk over a network that was lost at any call keeps nobody out", async () => {
    for (const code of ["EEXIST", "ENOENT"])
      for (let at = 1; at <= 20; at += 1) {
        const path = leaseFile();
        writeFileSync(path, leaseOf("7"));
        const { files, calls } = faulty({ at, with: code, after: true });
        const { by } = world();
        const ended = await withExclusiveLock(files, path, by("8", ["7"]), () => "done").catch(
          (error: unknown) => error,
        );
        const isName = ["create", "rename"].includes(calls[at - 1] ?? "");
        if (isName && code === "EEXIST") expect(ended, `call ${at}`).toBe("done");
        if (ended !== "done") expect(ended, `call ${at}`).not.toMatchObject({ code: "Locked" });
        const next = withExclusiveLock(diskFiles, path, by("9", ["7", "8"]), () => "next");
        expect(await next, `call ${at}`).toBe("next");
      }
  });

  test("a fault at every call ends with a usage error or with the work done, and bars nobody", async () => {
    for (const code of ["EIO", "ENOSPC"])
      for (let at = 1; at <= 20; at += 1) {
        const path = leaseFile();
        const { files } = faulty({ at, with: code });
        const { by } = world();
        const ended = await withExclusiveLock(files, path, by("7"), () => "done").catch(
          (error: unknown) => error,
        );
        if (ended !== "done") expect(ended, `call ${at}`).toMatchObject({ exitCode: 2 });
        const next = { ...by("8", ["7"]), onBusy: busy };
        expect(await withExclusiveLock(diskFiles, path, next, () => "next"), `call ${at}`).toBe(
          "next",
        );
      }
  });

  test("one that was stopped in the middle of it, until another had its place, takes nothing from that one", async () => {
    const path = leaseFile();
    writeFileSync(path, leaseOf("7"));
    const { by } = world();
    const theirs = leaseOf("9").replace(" 1 00", " 2 99");
    const rename: Files["rename"] = (from, to) => {
      diskFiles.remove(from);
      writeFileSync(path, theirs);
      diskFiles.rename(from, to);
    };
    const late = { ...by("8", ["7"]), onBusy: busy };
    const tried = withExclusiveLock({ ...diskFiles, rename }, path, late, () => "done");
    await expect(tried).rejects.toThrow("held by another");
    expect(readFileSync(path, "utf8")).toBe(theirs);
  });
});
