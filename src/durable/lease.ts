/**
 * One process at a time, by a lease: a file that its owner changes repeatedly while it works. Another
 * process takes the lease over when it has seen no change for the time-out, by its own clock. Each owner
 * has a higher number than the one before, and checks that it still owns the lease before it does what
 * must not be done twice.
 */

import { MsgError, usageError } from "../errors.ts";
import { t } from "../locale/locale.ts";
import { closeQuietly, removeQuietly, writeAll } from "./atomic-write.ts";
import { type Files, fileError, quietly, systemCode } from "./files.ts";
import { ownerPattern, type Processes, pidOf } from "./processes.ts";

export interface LeaseOptions {
  readonly processes: Processes;
  readonly random: (bytes: number) => Uint8Array;
  /** Milliseconds by a monotonic clock. */
  readonly ticks: () => number;
  readonly wait: (ms: number) => Promise<void>;
  /** Called repeatedly while another process has the lease; throws if the caller does not wait for that. */
  readonly onBusy?: ((busy: Busy) => void) | undefined;
  /** How long to wait for others; 35 seconds when left out. */
  readonly maxWaitMs?: number | undefined;
}

export interface Busy {
  /** Id of the process that has it, for messages; empty if unknown. */
  readonly holder: string;
  /** Its heartbeat was seen. */
  readonly isBeating: boolean;
  readonly waitedMs: number;
}

export interface Lease {
  /** Higher than that of every owner before. */
  readonly number: number;
  /** Also false if the lease cannot be read. */
  readonly isOwned: () => boolean;
  /** Throws MsgError (stopped) if another process has taken the lease over, or a person has removed it. */
  readonly assertOwned: () => void;
}

/** How often an owner shows that it is alive, and how long without a sign before it times out. */
export const heartbeatMs = 1_000;
export const timeoutMs = 15_000;
const pollMs = 25;
/** An owner, and a process that died while taking over, time out one after the other. */
const defaultWaitMs = 2 * timeoutMs + 5_000;

/**
 * Runs `action` while no other process runs one under the lease at `path`, whose folder must exist.
 * Throws MsgError (usage) when another one keeps it.
 */
export const withExclusiveLock = async <T>(
  files: Files,
  path: string,
  options: LeaseOptions,
  action: (lease: Lease) => T | Promise<T>,
): Promise<T> => {
  const lease = await acquire(files, path, options);
  const stop = options.processes.every(heartbeatMs, lease.beat);
  try {
    return await action(lease);
  } finally {
    stop();
    lease.release();
  }
};

/** The id of the process that has a lease, as far as a single read shows; undefined if none has. */
export const leaseHolder = (
  files: Files,
  path: string,
  processes: Processes,
): string | undefined => {
  const found = parse(readText(files, path));
  return isFree(found, processes) ? undefined : pidOf(found.process);
};

/** Whether a process has a lease and shows that it is alive within two heartbeats. */
export const isBeating = async (
  files: Files,
  path: string,
  { processes, ticks, wait }: Pick<LeaseOptions, "processes" | "ticks" | "wait">,
): Promise<boolean> => {
  const watch = createWatch(ticks);
  for (;;) {
    const found = parse(readText(files, path));
    if (isFree(found, processes)) return false;
    const seen = watch(found);
    if (seen.isBeating || seen.unchangedMs > 2 * heartbeatMs) return seen.isBeating;
    await wait(pollMs);
  }
};

interface Found {
  /** Undefined if there is no file. */
  readonly text: string | undefined;
  readonly number: number;
  readonly owner: string;
  readonly process: string;
}

const freeMark = "free".padEnd(12);
const pattern = new RegExp(`^(?:\\d{12}|${freeMark}) (\\d+) ([0-9a-f]{16}) (${ownerPattern})\n$`);

/** A damaged or half-written text yields a number and an owner that no process has. */
const parse = (text: string | undefined): Found => {
  const [, number = "0", owner = "", process = ""] = pattern.exec(text ?? "") ?? [];
  return { text, number: Number(number), owner, process };
};

/** It is certain that no process has it. */
const isFree = ({ text, process }: Found, processes: Processes): boolean =>
  text === undefined || text.startsWith(freeMark) || processes.isGone(process);

const acquire = async (files: Files, path: string, options: LeaseOptions) => {
  const { processes, ticks, wait, onBusy, maxWaitMs = defaultWaitMs } = options;
  const started = ticks();
  const watchLease = createWatch(ticks);
  const watchClaim = createWatch(ticks);
  for (;;) {
    const found = parse(readText(files, path));
    const seen = watchLease(found);
    const claim = claimOf(path, found);
    const claimant = parse(readText(files, claim));
    const silentMs = watchClaim(claimant).unchangedMs;
    if (isFree(found, processes) || seen.unchangedMs >= timeoutMs) {
      // Its maker died before moving it.
      if (silentMs >= timeoutMs || processes.isGone(claimant.process)) removeQuietly(files, claim);
      const held = takeOver(files, path, found, options);
      if (held) return held;
    }
    const busy = { holder: pidOf(found.process), isBeating: seen.isBeating };
    const waitedMs = ticks() - started;
    onBusy?.({ ...busy, waitedMs });
    if (waitedMs > maxWaitMs) throw lockedError(path, busy.holder);
    await wait(pollMs);
  }
};

/**
 * How long a file was seen unchanged, in steps no longer than a heartbeat: a suspended process has seen
 * nothing in that time.
 */
const createWatch = (ticks: () => number) => {
  let last: Found | undefined;
  let at = ticks();
  let unchangedMs = 0;
  let isBeating = false;
  return (found: Found) => {
    const isSame = found.text === last?.text;
    unchangedMs =
      isSame && found.text !== undefined ? unchangedMs + Math.min(ticks() - at, heartbeatMs) : 0;
    isBeating = last?.owner === found.owner ? isBeating || !isSame : last !== undefined;
    at = ticks();
    last = found;
    return { unchangedMs, isBeating };
  };
};

/** The name that only one process can create while the lease is as it was found. */
const claimOf = (path: string, { number }: Found): string => `${path}.${number + 1}`;

/**
 * Takes the lease over from the owner that was found; undefined if another process was faster. Only the
 * process that made the claim moves it into place, and only while the lease is as it was found. If that
 * process was suspended for so long that others removed its claim, it moves nothing or another one's
 * claim: the text of the lease says who owns it.
 */
const takeOver = (files: Files, path: string, found: Found, options: LeaseOptions) => {
  const number = found.number + 1;
  const claim = claimOf(path, found);
  const owner = Buffer.from(options.random(8)).toString("hex");
  const text = `${count(0)} ${number} ${owner} ${options.processes.self}\n`;
  const descriptor = create(files, path, claim);
  if (descriptor === undefined) return undefined;
  try {
    writeAll(files, descriptor, Buffer.from(text));
    files.sync(descriptor);
    const isAsFound = readText(files, path) === found.text;
    if (isAsFound && readText(files, claim) === text) move(files, claim, path);
    if (parse(readText(files, path)).owner === owner)
      return holdLease(files, path, { number, owner, descriptor }, options.ticks);
    giveUp(files, claim, descriptor);
    return undefined;
  } catch (error) {
    giveUp(files, claim, descriptor);
    throw fileError(error, t`write the lock '${path}'`, path);
  }
};

const create = (files: Files, path: string, claim: string): number | undefined => {
  try {
    return files.create(claim);
  } catch (error) {
    if (systemCode(error) === "EEXIST") return undefined;
    throw fileError(error, t`create the lock '${path}'`, path);
  }
};

/** A network file system may have moved it and lost the answer: the content in its place shows that. */
const move = (files: Files, claim: string, path: string): void => {
  try {
    files.rename(claim, path);
  } catch (error) {
    if (!["ENOENT", "EEXIST"].includes(systemCode(error) ?? "")) throw error;
  }
};

const giveUp = (files: Files, claim: string, descriptor: number): void => {
  removeQuietly(files, claim);
  closeQuietly(files, descriptor);
};

/**
 * An owner writes to the file that it made, by its descriptor: never into a lease that another owner has
 * put in its place. A released lease keeps its number.
 */
const holdLease = (
  files: Files,
  path: string,
  { number, owner, descriptor }: { number: number; owner: string; descriptor: number },
  ticks: () => number,
) => {
  const state = { beats: 0, beatAt: ticks() };
  // A process that does not see it takes the lease over, and this one notices.
  const write = (word: string): void =>
    quietly(() => {
      writeAll(files, descriptor, Buffer.from(word), 0);
      // Over a network others see it only after the sync.
      files.syncData(descriptor);
    });
  const beat = (): void => {
    state.beats += 1;
    state.beatAt = ticks();
    write(count(state.beats));
  };
  const isStillOwned = (): boolean => parse(readText(files, path)).owner === owner;
  return {
    number,
    isOwned: () => quietly(isStillOwned) ?? false,
    assertOwned: (): void => {
      if (ticks() - state.beatAt >= heartbeatMs) beat();
      if (!isStillOwned()) throw lostError(path);
    },
    beat,
    release: (): void => {
      write(freeMark);
      closeQuietly(files, descriptor);
    },
  };
};

const count = (beats: number): string => String(beats).padStart(12, "0");

const readText = (files: Files, path: string): string | undefined => {
  try {
    return Buffer.from(files.read(path)).toString("latin1");
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw fileError(error, t`read the lock '${path}'`, path);
  }
};

const lockedError = (path: string, pid: string): MsgError =>
  usageError(
    pid === ""
      ? t`another msg is changing the same files`
      : t`another msg (process ${pid}) is changing the same files`,
    { code: "Locked", where: path, todo: t`run the command again when it is done` },
  );

/** The error code for an owner whose lease another one has taken over. */
export const leaseLost = "LeaseLost";

const lostError = (path: string): MsgError =>
  new MsgError("stopped", t`this msg lost its lock`, {
    code: leaseLost,
    where: path,
    todo: t`it was paused and another msg has taken over, or its folder was removed: check what was done before you run this again`,
    outcome: "unknown",
  });
