/** Rivals, the groups of others with rows of this run: how they are listed, and read or deleted one by one. */

import { detached } from "../../client/client.ts";
import { deleteGroup, readGroup } from "../../contract/groups.ts";
import type { Group } from "../../contract/message-records.ts";
import { MsgError, passable, usageError } from "../../errors.ts";
import { asText } from "../../json/read-json.ts";
import { shownTime, t } from "../../locale/locale.ts";
import type { Action, Outcome } from "../protocol/actions.ts";
import { listOutcome } from "../protocol/claims.ts";
import { type Counts, type ListedGroup, totalOf } from "../protocol/entries.ts";
import { groupOutcome } from "../protocol/outcomes.ts";
import { countRows, parseRows, type RowRange } from "../protocol/row-ranges.ts";
import type { RunAccess } from "../reconcile/send-evidence.ts";
import { listedMs, maxGroupAgeMs } from "../run/clocks.ts";
import type { RunFile } from "../store/run-file.ts";
import { plannedAt } from "../store/run-folder.ts";
import type { Claim } from "./claim.ts";
import {
  type ClaimName,
  customField,
  howToSendAnyway,
  isOfRetry,
  isSplitDifferently,
  otherPartsCode,
  otherPartsError,
  queryGroups,
  retriedError,
  touchedError,
  unlistedError,
} from "./group-fields.ts";
import { readHeldRows } from "./held-rows.ts";
import { groupQueries } from "./message-fields.ts";

/** A run, and how it asks about the groups of others. */
export interface RivalAccess extends Omit<RunAccess, "body"> {
  /** Who this run is among others with the same rows; undefined if it is alone with them. */
  readonly claim?: (ClaimName & Pick<Claim, "fields" | "idleMs">) | undefined;
  /** The earliest that the service's time may be, in milliseconds. */
  readonly earliest: () => number;
  /** The bytes of a chunk's body; without them nothing is known of a group that was changed. */
  readonly body?: (chunk: number) => Uint8Array;
}

/** When the first run with these rows was planned: this one, or one that it is a retry of. */
const firstPlanned = ({ started, retryOf, retriedRuns = [] }: RunFile): number => {
  const retried = [...(retryOf ? [retryOf] : []), ...retriedRuns.map(({ run }) => run)];
  return Math.min(Date.parse(started), ...retried.map(plannedAt).filter(Number.isFinite));
};

/** The groups with the rows of this run; for a scheduled run also those that were made long ago. */
export const listRivals = async (
  { own, known, since }: Extract<Action, { type: "listRivals" }>,
  options: RivalAccess,
): Promise<Outcome> => {
  const { scheduledDate, onceWithinMs = 0 } = options.run;
  const from = since === undefined ? options.earliest() : Date.parse(since);
  // Others may have sent a run's rows at any time since it was planned: days lie between it and --resume, or a retry.
  const sincePlannedMs = from - firstPlanned(options.run) + listedMs;
  const oldest = from - Math.max(listedMs, onceWithinMs, sincePlannedMs);
  const found = new Map<string, ListedGroup>();
  // They are listed by when they were made, and may be sent long after.
  for (const query of groupQueries(oldest - maxGroupAgeMs, scheduledDate)) {
    const listed = await queryGroups(query, options.client);
    const groups = listed.filter((it) => "criteria" in query || isYounger(it, oldest));
    const ids = (await options.claim?.fields.findLost(own, groups)) ?? [];
    if (ids.length > 0) return { type: "bare", ids };
    for (const group of await withKnownFields(groups, options)) {
      if (isSplitDifferently(group, options.claim)) {
        options.onError(otherPartsError(group, options.claim?.worker));
        return { type: "refused", status: 0, code: otherPartsCode };
      }
      // A deleted group may say nothing of its rows, and no message of it can be read.
      const isOwn = known.includes(group.groupId);
      if (!isOwn && !isRival(group, options)) continue;
      const read = await asListedGroup(group, options, known);
      if (read === undefined) return { type: "unreadable" };
      found.set(read.id, read);
    }
  }
  const outcome = listOutcome(own, [...found.values()]);
  if (outcome.type === "unlisted") options.onError(unlistedError(outcome.ids));
  return outcome;
};

const isYounger = ({ dateSent, dateCreated }: Group, than: number): boolean =>
  !(Date.parse(dateSent ?? dateCreated) < than);

const withKnownFields = async (
  groups: readonly Group[],
  { claim }: RivalAccess,
): Promise<readonly Group[]> => (await claim?.fields.read(groups)) ?? groups;

const isRival = (group: Group, options: RivalAccess): boolean =>
  mayBeResent(group, options)
    ? group.status !== "DELETED"
    : isOfRows(group, options) && !isBehindOwnRows(group, options);

/**
 * A group that failed as a whole, with rows of this run under another name: a person, or a copy of an earlier
 * request, may resend it until it is deleted.
 */
const mayBeResent = (group: Group, options: RivalAccess): boolean =>
  isOfRetriedRun(group, options) || (group.status === "FAILED" && isRetryByName(group, options));

const isOfRetriedRun = ({ groupId }: Group, { run: { retriedRuns = [] } }: RivalAccess): boolean =>
  retriedRuns.some(({ status, failed }) => status === "refused" && failed.includes(groupId));

/** Whatever became of it. */
const isRetryByName = (group: Group, options: RivalAccess): boolean =>
  isRetry({ ...group, status: "COMPLETE" }, options);

const isOfRows = (group: Group, { claim, run }: RivalAccess): boolean => {
  if (customField(group, "msg.run") === run.run || isRetry(group, { claim })) return true;
  const isSame = customField(group, "msg.in") === claim?.id;
  // Other rows under the key belong to no part.
  if (claim?.once !== undefined && customField(group, "msg.once") === claim.once && !isSame)
    return true;
  return isSame && customField(group, "msg.worker") === claim?.worker;
};

const isRetry = (group: Group, { claim }: Pick<RivalAccess, "claim">): boolean =>
  claim !== undefined && isOfRetry(group, claim);

/** The canary of another run went to that run's own numbers, after the rows that both have under one name. */
const isBehindOwnRows = (group: Group, { claim, run: { run, messages } }: RivalAccess): boolean =>
  customField(group, "msg.run") !== run &&
  customField(group, "msg.in") === claim?.id &&
  (parseRows(customField(group, "msg.rows"))?.every(({ from }) => from >= messages) ?? false);

/** Sent once under the key of this run, and not with its rows. */
const isOfOtherRows = (group: Group, { claim, run }: RivalAccess): boolean =>
  claim?.once !== undefined &&
  customField(group, "msg.in") !== claim.id &&
  customField(group, "msg.run") !== run.run;

/** Unreadable rows may be any rows. */
const anyRows: readonly RowRange[] = [{ from: 0, to: Number.MAX_SAFE_INTEGER }];

/** A minute without a change: the run that filled it has ended, or stands still. */
const activeMs = 60_000;

/** `known`: the groups of this run that its journal has. */
const asListedGroup = async (
  group: Group,
  options: RivalAccess,
  known: readonly string[] = [],
): Promise<ListedGroup | undefined> => {
  const { groupId: id, dateUpdated, dateSent } = group;
  const outcome = groupOutcome(group);
  if (outcome.type !== "group" || typeof id !== "string") return undefined;
  const { status, cost } = outcome;
  const isKnown = known.includes(id);
  const different = isKnown ? undefined : differentSendError(group, status, options);
  if (different) options.onError(different);
  const held =
    isKnown || different
      ? namedRows(group, outcome.counts, options)
      : await heldRows(group, outcome, options);
  if (!held) return undefined;
  const { rows, counts } = held;
  // No one is at work on it.
  const run = mayBeResent(group, options) ? options.run.run : customField(group, "msg.run");
  const idleMs = options.claim?.idleMs(id, dateUpdated) ?? activeMs;
  return {
    id,
    run: run ?? "",
    rows,
    status: different ? "other" : status,
    counts,
    cost,
    isActive: idleMs < activeMs,
    sent: asText(dateSent),
  };
};

const namedRows = (group: Group, counts: Counts, options: RivalAccess) => {
  const isOther = isOfOtherRows(group, options) || mayBeResent(group, options);
  const named = isOther ? undefined : customField(group, "msg.rows");
  return { rows: parseRows(named) ?? anyRows, counts };
};

/**
 * What a group was sent with. If someone else may have changed it before, it is read. A group of this run that its
 * journal does not have was empty when it was made.
 */
const heldRows = (
  group: Group,
  { status, counts }: Extract<Outcome, { type: "group" }>,
  options: RivalAccess,
) => {
  const { client, run, body } = options;
  const named = namedRows(group, counts, options);
  const isOwn = customField(group, "msg.run") === run.run;
  const isWhole = totalOf(counts) === countRows(named.rows);
  if ((status !== "sent" && status !== "scheduled") || (isWhole && !isOwn)) return named;
  if (!body) return { rows: [], counts: { accepted: 0, refused: 0 } };
  return readHeldRows(group, named.rows, { client, run, body });
};

/** The error for other rows under the key, or the same at another hour or in a retry; undefined for the same send. */
const differentSendError = (
  group: Group,
  status: ListedGroup["status"],
  options: RivalAccess,
): MsgError | undefined => {
  const { run } = options;
  const { groupId, scheduledDate } = group;
  if (isRetry(group, options)) return retriedError(group, run.once !== undefined);
  if (status !== "sent" && status !== "scheduled") return undefined;
  if (isOfOtherRows(group, options)) return otherContentError(run.once, t`group ${groupId}`);
  const isOnTime =
    status === "sent" ||
    (run.scheduledDate !== undefined &&
      Date.parse(scheduledDate ?? "") === Date.parse(run.scheduledDate));
  if (isOnTime || customField(group, "msg.run") === run.run) return undefined;
  const what = t`someone else has changed a group with the same rows: it is scheduled for ${shownTime(scheduledDate ?? "")}`;
  return touchedError(group, what, howToSendAnyway(group, run.once !== undefined));
};

/** Exit 2: the key was used before, for other messages. */
export const otherContentError = (key: string | undefined, where: string): MsgError =>
  usageError(t`--once ${key ?? ""} was used for other messages`, {
    code: "OtherContent",
    where,
    todo: t`nothing was sent; use another key for other messages`,
  });

/** What became of a group of another run, by its own record. */
export const readRival = async (groupId: string, options: RivalAccess): Promise<Outcome> =>
  rivalOutcome(await options.client.call(readGroup, { params: { groupId } }, detached), options);

/** Deletes a group of another run. An error proves nothing: the group is read then. */
export const deleteRival = async (groupId: string, options: RivalAccess): Promise<Outcome> => {
  const params = { groupId };
  const deleted = await options.client.call(deleteGroup, { params }, detached).catch(passable);
  if (deleted instanceof MsgError && deleted.code === "NotOperationalStatus")
    return withoutFailed(await readRival(groupId, options));
  const outcome = deleted instanceof MsgError ? undefined : await rivalOutcome(deleted, options);
  const isProven = outcome?.type === "list" && outcome.groups[0]?.status === "deleted";
  return isProven ? outcome : readRival(groupId, options);
};

/** A service that deletes no group that failed as a whole must not keep its rows from being sent for ever. */
const withoutFailed = (outcome: Outcome): Outcome =>
  outcome.type === "list" ? { type: "list", groups: outcome.groups.map(asGivenUp) } : outcome;

const asGivenUp = (group: ListedGroup): ListedGroup =>
  group.status === "failed" ? { ...group, status: "deleted" } : group;

const rivalOutcome = async (record: Group, options: RivalAccess): Promise<Outcome> => {
  const [group = record] = await withKnownFields([record], options);
  const isKnown = isOfRows(group, options) || isOfRetriedRun(group, options);
  if (!isKnown && !isRetryByName(group, options)) return { type: "unreadable" };
  const read = await asListedGroup(group, options);
  return read ? { type: "list", groups: [read] } : { type: "unreadable" };
};
