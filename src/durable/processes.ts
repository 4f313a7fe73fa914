/** Which process wrote a lease or a temporary file, and whether that process has certainly ended. */
import { hash } from "node:crypto";
import { hostname } from "node:os";
import { type Files, quietly, systemCode } from "./files.ts";

export type Processes = ReturnType<typeof createProcesses>;

/** The functions of the process that are used here. */
export interface ProcessPort {
  readonly pid: number;
  /** Signal 0 sends nothing and throws ESRCH if there is no such process. */
  readonly kill: (pid: number, signal: 0) => unknown;
  /** Calls `action` repeatedly without keeping the process alive; returns a function that stops it. */
  readonly every: (ms: number, action: () => void) => () => void;
}

/** The format of an owner's name. */
export const ownerPattern = "[0-9a-f]{8}\\.[0-9a-f]{8}\\.\\d+\\.\\d+\\.\\d+";

const unknown = "0";
const unknownBoot = "00000000";

/** Without /proc nothing is certain about other processes: their leases time out. */
export const createProcesses = (files: Files, port: ProcessPort) => {
  const host = brief(hostname());
  const bootId = textOf(() =>
    Buffer.from(files.read("/proc/sys/kernel/random/boot_id")).toString(),
  );
  const boot = bootId === "" ? unknownBoot : brief(bootId);
  const namespace = namespaceOf(files, port.pid);
  const isGone = (owner: string): boolean => {
    const [itsHost, itsBoot, itsNamespace, pid = "", start = unknown] = owner.split(".");
    // Ids are comparable only on one running kernel, in one namespace of it. Copies of a running machine share both.
    if (boot === unknownBoot || itsBoot !== boot || itsHost !== host) return false;
    if (namespace === unknown || itsNamespace !== namespace || !/^[1-9]\d*$/.test(pid))
      return false;
    if (!isRunning(port, Number(pid))) return true;
    // Process ids are reused after a while.
    const now = startOf(files, Number(pid));
    return now !== unknown && start !== unknown && now !== start;
  };
  return {
    /** This process as a part of a file name: host, boot, namespace of ids, id, and start. */
    self: [host, boot, namespace, port.pid, startOf(files, port.pid)].join("."),
    /** True only if that process can no longer be running. */
    isGone,
    /** The same, or from before this machine's start: enough to remove a temporary file. */
    isLeftover: (owner: string): boolean => {
      const [itsHost, itsBoot] = owner.split(".");
      return isGone(owner) || (itsHost === host && itsBoot !== boot);
    },
    every: port.every,
  };
};

/** The process id in an owner's name, for messages. */
export const pidOf = (owner: string): string => owner.split(".")[3] ?? "";

/** The number of this namespace; unknown if /proc shows the ids of another one. */
const namespaceOf = (files: Files, pid: number): string => {
  const isOwn = textOf(() => files.readLink("/proc/self")) === String(pid);
  const link = isOwn ? textOf(() => files.readLink("/proc/self/ns/pid")) : "";
  return /\d+/.exec(link)?.[0] ?? unknown;
};

const brief = (text: string): string => hash("sha256", text).slice(0, 8);

/** Empty if this system has no such file, or the process ended: nothing is known then. */
const textOf = (read: () => string): string => quietly(read) ?? "";

/** Ticks since the machine started: field 22 of /proc/<pid>/stat, the 20th after the name. */
const startOf = (files: Files, pid: number): string => {
  const stat = textOf(() => Buffer.from(files.read(`/proc/${pid}/stat`)).toString());
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? unknown;
};

const isRunning = (port: ProcessPort, pid: number): boolean => {
  try {
    port.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) !== "ESRCH";
  }
};
