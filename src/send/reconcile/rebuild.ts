/** A new journal in place of one that is wrong: what the service holds of the run. */

import { join } from "node:path";
import { syncFolder, writeFirst } from "../../durable/atomic-write.ts";
import { MsgError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import type { Ports } from "../../ports.ts";
import type { Entry } from "../protocol/entries.ts";
import { journalWith } from "../store/journal.ts";
import { journalCopy, type RunFile, runFileVersion } from "../store/run-file.ts";
import { fileOf, type RunStore, writeRunFile } from "../store/run-folder.ts";
import { entriesOfCalls } from "./found-calls.ts";
import { rebuiltGroups } from "./run-groups.ts";

/**
 * Reads the run from the service and writes a new journal; the old one stays beside it. For the one
 * process that holds the run's lock. Throws MsgError; then the folder is as it was. Returns the name that
 * the old journal has now; undefined where there was none.
 */
export const rebuild = async (
  ctx: Pick<Ports, "session" | "clock">,
  store: RunStore,
  run: RunFile,
): Promise<string | undefined> => {
  if (!run.tagged) throw untaggedError(run);
  const reader = { client: await ctx.session.client(), store, run, clock: ctx.clock };
  const entries = await (run.path === "G" ? rebuiltGroups(reader) : entriesOfCalls(reader));
  return replaceJournal(store, run, entries);
};

const replaceJournal = (
  store: RunStore,
  run: RunFile,
  entries: readonly Entry[],
): string | undefined => {
  const { files } = store;
  const path = fileOf(store, run.run, "journal.log");
  const fresh = fileOf(store, run.run, "journal.rebuilt");
  files.remove(fresh);
  const first = { t: "RUN", run: run.run, version: 2, file: journalCopy(run) } as const;
  journalWith(files, fresh, [first, { t: "START" }, ...entries]).close();
  // One of an older msg without a journal would count as not begun.
  if (run.version !== runFileVersion) writeRunFile(store, { ...run, version: runFileVersion });
  const kept = keepDamaged(store, run.run, "journal.log");
  files.rename(fresh, path);
  syncFolder(files, join(store.folder, run.run));
  return kept;
};

/** A copy beside it under a name of its own: what is damaged may still help. */
export const keepDamaged = (
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

const untaggedError = ({ run, started }: RunFile): MsgError =>
  new MsgError(
    "unknown",
    t`it is not known what of run ${run} was sent: it was made with --no-tag`,
    {
      code: "CannotRebuild",
      where: t`run ${run}`,
      todo: t`nothing at the service carries its id; msg group list --start-date ${started.slice(0, 10)} and msg message list --to <number> show what was sent; send the rest as a new run`,
      outcome: "unknown",
    },
  );
