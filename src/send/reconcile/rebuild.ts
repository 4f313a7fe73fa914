/** A new journal in place of one that is wrong: what the service holds of the run. */

import { join } from "node:path";
import { dayMs } from "../../contract/time.ts";
import { syncFolder, writeFirst } from "../../durable/atomic-write.ts";
import { withFileError } from "../../durable/files.ts";
import { MsgError } from "../../errors.ts";
import { shownTime, t } from "../../locale/locale.ts";
import type { Ports } from "../../ports.ts";
import type { Outcome } from "../protocol/actions.ts";
import type { Entry } from "../protocol/entries.ts";
import { expiryMs } from "../run/clocks.ts";
import { createJournal, replay } from "../store/journal.ts";
import { readBody } from "../store/read-body.ts";
import { journalCopy, type RunFile, shapeOf } from "../store/run-file.ts";
import { fileOf, type RunStore, storeOf } from "../store/run-folder.ts";
import { isOlderThanService } from "./older-journal.ts";
import { rebuiltGroups, sinceOf } from "./run-groups.ts";
import { findSend } from "./send-evidence.ts";

/**
 * Reads the run from the service and writes a new journal; the old one stays next to it. For the one
 * process that holds the run's lock. Throws MsgError; then the folder is as it was. Returns the name that
 * the old journal has now; undefined if there was none.
 */
export const rebuild = async (
  ctx: Ports,
  run: RunFile,
  { isResumed }: { readonly isResumed: boolean },
): Promise<string | undefined> => {
  if (!run.tagged) throw untaggedError(run);
  const store = storeOf(ctx);
  if (run.path !== "G") return replaceJournal(store, run, await entriesOfCalls(ctx, run));
  // The clock may have been days ahead when the run was made.
  for (const since of [sinceOf(run), sinceOf(run) - 6 * dayMs]) {
    const entries = await rebuiltGroups(ctx, run, since);
    // A run that is resumed lists the groups once more before it sends.
    if (isResumed || (await isAllListed(ctx, run, entries)))
      return replaceJournal(store, run, entries);
  }
  throw unclearError(run, t`the service does not list all groups of run ${run.run}`);
};

const unclearError = ({ run }: RunFile, what: string): MsgError =>
  new MsgError("unknown", what, {
    where: t`run ${run}`,
    todo: t`nothing was changed in the run's folder; check again: msg run reconcile ${run}`,
  });

/** The list of groups may be the answer to another request: what was sent is among the messages of a recipient, too. */
const isAllListed = async (
  ctx: Ports,
  run: RunFile,
  entries: readonly Entry[],
): Promise<boolean> => {
  const state = replay(shapeOf(run), [{ t: "START" }, ...entries]);
  return !(await isOlderThanService(ctx, run, state));
};

const untaggedError = ({ run, started }: RunFile): MsgError => {
  const what = t`it is not known what of run ${run} was sent: it was made with --no-tag`;
  return new MsgError("unknown", what, {
    code: "CannotRebuild",
    where: t`run ${run}`,
    todo: t`nothing at the service carries its id; msg group list --start-date ${started.slice(0, 10)} and msg message list --to <number> show what was sent; send the rest as a new run`,
  });
};

/**
 * What a run of single calls sent, looked for chunk by chunk by the correlation ids of its rows. Throws
 * MsgError (unknown) while a copy of a call may still arrive: then "not there" proves nothing.
 */
const entriesOfCalls = async (ctx: Ports, run: RunFile): Promise<readonly Entry[]> => {
  const client = await ctx.session.client();
  const store = storeOf(ctx);
  // Before the first look: two looks would both miss what arrives between them.
  const until = lastWritten(store, run) + expiryMs;
  // As late as possible, by either clock: that is the safe side for anything that asks when these rows were sent.
  const now = (): number => Math.max(ctx.clock.now().getTime(), client.clock.now().latest);
  const intent = () => ({ date: new Date(now()).toISOString(), salt: "" });
  const signature = { date: run.started, salt: "" };
  const entries: Entry[] = [];
  const missing: number[] = [];
  const body = (at: number): Uint8Array => readBody(store, run, at);
  const options = { client, run, body, onReply: () => undefined, onError: () => undefined };
  for (const chunk of run.chunks.keys()) {
    const outcome = await findSend({ chunk, signature }, options, {});
    if (outcome.type === "absent") missing.push(chunk);
    else entries.push({ t: "POST_INTENT", chunk, ...intent() }, entryOf(run, chunk, outcome));
  }
  if (missing.length > 0 && !(await isPast(ctx, until))) throw tooEarlyError(run, until);
  return entries;
};

const entryOf = (run: RunFile, chunk: number, outcome: Outcome): Entry => {
  if (outcome.type === "ok")
    return { t: "POST_OK", chunk, group: outcome.id, cost: outcome.cost, ...outcome.counts };
  if (outcome.type === "declined")
    return { t: "POST_REFUSED", chunk, status: 0, code: outcome.code };
  throw unclearError(run, t`the service does not say what became of part ${chunk + 1}`);
};

/** When the run was last written to, so the latest that it signed; without a journal, when that was first seen. */
const lastWritten = (store: RunStore, run: RunFile): number => {
  const { files } = store;
  const journal = files.lstat(fileOf(store, run.run, "journal.log"));
  if (journal) return journal.changedMs;
  const marker = fileOf(store, run.run, "journal.gone");
  if (!files.lstat(marker)) writeFirst(files, marker, Buffer.alloc(0));
  return files.lstat(marker)?.changedMs ?? Number.POSITIVE_INFINITY;
};

/** By the service's clock and by this machine's. */
const isPast = async ({ clock, session }: Ports, until: number): Promise<boolean> => {
  const { earliest } = (await session.client()).clock.now();
  return earliest !== undefined && earliest > until && clock.now().getTime() > until;
};

const tooEarlyError = ({ run }: RunFile, until: number): MsgError => {
  const time = shownTime(new Date(until).toISOString());
  const what = t`it is not known what of run ${run} was sent: a copy of its last call may still arrive`;
  return new MsgError("unknown", what, {
    code: "TooEarly",
    where: t`run ${run}`,
    todo: t`nothing was changed in the run's folder; msg run reconcile ${run} rebuilds it after ${time}`,
  });
};

const replaceJournal = (
  store: RunStore,
  run: RunFile,
  entries: readonly Entry[],
): string | undefined => {
  const { files } = store;
  const path = fileOf(store, run.run, "journal.log");
  const fresh = fileOf(store, run.run, "journal.rebuilt");
  const known: readonly Entry[] = [{ t: "START" }, ...entries];
  return withFileError(path, "write", () => {
    files.remove(fresh);
    createJournal(files, fresh, run.run, journalCopy(run), known).close();
    const kept = backUpDamaged(store, run.run, "journal.log");
    files.rename(fresh, path);
    syncFolder(files, join(store.folder, run.run));
    return kept;
  });
};

/** Keeps a copy next to it under a name of its own: a damaged file may still help. */
export const backUpDamaged = (
  store: RunStore,
  run: string,
  name: "journal.log" | "run.json",
): string | undefined => {
  const { files } = store;
  const path = fileOf(store, run, name);
  const found = files.lstat(path);
  if (!found) return undefined;
  const [stem = "", end = ""] = name.split(".");
  const folder = join(store.folder, run);
  const taken = new Set(files.list(folder));
  let nth = 1;
  while (taken.has(`${stem}.damaged-${nth}.${end}`)) nth += 1;
  const kept = `${stem}.damaged-${nth}.${end}`;
  if (found.kind === "file") writeFirst(files, join(folder, kept), files.read(path));
  else files.rename(path, join(folder, kept));
  return kept;
};
