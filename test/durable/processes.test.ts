import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { diskFiles, type Files } from "../../src/durable/files.ts";
import {
  createProcesses,
  ownerPattern,
  type ProcessPort,
  pidOf,
} from "../../src/durable/processes.ts";
import { every } from "../support/clock.ts";

const port = (over: Partial<ProcessPort> = {}): ProcessPort => ({
  pid: process.pid,
  kill: (id, signal) => process.kill(id, signal),
  every,
  ...over,
});

const failing = (code: string) => (): never => {
  throw Object.assign(new Error(code), { code });
};

const swapped = (word: string, at: number, part: string): string =>
  word
    .split(".")
    .map((it, index) => (index === at ? part : it))
    .join(".");

/** The word of a child of this process, as it would write it itself. */
const wordOf = (self: string, { pid = 0 }: ChildProcess): string => {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const start = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  return swapped(swapped(self, 3, String(pid)), 4, start);
};

describe("whether a process is gone", () => {
  const mine = createProcesses(diskFiles, port());

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
    const word = wordOf(mine.self, child);
    expect(mine.isGone(word)).toBe(false);
    child.stdin.end();
    await once(child, "exit");
    expect(mine.isGone(word)).toBe(true);
  });

  test("one with the id of another that began at another time is", () => {
    expect(mine.isGone(swapped(mine.self, 4, "1"))).toBe(true);
    expect(mine.isGone(swapped(mine.self, 4, "0"))).toBe(false);
  });

  test("of an id on another host, another kernel, or in another namespace of this one, nothing is certain: here no one has it", () => {
    const here = createProcesses(diskFiles, port({ kill: failing("ESRCH") }));
    expect(here.isGone(mine.self)).toBe(true);
    expect(here.isGone(swapped(mine.self, 0, "ffffffff"))).toBe(false);
    expect(here.isGone(swapped(mine.self, 1, "ffffffff"))).toBe(false);
    expect(here.isGone(swapped(mine.self, 2, "99999999"))).toBe(false);
  });

  test.each([
    ["without /proc", { read: failing("ENOENT"), readLink: failing("ENOENT") }],
    ["where /proc shows another namespace", { readLink: () => "1" }],
  ] satisfies readonly [string, Partial<Files>][])("%s nothing is certain", (_, over) => {
    const blind = createProcesses({ ...diskFiles, ...over }, port({ kill: failing("ESRCH") }));
    expect(blind.self).toMatch(new RegExp(`^${ownerPattern}$`));
    expect(blind.isGone(blind.self)).toBe(false);
    expect(blind.isGone(mine.self)).toBe(false);
  });

  test("nor of a word that is none", () => {
    for (const word of ["", "x", "0.0.0.0.0", swapped(mine.self, 3, "-99999999")])
      expect(mine.isGone(word)).toBe(false);
  });

  test("an id that may not be asked is running", () => {
    const foreign = createProcesses(diskFiles, port({ kill: failing("EPERM") }));
    expect(foreign.isGone(foreign.self)).toBe(false);
  });

  test("what was left from before this machine was started is a leftover, whatever has that id now", () => {
    const before = swapped(mine.self, 1, "ffffffff");
    expect([mine.isGone(before), mine.isLeftover(before)]).toEqual([false, true]);
    expect(mine.isLeftover(swapped(before, 0, "ffffffff"))).toBe(false);
    expect(mine.isLeftover(mine.self)).toBe(false);
  });

  test("a process in a namespace of its own is not taken for one that is gone", () => {
    const script = 'process.stdout.write(require("node:fs").readlinkSync("/proc/self/ns/pid"))';
    const apart = ["-Urpf", "--mount-proc", process.execPath, "-e", script];
    const { status, stdout } = spawnSync("unshare", apart, { encoding: "utf8" });
    // Where no namespace may be made, there is none to be mistaken.
    if (status !== 0) return;
    const number = /\d+/.exec(stdout)?.[0] ?? "";
    expect(number).not.toBe(mine.self.split(".")[2]);
    expect(mine.isGone(swapped(swapped(mine.self, 2, number), 3, "999999"))).toBe(false);
  });
});
