/** The journal of a run: the protocol's entries in a log, the state that the log replays to, and its damage. */

import { basename, dirname } from "node:path";
import * as v from "valibot";
import { type Files, quietly } from "../../durable/files.ts";
import { createLog, inspectLog, type LogContent, openLog, readLog } from "../../durable/log.ts";
import { MsgError, type MsgErrorOptions, usageError } from "../../errors.ts";
import { memberOf } from "../../json/read-json.ts";
import { t } from "../../locale/locale.ts";
import { apply } from "../protocol/apply.ts";
import { type Entry, entry, journalVersion } from "../protocol/entries.ts";
import { initialState, type RunShape, type State } from "../protocol/state.ts";

export interface Journal {
  readonly entries: readonly Entry[];
  /** Returns when the entries are on the disk. */
  readonly append: (entries: readonly Entry[]) => void;
  readonly close: () => void;
}

/**
 * Made with the run, before its run.json can be seen: a run without it is damaged. `others`: what the service knows
 * of a run that was sent before.
 */
export const createJournal = (
  files: Files,
  path: string,
  run: string,
  file?: unknown,
  others: readonly Entry[] = [],
): Journal => {
  const first: Entry = { t: "RUN", run, version: journalVersion, file };
  const entries = [first, ...others];
  const { append, close } = createLog(files, path, entries);
  return { entries, append, close };
};

/** What is in a journal that another process may be writing to. Throws as `openJournal` does. */
export const inspectJournal = (files: Files, path: string): readonly Entry[] =>
  readable(files, path, () => wholeEntries(inspectLog(files, path), path));

/**
 * Opens it to continue it, for the one process that holds the run's lock: what was interrupted is cut off.
 * Throws MsgError: unknown if the journal is damaged, usage if a newer msg wrote it.
 */
export const openJournal = (files: Files, path: string): Journal => {
  const read = (content: LogContent): readonly Entry[] => wholeEntries(content, path);
  const { content, ...log } = readable(files, path, () => openLog(files, path, read));
  return { ...log, entries: content };
};

/** The state that entries lead to, as the process that wrote them saw it. */
export const replay = (shape: RunShape, written: readonly Entry[]): State =>
  written.reduce<State>(apply, initialState(shape));

export const parseEntries = (records: readonly unknown[], path: string): readonly Entry[] =>
  records.map((record, at) => {
    const read = v.safeParse(entry, record);
    if (read.success) return read.output;
    throw usageError(t`this msg does not know record ${at + 1} of the journal`, {
      code: "JournalNotReadable",
      where: path,
      todo: t`a newer msg wrote it: use that version for this run`,
    });
  });

const wholeEntries = ({ records, isCut }: LogContent, path: string): readonly Entry[] => {
  const entries = parseEntries(records, path);
  const why = whyDamaged(entries, isCut);
  if (why !== undefined) throw usageError(why, { code: "JournalDamaged", where: path });
  return entries;
};

/** A journal that was appended to itself, or lost its beginning or its end, still has whole records. */
const whyDamaged = ([first, ...others]: readonly Entry[], isCut: boolean): string | undefined => {
  if (first?.t !== "RUN") return t`the journal has lost its beginning`;
  // The disk may have lost the intent of a call that is under way. Each group is sent once, whatever it lost.
  if (isCut && memberOf(first.file, "path") !== "G") return t`the journal has lost its end`;
  const seen = new Set<string>();
  for (const entry of others) {
    const once = entry.t === "GROUP_INTENT" ? `group:${entry.gen}` : entry.t;
    if (entry.t === "RUN" || seen.has(once)) return t`the journal has a record twice`;
    if (entry.t === "START" || entry.t === "GROUP_INTENT") seen.add(once);
  }
  return undefined;
};

const readable = <T>(files: Files, path: string, read: () => T): T => {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof MsgError)) throw error;
    if (error.code === "JournalDamaged") throw damagedJournalError(path, error.message, error);
    if (error.code === "FileProblem" && !files.lstat(path))
      throw damagedJournalError(path, t`the journal is gone`, error);
    throw error;
  }
};

/** The folder of a run is named by its id. */
const damagedJournalError = (path: string, what: string, cause?: unknown): MsgError =>
  damagedRunError(basename(dirname(path)), what, { where: path, code: "JournalDamaged", cause });

/** How far a run has come, by the first records of its journal. `planned`: no request can have left. */
type Stage = "missing" | "empty" | "planned" | "begun" | "damaged";

export const stageOf = (files: Files, path: string): Stage => {
  if (!files.lstat(path)) return "missing";
  const { line, rest } = beginningOf(files, path);
  const isAlone = rest.every((byte) => byte === 0);
  if (line.length === 0) return isAlone ? "empty" : "damaged";
  const first = firstEntry(line, path);
  if (first?.t !== "RUN") return "damaged";
  return isAlone ? "planned" : "begun";
};

/** Longer than any first record: a key of `--once` may be as long as an argument of a command. */
const maxFirstRecord = 1024 * 1024;

const beginningOf = (files: Files, path: string) => {
  const bytes = Buffer.from(files.readPart(path, 0, maxFirstRecord));
  const end = bytes.indexOf("\n") + 1;
  return { line: bytes.subarray(0, end), rest: bytes.subarray(end) };
};

/** The record that a journal begins with, whatever became of the others. */
export const firstRecord = (files: Files, path: string): Entry | undefined =>
  files.lstat(path) && firstEntry(beginningOf(files, path).line, path);

const firstEntry = (line: Uint8Array, path: string): Entry | undefined =>
  quietly(
    () => parseEntries(readLog(line, path).records, path)[0],
    (error) => error instanceof MsgError,
  );

/** `options`: what is damaged, where, and why. */
export const damagedRunError = (run: string, what: string, options: MsgErrorOptions): MsgError =>
  new MsgError("unknown", t`${what}: it is not known what of run ${run} was sent`, {
    todo: t`do not send its rows again; ${rebuildHint(run)}`,
    ...options,
  });

export const rebuildHint = (run: string): string =>
  t`msg run reconcile ${run} rebuilds it from the service, and sends nothing`;

/** Whether an error says that the files of a run are damaged. */
export const isDamage = (error: unknown): error is MsgError =>
  error instanceof MsgError && error.kind === "unknown" && damages.has(error.code);

const damages: ReadonlySet<string> = new Set(["JournalDamaged", "RunNotReadable"]);
