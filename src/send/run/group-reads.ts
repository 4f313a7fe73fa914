/** What reads of groups mean for the protocol, and what is said if someone else has worked on one. */

import { type Attempt, detached } from "../../client/client.ts";
import { readGroup } from "../../contract/groups.ts";
import type { Group } from "../../contract/message-records.ts";
import type { MsgError, Todo } from "../../errors.ts";
import { shownTime, t } from "../../locale/locale.ts";
import { formatMessageCount } from "../../message/price.ts";
import { touchedError } from "../claims/group-fields.ts";
import { readHeldRows } from "../claims/held-rows.ts";
import type { Action, Outcome } from "../protocol/actions.ts";
import { areEqual, type Counts, sumOf, totalOf } from "../protocol/entries.ts";
import { groupOutcome } from "../protocol/outcomes.ts";
import { countRows } from "../protocol/row-ranges.ts";
import { readHeldChunks } from "../reconcile/run-groups.ts";
import type { RunAccess } from "../reconcile/send-evidence.ts";
import type { RunFile } from "../store/run-file.ts";
import { requestTimeMs } from "./clocks.ts";

export interface ReadOptions extends RunAccess {
  /** The latest that the service's time may be, in milliseconds, for requests that sign none. */
  readonly time: () => number;
}

type ReadAction = Extract<Action, { type: "count" | "verify" | "check" | "readSent" }>;

/** Reads a group to count, verify or check it, or after its send. */
export const readGroupAs = async (action: ReadAction, options: ReadOptions): Promise<Outcome> => {
  const params = { groupId: action.id };
  const asked: { at?: number } = {};
  const onAttempt = (attempt: Attempt): void => {
    asked.at = requestTimeMs(attempt, options.time);
  };
  const group = await options.client.call(readGroup, { params }, { ...detached, onAttempt });
  if (action.type === "verify" && action.signed !== undefined && asked.at !== undefined) {
    if (isOlderThanRequest(group, asked.at - Date.parse(action.signed))) return { type: "old" };
  }
  const outcome = groupOutcome(group);
  if (outcome.type !== "group") return outcome;
  const isMoved = action.type === "readSent" && isAtOtherHour(group, options.run);
  const stop = isMoved ? movedError(group) : whyStopped(action, group, outcome, options.run);
  if (stop) options.onError(stop);
  return { ...outcome, isMoved };
};

/** The service may leave out seconds. */
const isAtOtherHour = ({ status, scheduledDate }: Group, run: RunFile): boolean => {
  const apartMs = Date.parse(scheduledDate ?? "") - Date.parse(run.scheduledDate ?? "");
  return status === "SCHEDULED" && Math.abs(apartMs) >= 60_000;
};

/** Others list a group for 25 hours, and it may be sent for 23: a clock may be set this far in between. */
const settableMs = 60 * 60_000;

/**
 * Whether it is older than its run assumes: the late answer to an earlier creation named it. Its own dates show
 * that, since their difference is the same by any clock; the later one is that of its last add.
 */
const isOlderThanRequest = ({ dateCreated, dateUpdated }: Group, ageMs: number): boolean =>
  Date.parse(dateUpdated) - Date.parse(dateCreated) > Math.max(0, ageMs) + settableMs;

/** What a group holds that someone else sent. */
export const readHeld = async (
  { id, rows }: Extract<Action, { type: "readHeld" }>,
  options: ReadOptions,
): Promise<Outcome> => {
  const { client, run } = options;
  const group = await client.call(readGroup, { params: { groupId: id } }, detached);
  const outcome = groupOutcome(group);
  if (outcome.type !== "group") return { type: "unreadable" };
  const { cost } = outcome;
  const held = run.tagged ? await readHeldChunks(client, run, group) : undefined;
  const reportCut = (count: number): boolean => {
    const isCut = count < countRows(rows);
    if (isCut) options.onError(takenOutError(group));
    return isCut;
  };
  if (held) {
    return { type: "held", held, cost, isCut: reportCut(totalOf(sumOf(held))) };
  }
  const found = await readHeldRows(group, rows, options);
  if (found) {
    const scheduled = group.status === "SCHEDULED";
    const of = { id, run: run.run, scheduled, cost, sent: group.dateSent ?? undefined };
    const taken = { ...of, rows: found.rows, ...found.counts };
    return { type: "heldRows", taken, isCut: reportCut(countRows(found.rows)) };
  }
  options.onError(touchedError(group));
  return { type: "refused", status: 0, code: "GroupTouched" };
};

/** Why the run stops, if someone else has done something with its group. */
const whyStopped = (
  action: ReadAction,
  group: Group,
  { status, counts }: Extract<Outcome, { type: "group" }>,
  run: RunFile,
): MsgError | undefined => {
  if (status === "scheduled" && run.scheduledDate === undefined) return scheduledError(group);
  if (action.type === "check") {
    // An earlier process has verified it: it may hold something else now.
    const { expected } = action;
    if (status === "open" && !areEqual(counts, expected))
      return changedError(group, run, counts, expected);
    return status === "scheduled" ? touchedError(group) : undefined;
  }
  // Someone deleted a group that is being sent before the request to send it arrived.
  if (status === "deleted") return deletedError(group);
  // Someone sent or scheduled a group that is still being filled.
  return action.type === "readSent" || status === "open" ? undefined : touchedError(group);
};

const movedError = (group: Group, todo?: Todo): MsgError =>
  touchedError(
    group,
    t`someone else has changed a group of this run: it is scheduled for ${shownTime(group.scheduledDate ?? "")}`,
    todo,
  );

const scheduledError = (group: Group): MsgError =>
  movedError(
    group,
    ({ again = t`run it again` }) =>
      t`msg group unschedule ${group.groupId} takes it off its schedule; then ${again}`,
  );

const takenOutError = (group: Group): MsgError =>
  touchedError(
    group,
    t`someone else took messages out of a group of this run before it was sent`,
    ({ again = t`run it again` }) =>
      t`msg group messages ${group.groupId} --all shows what it holds; to send the others as well, ${again}`,
  );

const deletedError = (group: Group): MsgError =>
  touchedError(
    group,
    t`someone else has deleted a group of this run before it was sent`,
    ({ again = t`run it again` }) =>
      t`msg group get ${group.groupId} shows what was done to it; to fill another one instead, ${again}`,
  );

const changedError = (group: Group, { run }: RunFile, counts: Counts, expected: Counts): MsgError =>
  touchedError(
    group,
    t`someone else has changed a group of this run: it holds ${formatMessageCount(totalOf(counts))}, and was filled with ${totalOf(expected)}`,
    ({ again = t`run it again` }) =>
      t`msg group get ${group.groupId} shows what was done to it, msg run cancel ${run} deletes it; when it holds what it was filled with, ${again}`,
  );
