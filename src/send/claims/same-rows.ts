/** Whether the same rows are in another run: no one is sent the same twice because a command was run twice. */

import { hash } from "node:crypto";
import { backdatedMs } from "../../client/service-clock.ts";
import { wasRehearsed } from "../../config/settings.ts";
import { dayMs } from "../../contract/time.ts";
import { fileError, quietly } from "../../durable/files.ts";
import { type MsgError, usageError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { withoutCorrelationId } from "../messages/correlation.ts";
import { inspectJournal, isDamage, rebuildHint } from "../store/journal.ts";
import { messagesOf } from "../store/row-outcomes.ts";
import type { RunFile } from "../store/run-file.ts";
import {
  fileOf,
  isBegun,
  listSendManyIds,
  plannedAt,
  type RunStore,
  readRun,
} from "../store/run-folder.ts";
import { shownSummary } from "../store/summary.ts";

/** What time it is, in milliseconds. */
export interface PresentTime {
  /** By the clock of this machine, which may have been set since the other run. */
  readonly here: number;
  /** The earliest that it may be, by that clock and by the service's. */
  readonly earliest: number;
}

/**
 * Begun runs with the same rows in any order for the same account: of the last 24 hours, since a day before this one
 * was planned (it may have stood still for days), or of the same retry, whose source is the rows of one run that were
 * refused, or did not arrive. Throws MsgError (usage) for a run of that time that cannot be read: its rows may be the
 * same.
 */
export const findSameRuns = (
  store: RunStore,
  run: RunFile,
  now: PresentTime,
): readonly RunFile[] => {
  const since = sinceOf(Date.parse(run.started), now);
  const isYoung = (it: RunFile): boolean =>
    Math.max(Date.parse(it.started), lastIntentMs(store, it)) > since;
  let sum: bigint | undefined;
  const ownSum = (): bigint => {
    sum ??= sumOfMessages(store, run);
    return sum;
  };
  return listSendManyIds(store)
    .filter((id) => id !== run.run)
    .flatMap((id) => begunIfYoung(store, id, since))
    .filter((it) => {
      if (hasSameRows(it, run)) return isYoung(it);
      if (run.retryOf !== undefined) return it.source === run.source;
      return holdsAsMany(it, run) && isYoung(it) && holdsSameMessages(store, it, run, ownSum);
    });
};

/** The newest begun run of the last 24 hours that read other messages from the same file. */
export const findOfSameFile = (store: RunStore, made: RunFile, now: Date): RunFile | undefined =>
  listSendManyIds(store)
    .filter((id) => plannedAt(id) > now.getTime() - dayMs)
    .flatMap((id) => quietly(() => (isBegun(store, id) ? readRun(store, id) : undefined)) ?? [])
    .filter((it) => it.source === made.source && it.profile === made.profile)
    .filter((it) => it.content !== made.content && !wasRehearsed(it, made))
    .at(-1);

/** A run from a clock that was ahead, and is no longer, does not say when it was planned: all are compared. */
const sinceOf = (started: number, { here, earliest }: PresentTime): number =>
  started > here + steppedMs ? Number.NEGATIVE_INFINITY : Math.min(earliest, started) - dayMs;

/** A clock is usually set back by less than this. */
const steppedMs = 60_000;

/**
 * The runs among them that sent, or tried to, after this one last did. If it tried in the future (the clock
 * was ahead), that may have been before any of them.
 */
export const findSentAfter = (
  store: RunStore,
  run: RunFile,
  now: PresentTime,
): readonly RunFile[] => {
  const last = lastIntentMs(store, run);
  const isLater = (it: RunFile): boolean => {
    const its = lastIntentMs(store, it);
    // Their dates have whole seconds, the ids milliseconds.
    return its > last || (its === last && it.run > run.run) || last > now.here;
  };
  return findSameRuns(store, run, now).filter(isLater);
};

const holdsAsMany = (one: RunFile, other: RunFile): boolean =>
  one.messages === other.messages && one.retryOf === undefined && mayBeSameAccount(one, other);

/**
 * Whether a run holds the same messages in any order: a list that is exported once more may come in another. At another
 * hour they are another sending, unless it is not known what became of the first one: then this is a second attempt.
 */
const holdsSameMessages = (
  store: RunStore,
  one: RunFile,
  other: RunFile,
  sumOfOther: () => bigint,
): boolean =>
  quietly(
    () =>
      (one.scheduledDate === other.scheduledDate || shownSummary(store, one).unknown > 0) &&
      sumOfMessages(store, one) === sumOfOther(),
  ) ?? false;

/** The same in any order. */
const sumOfMessages = (store: RunStore, run: RunFile): bigint => {
  let sum = 0n;
  for (const at of run.chunks.keys())
    for (const message of messagesOf(store, run, at)) {
      const json = JSON.stringify(withoutCorrelationId(message));
      sum += hash("sha256", json, "buffer").readBigUInt64BE();
    }
  return sum;
};

const hasSameRows = (one: RunFile, other: RunFile): boolean => {
  if (one.digest === other.digest) return true;
  if (one.content === undefined || one.content !== other.content) return false;
  const isSamePart = one.part?.index === other.part?.index && one.part?.of === other.part?.of;
  const isUnknownAccount = one.account === null || other.account === null;
  return isSamePart && isUnknownAccount && mayBeSameAccount(one, other);
};

/** If the account of one of them could not be read, its profile and its service are compared instead. */
const mayBeSameAccount = (one: RunFile, other: RunFile): boolean =>
  one.account === null || other.account === null
    ? one.profile === other.profile && one.baseUrl === other.baseUrl
    : one.account === other.account;

/** An old run that is damaged, or of a newer msg, does not block sending. */
const begunIfYoung = (store: RunStore, id: string, since: number): readonly RunFile[] => {
  try {
    return isBegun(store, id) ? [readRun(store, id)] : [];
  } catch (error) {
    if (plannedAt(id) <= since) return [];
    throw unreadableRunError(store, id, error);
  }
};

/** This command sends nothing because of it; that says nothing about the other run. */
const unreadableRunError = (store: RunStore, id: string, error: unknown): MsgError => {
  const { message, code, where } = fileError(error, t`read '${id}'`, store.folder);
  const how = isDamage(error) ? rebuildHint(id) : t`look at its journal.log`;
  const todo = t`nothing was sent now; its rows may be the same: ${how}; --again sends without checking it`;
  return usageError(message, { code, where, todo, cause: error });
};

/** When a run last sent or added, or tried to: it may be resumed long after its planning; dates are signed early. */
const lastIntentMs = (store: RunStore, { run }: RunFile): number => {
  const path = fileOf(store, run, "journal.log");
  const entries = quietly(() => inspectJournal(store.files, path), isDamage);
  // It may have been a moment ago.
  if (!entries) return Number.POSITIVE_INFINITY;
  return entries.reduce(
    (last, it) =>
      "date" in it && it.date !== undefined
        ? Math.max(last, Date.parse(it.date) + backdatedMs)
        : last,
    0,
  );
};
