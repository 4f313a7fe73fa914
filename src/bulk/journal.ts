/** The journal of a run: the protocol's entries in a log, and what the log replays to (sending.md 3). */
import * as v from "valibot";
import type { Files } from "../durable/files.ts";
import { createLog, type Log, lookAtLog, openLog } from "../durable/log.ts";
import { usage } from "../errors.ts";
import type { Entry } from "./protocol/entries.ts";
import { apply, type Shape, type State, start } from "./protocol/state.ts";

/** Raised when an entry means something else than before; older journals stay readable. */
const journalVersion = 1;

const whole = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const gen = whole;
const chunk = whole;
const counts = { accepted: whole, refused: whole };
const signature = {
  date: v.string(),
  salt: v.string(),
  key: v.optional(v.string()),
  signedAt: v.optional(v.string()),
};
const held = v.array(v.object({ chunk, ...counts }));
const cost = v.number();
const entry = <const T extends string, const F extends v.ObjectEntries>(t: T, fields: F) =>
  v.object({ t: v.literal(t), ...fields });

const entries = v.variant("t", [
  entry("RUN", { run: v.string(), version: v.literal(journalVersion) }),
  entry("GROUP_INTENT", { gen, from: whole, to: whole }),
  entry("GROUP", { gen, id: v.string() }),
  entry("ADD_INTENT", { gen, chunk, ...signature }),
  entry("ADD_OK", { gen, chunk, ...counts }),
  entry("ABANDON", { gen, why: v.picklist(["create", "add", "refused", "count", "gone"]) }),
  entry("VERIFIED", { gen }),
  entry("SEND_INTENT", { gen, date: v.optional(v.string()) }),
  entry("DELETED", { gen }),
  entry("TOUCHED", { gen }),
  entry("SENT", {
    gen,
    cost,
    ...counts,
    how: v.optional(v.literal("operator")),
    held: v.optional(held),
  }),
  entry("SEND_REFUSED", { gen, sure: v.boolean(), code: v.string() }),
  entry("FAILED", { gen }),
  entry("CANCEL", {}),
  entry("UNSCHEDULED", { gen }),
  entry("OUT", { gen, cost, ...counts }),
  entry("OFF", { gen }),
  entry("CANCELLED", { gen }),
  entry("POST_INTENT", { chunk, ...signature }),
  entry("POST_OK", { chunk, group: v.string(), cost, ...counts }),
  entry("POST_REFUSED", { chunk, status: whole, code: v.string() }),
  entry("DOUBT", { chunk }),
  entry("RESOLVED", {
    chunk,
    how: v.picklist(["absent", "operator"]),
    taken: v.optional(v.object({ group: v.string(), cost, ...counts })),
  }),
  entry("END", { elapsedMs: v.optional(v.number()) }),
]);

export interface Journal {
  readonly entries: readonly Entry[];
  /** Returns when the entries are on the disk. */
  readonly append: (entries: readonly Entry[]) => void;
  readonly close: () => void;
}

export const createJournal = (files: Files, path: string, run: string): Journal => {
  const first: Entry = { t: "RUN", run, version: journalVersion };
  const { append, close } = createLog(files, path, [first]);
  return { entries: [first], append, close };
};

/** What is in a journal that another process may be writing to. Throws as `openJournal` does. */
export const lookAtJournal = (files: Files, path: string): readonly Entry[] =>
  entriesOf(lookAtLog(files, path), path);

/**
 * To go on with it: by the one process that holds the run's lock, since what was interrupted is cut off.
 * Throws MsgError (usage) where the journal is damaged, or written by a newer msg.
 */
export const openJournal = (files: Files, path: string): Journal =>
  over(openLog(files, path), path);

/** The state that entries lead to, as the process that wrote them saw it. */
export const replay = (shape: Shape, written: readonly Entry[]): State =>
  written.reduce<State>(apply, start(shape));

const over = (log: Log, path: string): Journal => ({
  entries: entriesOf(log.records, path),
  append: log.append,
  close: log.close,
});

export const entriesOf = (records: readonly unknown[], path: string): readonly Entry[] =>
  records.map((record, at) => {
    const read = v.safeParse(entries, record);
    if (read.success) return read.output;
    throw usage(`record ${at + 1} of the journal is not known to this msg`, {
      code: "JournalNotReadable",
      where: path,
      todo: "a newer msg wrote it: use that one for this run; nothing was sent",
    });
  });
