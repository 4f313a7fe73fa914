/** One process at a time: a lock file beside what is read, changed and written. */
import { usage } from "../errors.ts";
import { fileError, systemCode } from "./failure.ts";
import type { Files } from "./files.ts";
import { type Processes, pidOf } from "./processes.ts";
import { removeLeftovers, removeQuietly, temporaryName, writeNew } from "./whole.ts";

export interface LockOptions {
  readonly processes: Processes;
  readonly random: (bytes: number) => Uint8Array;
  readonly wait: (ms: number) => Promise<void>;
  /** How often it is looked whether a lock that is held is free; a few seconds' worth when left out. */
  readonly tries?: number | undefined;
}

const pauseMs = 25;
/** About five seconds: nobody holds it longer than a few writes take. */
const usualTries = 200;

/**
 * Runs `action` while no other process runs one under the lock at `path`, whose folder must exist. A
 * lock whose process is gone is taken over. Throws MsgError (usage) when it stays held.
 */
export const withLock = async <T>(
  files: Files,
  path: string,
  options: LockOptions,
  action: () => T | Promise<T>,
): Promise<T> => {
  const mark = `${options.processes.self} ${hex(options.random(8))}\n`;
  await take(files, path, mark, options);
  try {
    return await action();
  } finally {
    release(files, path, mark);
  }
};

/** The id of the process that holds a lock now; undefined where nobody does. */
export const holderOf = (files: Files, path: string, processes: Processes): string | undefined => {
  const owner = ownerIn(read(files, path) ?? "");
  return owner === "" || processes.isGone(owner) ? undefined : pidOf(owner);
};

const take = async (
  files: Files,
  path: string,
  mark: string,
  options: LockOptions,
): Promise<void> => {
  let holder: string | undefined;
  const { tries = usualTries } = options;
  for (let attempt = 0; attempt < tries; attempt += 1) {
    holder = read(files, path);
    if (holder === undefined && create(files, path, mark, options)) return;
    // A file system over a network may have made it, and lost the answer.
    if (holder === mark) return;
    if (holder === undefined) continue;
    const isDead = options.processes.isGone(ownerIn(holder));
    if (!isDead || !takeAway(files, path, holder, mark, options)) await options.wait(pauseMs);
  }
  // Who died between making a lock and writing a name into it cannot be told from one who is slow.
  const isOver =
    holder === "" || (holder !== undefined && options.processes.isGone(ownerIn(holder)));
  const nameless = isOver ? await namelessGuards(files, path, options) : none;
  if (isOver && takeAway(files, path, holder ?? "", mark, options, nameless)) {
    if (create(files, path, mark, options)) return;
  }
  throw held(path, holder ?? "");
};

/** Looks at a guard without a name, one pause after the other, until it is taken for a dead one's. */
const namelessLooks = 8;

/** Guards of a dead lock that stay without a name: only where a file cannot have two names are there any. */
const namelessGuards = async (
  files: Files,
  path: string,
  { wait }: LockOptions,
): Promise<ReadonlySet<string>> => {
  const found = new Set<string>();
  for (let guard = guardOf(path); ; guard = guardOf(guard)) {
    for (let look = 0; look < namelessLooks; look += 1) {
      if (read(files, guard) !== "") return found;
      await wait(pauseMs);
    }
    found.add(guard);
  }
};

const guardOf = (path: string): string => `${path}.dead`;

const none: ReadonlySet<string> = new Set();

/**
 * Makes the lock with its name in it at once: nobody ever sees an empty one. Only where a file cannot
 * have two names (some disks of cameras, some phones) it is made first and written then.
 */
const create = (files: Files, path: string, mark: string, options: LockOptions): boolean => {
  removeLeftovers(files, path, options.processes);
  const whole = temporaryName(path, options);
  try {
    writeNew(files, whole, Buffer.from(mark), 0o600);
    files.link(whole, path);
    return true;
  } catch (error) {
    return systemCode(error) !== "EEXIST" && createInPlace(files, path, mark);
  } finally {
    removeQuietly(files, whole);
  }
};

const createInPlace = (files: Files, path: string, mark: string): boolean => {
  const made = { isOurs: false };
  const opening = (at: string, mode: number): number => {
    const descriptor = files.create(at, mode);
    made.isOurs = true;
    return descriptor;
  };
  try {
    writeNew({ ...files, create: opening }, path, Buffer.from(mark), 0o600);
    return true;
  } catch (error) {
    if (systemCode(error) === "EEXIST") return false;
    // Where none could be made (no descriptor is left), what stands there is another's.
    if (made.isOurs) removeQuietly(files, path);
    throw fileError(error, `lock '${path}'`, path);
  }
};

const read = (files: Files, path: string): string | undefined => {
  try {
    return Buffer.from(files.read(path)).toString();
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw fileError(error, `read the lock '${path}'`, path);
  }
};

/**
 * Removes a dead process's lock, under a lock of its own: between the look that finds it and its removal
 * nobody else can have removed it and made a new one. A process that died in between is taken away in the
 * same manner, which ends: each step down needs one that died there. `nameless`: those that died before
 * they wrote their name down. Answers whether it was removed.
 */
const takeAway = (
  files: Files,
  path: string,
  dead: string,
  mark: string,
  options: LockOptions,
  nameless = none,
): boolean => {
  const guard = guardOf(path);
  const holder = read(files, guard);
  const isDead =
    holder !== undefined &&
    (options.processes.isGone(ownerIn(holder)) || (holder === "" && nameless.has(guard)));
  if (isDead) takeAway(files, guard, holder, mark, options, nameless);
  const mayMake = holder === undefined || isDead;
  // It is this one's where an earlier answer was lost, as in `take`.
  if (holder !== mark && !(mayMake && create(files, guard, mark, options))) return false;
  try {
    if (read(files, path) !== dead) return false;
    files.remove(path);
    return true;
  } catch (error) {
    throw fileError(error, `take over the lock '${path}'`, path);
  } finally {
    release(files, guard, mark);
  }
};

/** Removes the lock while it is still this one. */
const release = (files: Files, path: string, mark: string): void => {
  try {
    if (read(files, path) === mark) files.remove(path);
  } catch {
    // The next process sees that this one is gone and takes the lock over.
    return;
  }
};

const ownerIn = (mark: string): string => mark.split(" ")[0] ?? "";

const held = (path: string, mark: string): Error => {
  const pid = pidOf(ownerIn(mark));
  return usage(`another msg${pid === "" ? "" : ` (process ${pid})`} is changing the same files`, {
    code: "Locked",
    where: path,
    todo: "run the command again when it is done; if none is running, remove the file named above",
  });
};

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
