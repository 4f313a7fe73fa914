/** Which process wrote a lock or a temporary file, and whether it is gone. */
import { createHash } from "node:crypto";
import { hostname } from "node:os";
import type { Files } from "./files.ts";

export interface Processes {
  /**
   * This process as a word of a file name: machine, start of the machine, id, start of the process, and
   * start of the first process that it sees.
   */
  readonly self: string;
  /** True only where that process cannot be running any more. */
  isGone(owner: string): boolean;
}

/** What is asked of the process itself: `process.pid` and `process.kill`. */
export interface ProcessPort {
  readonly pid: number;
  /** Signal 0 sends nothing and throws ESRCH where there is no such process. */
  readonly kill: (pid: number, signal: 0) => unknown;
}

/** The shape of an owner's word. */
export const ownerPattern = "[0-9a-f]{8}\\.[0-9a-f]{8}\\.\\d+\\.\\d+(?:\\.\\d+)?";

/** A process id is used again after a while: its start and the start of the machine tell them apart. */
export const createProcesses = (files: Files, port: ProcessPort): Processes => {
  const machine = brief(hostname());
  const boot = brief(readText(files, "/proc/sys/kernel/random/boot_id"));
  // A container has ids of its own, and may share the name of its machine and this folder: what runs in
  // another one looks like an id that nobody has. It began at another time.
  const first = startOf(files, 1);
  return {
    self: `${machine}.${boot}.${port.pid}.${startOf(files, port.pid)}.${first}`,
    isGone: (owner) => {
      const [itsMachine, itsBoot, pid = "", start = "", itsFirst = first] = owner.split(".");
      // What runs on another machine that shares this folder cannot be known.
      if (itsMachine !== machine || !/^[1-9]\d*$/.test(pid)) return false;
      if (itsBoot !== boot) return true;
      if (itsFirst !== first) return false;
      if (!isRunning(port, Number(pid))) return true;
      const now = startOf(files, Number(pid));
      return now !== unknownStart && start !== unknownStart && now !== start;
    },
  };
};

/** The id in an owner's word, for messages. */
export const pidOf = (owner: string): string => owner.split(".")[2] ?? "";

const brief = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 8);

const readText = (files: Files, path: string): string => {
  try {
    return Buffer.from(files.read(path)).toString();
  } catch {
    // No such file on this system, or the process ended: both mean that nothing is known.
    return "";
  }
};

const unknownStart = "0";

/** Ticks since the machine started: field 22 of /proc/<pid>/stat, the 20th behind the name. */
const startOf = (files: Files, pid: number): string => {
  const stat = readText(files, `/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? unknownStart;
};

const isRunning = (port: ProcessPort, pid: number): boolean => {
  try {
    port.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ESRCH");
  }
};
