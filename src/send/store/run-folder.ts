/** Where runs live: one private folder each, named so that the names sort by time. */

import { hash } from "node:crypto";
import { join } from "node:path";
import { asKey } from "../../contract/fields.ts";
import { ensurePrivateDir, writeAtomically, writeFirst } from "../../durable/atomic-write.ts";
import { type Files, fileError, quietly, systemCode, withFileError } from "../../durable/files.ts";
import type { LeaseOptions } from "../../durable/lease.ts";
import { createProcesses } from "../../durable/processes.ts";
import { MsgError, usageError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import type { Ports } from "../../ports.ts";
import { createJournal, damagedRunError, isDamage, stageOf } from "./journal.ts";
import { journalCopy, type RunFile, readRunFile, withSum } from "./run-file.ts";

export interface RunStore extends Pick<LeaseOptions, "processes" | "random" | "ticks" | "wait"> {
  readonly files: Files;
  /** `<state folder>/runs`. */
  readonly folder: string;
  readonly user: number | undefined;
  readonly now: () => Date;
  /** Shows the operator why nothing happens. */
  readonly note?: (line: string) => void;
  /** Whether a person reads what is noted. */
  readonly isWatched?: boolean;
  readonly signal?: AbortSignal;
}

/** The runs of this user, as commands reach them. */
export const storeOf = (ctx: Ports): RunStore => ({
  files: ctx.environment.files,
  processes: createProcesses(ctx.environment.files, ctx.environment.user),
  folder: join(ctx.environment.stateFolder(), "runs"),
  user: ctx.environment.user.uid,
  random: ctx.environment.random,
  now: ctx.clock.now,
  ticks: ctx.clock.ticks,
  wait: (ms) => ctx.clock.wait(ms),
  note: (line) => void ctx.note(line),
  isWatched: ctx.io.err.isTTY,
  signal: ctx.signal,
});

export const fileOf = (
  { folder }: Pick<RunStore, "folder">,
  run: string,
  name: RunFileName,
): string => join(folder, run, name);

type RunFileName =
  | "run.json"
  | "plan.jsonl"
  | "journal.log"
  | "journal.rebuilt"
  | "journal.gone"
  | "reserve"
  | "lock"
  | "results.jsonl"
  | "input"
  | "reply.json";

/** `20260115-093000123-4f1c2a`: sorts by time to the millisecond, says nothing of a person. */
export const newRunId = (now: Date, random: RunStore["random"]): string => {
  const digits = now.toISOString().replace(/\D/g, "");
  const tail = Buffer.from(random(3)).toString("hex");
  return `${digits.slice(0, 8)}-${digits.slice(8, 17)}-${tail}`;
};

/** The name of the folder of a run of send-many. */
export const runIdPattern = /^\d{8}-\d{9}-[0-9a-f]{6}$/;

/**
 * The run of a key of `send --once`: found by its first half, however many there are. The other half is its
 * own, since other machines make runs with the same key.
 */
export const newKeyedId = (profile: string, key: string, random: RunStore["random"]): string =>
  keyedStart(profile, key) + Buffer.from(random(8)).toString("hex");

const keyedStart = (profile: string, key: string): string => {
  const names = JSON.stringify([profile, key]);
  return hash("sha256", names).slice(0, 16);
};

/** Undefined if there is none, or nothing was planned in it. */
export const findKeyedId = (store: RunStore, profile: string, key: string): string | undefined => {
  const start = keyedStart(profile, key);
  return listFolders(store, [keyedIdPattern]).find(
    (id) => id.startsWith(start) && isRun(store, id),
  );
};

const keyedIdPattern = /^[0-9a-f]{32}$/;

/** Makes the folder of a run, of a new one if no id is given. Returns the id. */
export const createRunFolder = (
  store: RunStore,
  run = newRunId(store.now(), store.random),
): string => {
  ensurePrivateDir(store.files, store.folder, store.user);
  ensurePrivateDir(store.files, join(store.folder, run), store.user);
  return run;
};

/** The run exists from here on: run.json is written last, and whole, after its journal. */
export const writeRun = (store: RunStore, run: RunFile): void => {
  const { files } = store;
  createJournal(files, fileOf(store, run.run, "journal.log"), run.run, journalCopy(run)).close();
  writeFirst(files, fileOf(store, run.run, "reserve"), Buffer.alloc(reserveBytes));
  writeRunFile(store, run);
};

/** The file alone, in place of the one that is there. */
export const writeRunFile = (store: RunStore, run: RunFile): void => {
  const text = Buffer.from(`${JSON.stringify(withSum(run))}\n`);
  writeAtomically(store.files, fileOf(store, run.run, "run.json"), text, store);
};

/** Room for the last records on a full disk. */
const reserveBytes = 64 * 1024;

/** Ids of the runs of send-many, oldest first. One that cannot be read does not block the others: reading it says so. */
export const listRunIds = (store: RunStore): string[] =>
  listSendManyIds(store).filter((name) => quietly(() => isRun(store, name)) ?? true);

/** The same, and those whose run.json is gone or was never written. */
export const listSendManyIds = (store: RunStore): string[] => listFolders(store, [runIdPattern]);

/** Ids of all runs, those of `send --once` too, whether they can be read or not. */
export const listAllRunIds = (store: RunStore): string[] =>
  listFolders(store, [runIdPattern, keyedIdPattern]);

/** Anything else in the folder is not ours. */
export const listFolders = (store: RunStore, names: readonly RegExp[]): string[] =>
  withFileError(store.folder, "read", () => {
    if (!store.files.lstat(store.folder)) return [];
    return (
      store.files
        .list(store.folder)
        .filter((name) => names.some((it) => it.test(name)))
        // Links are followed: a run may have been moved to another disk.
        .filter((name) => store.files.stat(join(store.folder, name))?.kind === "folder")
        .sort()
    );
  });

/** Whether it was completely written down. */
export const isPlanned = (store: RunStore, run: string): boolean => isThere(store, run, "run.json");

/** Throws MsgError: unknown if it is damaged or gone, and may have sent. */
export const readRun = (store: RunStore, run: string): RunFile => {
  const path = fileOf(store, run, "run.json");
  try {
    return readRunFile(path, run, store.files);
  } catch (error) {
    const code = systemCode(error) ?? "";
    if (!isDamage(error) && !noFile.has(code)) throw fileError(error, t`read '${path}'`, path);
    const what = code === "ENOENT" ? t`run.json is gone` : t`run.json is a folder`;
    const damage = isDamage(error)
      ? error
      : damagedRunError(run, what, { where: path, code: "RunNotReadable", cause: error });
    throw isBegun(store, run) ? damage : notStartedError(damage, run);
  }
};

const noFile: ReadonlySet<string> = new Set(["ENOENT", "EISDIR"]);

/** The journal says that no request left: then damage leaves no doubt. */
const notStartedError = ({ message, where, cause }: MsgError, run: string): MsgError =>
  usageError(t`${message.split(":")[0] ?? ""}; run ${run} was not started`, {
    code: "RunNotReadable",
    where,
    todo: t`nothing of it was sent; fix it: msg run reconcile ${run}`,
    cause,
  });

/** Whether its first request may have left: a journal that is damaged may have said so. */
export const isBegun = (store: RunStore, run: string): boolean => {
  const path = fileOf(store, run, "journal.log");
  const stage = withFileError(path, "read", () => stageOf(store.files, path));
  if (stage === "planned") return false;
  if (stage === "begun" || stage === "damaged") return true;
  return isPlanned(store, run) || (stage === "empty" && isThere(store, run, "reserve"));
};

/**
 * Whether a folder holds a run: one whose run.json is gone is still a run, and reading it says so. The planning of
 * any other is under way, or never ended: nothing of it was sent.
 */
export const isRun = (store: RunStore, run: string): boolean =>
  isPlanned(store, run) || isBegun(store, run);

const isThere = (store: RunStore, run: string, name: RunFileName): boolean => {
  const path = fileOf(store, run, name);
  return withFileError(path, "read", () => store.files.lstat(path) !== undefined);
};

/** The run that is named. Throws MsgError: missing, and for one that is damaged. */
export const findRun = (store: RunStore, named: string, owner: RunOwner): RunFile =>
  readRun(store, findRunId(store, named, owner));

/** The present caller, and which runs are theirs. */
export interface RunOwner {
  readonly profile: string;
  readonly owns: (run: RunFile) => boolean;
}

/**
 * By its id, or by the key of a `send --once` of the profile. `last` is the newest run of send-many of
 * the owner, whatever its state. Throws MsgError (missing).
 */
export const findRunId = (store: RunStore, named: string, { profile, owns }: RunOwner): string => {
  const ids = listRunIds(store).reverse();
  const id = named === "last" ? ids.find((it) => owns(readRun(store, it))) : named;
  if (id !== undefined && runIdPattern.test(id) && isRun(store, id)) {
    if (named === "last") noteLast(store, id, ids[0] ?? id);
    return id;
  }
  const keyed = keyedIdPattern.test(named) ? named : findKeyedId(store, profile, asKey(named));
  if (named !== "last" && keyed !== undefined && isRun(store, keyed)) return keyed;
  throw noRunError(store, named, profile, named === "last" ? ids[0] : undefined);
};

const noRunError = (
  store: RunStore,
  named: string,
  profile: string,
  newest: string | undefined,
): Error => {
  const what =
    named === "last" ? t`profile '${profile}' has no run` : t`there is no run '${named}'`;
  const elsewhere = t`msg run list shows the runs of this machine; resume one of another from its list: msg send-many <file> --resume ${named}`;
  const here = runIdPattern.test(named) ? elsewhere : t`msg run list shows the runs`;
  const todo =
    newest === undefined
      ? here
      : t`msg run list shows the runs; the newest, run ${newest}, is of -p ${readRun(store, newest).profile}`;
  return new MsgError("missing", what, { code: "NoRun", where: store.folder, todo });
};

/** A person is always shown which run it is, a script only if another profile has a newer one. */
const noteLast = (store: RunStore, id: string, newest: string): void => {
  if (newest !== id)
    store.note?.(
      t`last is run ${id}; the newest, run ${newest}, is of -p ${readRun(store, newest).profile}`,
    );
  else if (store.isWatched) store.note?.(t`last is run ${id}`);
};

/** When it was planned, as its id says. */
export const plannedAt = (id: string): number => {
  const [day = "", time = ""] = id.split("-");
  const of = (text: string, from: number): number => Number(text.slice(from, from + 2));
  const date = [Number(day.slice(0, 4)), of(day, 4) - 1, of(day, 6)] as const;
  return Date.UTC(...date, of(time, 0), of(time, 2), of(time, 4));
};
