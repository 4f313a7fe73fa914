import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { diskFiles } from "../../src/durable/files.ts";
import { createProcesses, ownerPattern, pidOf } from "../../src/durable/processes.ts";

const ofPid = (pid: number) =>
  createProcesses(diskFiles, { pid, kill: (id, signal) => process.kill(id, signal) });

const swapped = (word: string, at: number, part: string): string =>
  word
    .split(".")
    .map((it, index) => (index === at ? part : it))
    .join(".");

describe("whether a process is gone", () => {
  const mine = ofPid(process.pid);

  test("this one is not, and its word tells its id", () => {
    expect(mine.self).toMatch(new RegExp(`^${ownerPattern}$`));
    expect(pidOf(mine.self)).toBe(String(process.pid));
    expect(mine.isGone(mine.self)).toBe(false);
  });

  test("a child is not while it runs, and is afterwards", async () => {
    const child = spawn(process.execPath, ["-e", "process.stdin.resume()"], {
      stdio: ["pipe", "ignore", "ignore"],
    });
    await once(child, "spawn");
    const { self } = ofPid(child.pid ?? 0);
    expect(mine.isGone(self)).toBe(false);
    child.stdin.end();
    await once(child, "exit");
    expect(mine.isGone(self)).toBe(true);
  });

  test("the same id before the machine was started again is another process", () => {
    expect(mine.isGone(swapped(mine.self, 1, "ffffffff"))).toBe(true);
  });

  test("of an id in another container of this machine nothing is known: here nobody has it", () => {
    const absent = Object.assign(new Error("no such process"), { code: "ESRCH" });
    const here = createProcesses(diskFiles, {
      pid: process.pid,
      kill: () => {
        throw absent;
      },
    });
    expect(here.isGone(mine.self)).toBe(true);
    const elsewhere = swapped(mine.self, 4, "99999999");
    expect(here.isGone(elsewhere)).toBe(false);
    expect(here.isGone(swapped(elsewhere, 1, "ffffffff"))).toBe(true);
  });

  test("of another machine nothing is known", () => {
    expect(mine.isGone(swapped(mine.self, 0, "ffffffff"))).toBe(false);
  });

  test("nor of a word that is none", () => {
    for (const word of ["", "x", "0.0.0.0", swapped(mine.self, 2, "-1")])
      expect(mine.isGone(word)).toBe(false);
  });

  test("an id that may not be asked is running", () => {
    const denied = Object.assign(new Error("denied"), { code: "EPERM" });
    const foreign = createProcesses(diskFiles, {
      pid: process.pid,
      kill: () => {
        throw denied;
      },
    });
    expect(foreign.isGone(foreign.self)).toBe(false);
  });
});
